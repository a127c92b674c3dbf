/** A process with another key would seal what the others cannot open: it is refused before it writes. */

import { createHmac } from 'node:crypto'
import type { Database } from '../database/open.ts'
import { operatorCommand } from '../operator-command.ts'
import type { SealingKey } from '../sealing/sealer.ts'

/** Tells keys apart without giving any away: 64 hex digits, of which people are shown eight. */
export const keyCheck = ({ key }: SealingKey): string =>
  createHmac('sha256', key).update('latchkey key check').digest('hex')

export const fingerprint = (check: string): string => check.slice(0, 8)

const listed = (checks: readonly string[]) => checks.map(fingerprint).join(', ')

/** The keys are not those that this database is used with; the message names fingerprints. */
export class WrongKeys extends Error {}

/**
 * The first process of a database leaves a check of its keys; later ones need all of them, and no newest key of their own.
 * @param keys the newest first
 * @throws WrongKeys; DatabaseUnavailable
 */
export async function checkKeys(db: Database, keys: readonly SealingKey[], now: number): Promise<void> {
  const given = keys.map(keyCheck)
  let known = await knownChecks(db)
  if (known.length === 0) {
    await addChecks(db, given, now)
    // Of two that start at once the one whose keys stand there first is right.
    known = await knownChecks(db)
  }
  const missing = known.filter((check) => !given.includes(check))
  if (missing.length > 0)
    throw new WrongKeys(
      `The keys given are ${listed(given)}, and this database also needs ${listed(missing)}: what those sealed could not be opened. Give the keys that its servers have (KEYS, or keys.json in DATA_DIR).`,
    )
  if (!known.includes(given[0]!))
    throw new WrongKeys(
      `The newest key, ${listed(given.slice(0, 1))}, is unknown to this database, which knows ${listed(known)}. If it is meant to be new, add it with: ${operatorCommand('keys add')}`,
    )
}

/** Whether this process has not all keys, or seals with one that the others do not have. @param keys the newest first */
export async function keysAreWrong(db: Database, keys: readonly SealingKey[]): Promise<boolean> {
  const [given, known] = [keys.map(keyCheck), await knownChecks(db)]
  return known.some((check) => !given.includes(check)) || (known.length > 0 && !known.includes(given[0]!))
}

/** Makes keys known before servers seal with them. @returns the fingerprints that are new */
export async function addKeys(db: Database, keys: readonly SealingKey[], now: number): Promise<string[]> {
  const known = await knownChecks(db)
  const fresh = keys.map(keyCheck).filter((check) => !known.includes(check))
  await addChecks(db, fresh, now)
  return fresh.map(fingerprint)
}

export async function knownChecks(db: Database): Promise<string[]> {
  const rows = await db.read
    .selectFrom('key_checks')
    .select('key_check')
    .orderBy('added_at')
    .orderBy('key_check')
    .execute()
  return rows.map((row) => row.key_check)
}

/** Servers need it no more; one that has it in front is refused. */
export async function forgetKey(db: Database, check: string): Promise<void> {
  await db.write.deleteFrom('key_checks').where('key_check', '=', check).execute()
}

async function addChecks(db: Database, checks: readonly string[], now: number): Promise<void> {
  if (checks.length === 0) return
  await db.write
    .insertInto('key_checks')
    .values(checks.map((key_check) => ({ key_check, added_at: now })))
    .onConflict((known) => known.column('key_check').doNothing())
    .execute()
}

/**
 * Registers a database's encryption keys, and refuses processes with wrong keys before they write anything that other
 * processes could not decrypt.
 */

import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { lockName } from '../database/lock-by-name.ts'
import type { Database } from '../database/open.ts'
import type { SealingKey } from '../encryption/sealer.ts'
import { operatorCommand } from '../operator-command-in-messages.ts'
import type { Tables } from '../schema/tables.ts'

/** Returns a hash that identifies a key without revealing it: 64 hex digits, of which people see eight. */
export const keyCheck = ({ key }: SealingKey): string =>
  createHmac('sha256', key).update('latchkey key check').digest('hex')

/** Returns the first eight digits of a key's hash, by which people compare keys. */
export const shortFingerprint = (check: string): string => check.slice(0, 8)

const listFingerprints = (checks: readonly string[]) => checks.map(shortFingerprint).join(', ')

/** Thrown when the keys differ from those of the database; the message names fingerprints. */
export class WrongKeys extends Error {}

/**
 * Compares the process's keys with the database's. The first process registers its keys; later ones need all registered
 * keys and may not encrypt with one that is unknown to the database.
 * @param keys newest first
 * @throws WrongKeys; DatabaseUnavailable
 */
export async function checkKeys(db: Database, keys: readonly SealingKey[], now: number): Promise<void> {
  const ownChecks = keys.map(keyCheck)
  let registered = await loadKeyChecks(db)
  if (registered.length === 0)
    registered = await db.transaction(async (tx) => {
      // Another process that starts with other keys must find this one's.
      await lockName(tx, 'key checks')
      const registeredMeanwhile = await selectKeyChecks(tx)
      if (registeredMeanwhile.length > 0) return registeredMeanwhile
      await addChecks(tx, ownChecks, now)
      return ownChecks
    })
  const missing = registered.filter((check) => !ownChecks.includes(check))
  if (missing.length > 0)
    throw new WrongKeys(
      `The keys given are ${listFingerprints(ownChecks)}, and this database also needs ${listFingerprints(missing)}: what those sealed could not be opened. Give the keys that its servers have (KEYS, or keys.json in DATA_DIR).`,
    )
  if (!registered.includes(ownChecks[0]!))
    throw new WrongKeys(
      `The newest key, ${listFingerprints(ownChecks.slice(0, 1))}, is unknown to this database, which knows ${listFingerprints(registered)}. If it is meant to be new, add it with: ${operatorCommand('keys add')}`,
    )
}

/**
 * Returns whether this process lacks a key or encrypts with one that is unknown to the database.
 * @param keys newest first
 */
export async function hasWrongKeys(db: Database, keys: readonly SealingKey[]): Promise<boolean> {
  const ownChecks = keys.map(keyCheck)
  const registered = await loadKeyChecks(db)
  return (
    registered.some((check) => !ownChecks.includes(check)) ||
    (registered.length > 0 && !registered.includes(ownChecks[0]!))
  )
}

/** Registers keys before servers encrypt with them. @returns fingerprints of the newly registered keys */
export async function addKeys(db: Database, keys: readonly SealingKey[], now: number): Promise<string[]> {
  const registered = await loadKeyChecks(db)
  const newChecks = keys.map(keyCheck).filter((check) => !registered.includes(check))
  await addChecks(db.write, newChecks, now)
  return newChecks.map(shortFingerprint)
}

/** Loads the hashes of the keys that the database knows, in the order of their registration. */
export const loadKeyChecks = (db: Database): Promise<string[]> => selectKeyChecks(db.read)

async function selectKeyChecks(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('key_checks').select('key_check').orderBy('added_at').orderBy('key_check').execute()
  return rows.map((row) => row.key_check)
}

/** Removes a key, so that servers no longer need it; a server that encrypts with it is refused at its start. */
export async function removeKey(db: Database, check: string): Promise<void> {
  await db.write.deleteFrom('key_checks').where('key_check', '=', check).execute()
}

async function addChecks(db: Kysely<Tables>, checks: readonly string[], now: number): Promise<void> {
  if (checks.length === 0) return
  await db
    .insertInto('key_checks')
    .values(checks.map((key_check) => ({ key_check, added_at: now })))
    .onConflict((conflict) => conflict.column('key_check').doNothing())
    .execute()
}

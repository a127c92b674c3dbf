/**
 * Encrypts each day's audit hash, so that an attacker with the database but without the keys cannot forge the whole
 * log.
 */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'

type DayHash = Pick<Tables['audit_days'], 'day' | 'hash'>

/** Returns the encryption context of a day's sealed hash. */
export const daySealContext = (day: IsoDate): string => `audit:${day}:hash`

/** Returns the encryption context of a day's hash after its contact data were encrypted. */
export const resealContext = (day: IsoDate): string => `audit:${day}:resealed`

/** Seals days of the audit log by storing their hashes encrypted; a day that has a seal keeps it. */
export async function sealDays(
  tx: Kysely<Tables>,
  { sealer }: Pick<Services, 'sealer'>,
  days: readonly DayHash[],
): Promise<void> {
  for (let from = 0; from < days.length; from += 500)
    await tx
      .insertInto('audit_seals')
      .values(
        days
          .slice(from, from + 500)
          .map(({ day, hash }) => ({ day, hash_sealed: sealer.seal(hash, daySealContext(day)) })),
      )
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
}

/**
 * Seals the days that an older release hashed without sealing: all days if there are no seals yet, or the newest day
 * during a rolling upgrade. Any other unsealed day has lost its seal and gets no new one.
 */
export async function sealEarlierDays(services: Pick<Services, 'db' | 'sealer'>): Promise<void> {
  await services.db.transaction(async (tx) => {
    const sealed = await tx.selectFrom('audit_seals').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst()
    const days = await tx
      .selectFrom('audit_days')
      .select(['day', 'hash'])
      .$if(sealed !== undefined, (query) => query.where('day', '>', sealed?.day ?? ''))
      .orderBy('day')
      .execute()
    if (!sealed || days.length === 1) await sealDays(tx, services, days)
  })
}

/**
 * Compares a day's hash with its seal.
 * @returns the problem; null if they agree or no day is sealed yet
 * @throws DecryptionFailed
 */
export async function checkDaySeal(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { day, hash }: DayHash,
): Promise<string | null> {
  const seal = await db.read.selectFrom('audit_seals').select('hash_sealed').where('day', '=', day).executeTakeFirst()
  if (!seal) {
    const anySeal = await db.read.selectFrom('audit_seals').select('day').limit(1).executeTakeFirst()
    return anySeal ? 'its seal is gone' : null
  }
  return sealer.open(seal.hash_sealed, daySealContext(day)) === hash ? null : 'its seal says otherwise'
}

/** Stores the hash of a day's events after their contact data were encrypted. */
export async function saveResealedHash(
  tx: Kysely<Tables>,
  { sealer }: Pick<Services, 'sealer'>,
  { day, hash }: DayHash,
): Promise<void> {
  const row = { day, hash_sealed: sealer.seal(hash, resealContext(day)) }
  await tx
    .insertInto('audit_reseals')
    .values(row)
    .onConflict((conflict) => conflict.column('day').doUpdateSet(row))
    .execute()
}

/**
 * Reads the hash of a day's events after their contact data were encrypted; null if they never were.
 * @throws DecryptionFailed
 */
export async function loadResealedHash(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  day: IsoDate,
): Promise<string | null> {
  const row = await db.read.selectFrom('audit_reseals').select('hash_sealed').where('day', '=', day).executeTakeFirst()
  return row ? sealer.open(row.hash_sealed, resealContext(day)) : null
}

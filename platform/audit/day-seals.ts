/** The hash of each day, sealed: who has the database and no key cannot write the audit again from the beginning. */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'

type DayHash = Pick<Tables['audit_days'], 'day' | 'hash'>

export const daySealContext = (day: IsoDate): string => `audit:${day}:hash`

export const resealContext = (day: IsoDate): string => `audit:${day}:resealed`

/** Adds the seals of days that have none. */
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
      .onConflict((known) => known.column('day').doNothing())
      .execute()
}

/**
 * Seals what a release that knows no seals has hashed: all days where there are no seals yet, and the newest day while
 * such servers are exchanged. Any other day without a seal has lost it, and gets no other.
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

/** @returns what is wrong with the seal of a day; null where it agrees, or where nothing is sealed yet. @throws SealBroken */
export async function sealDisagrees(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { day, hash }: DayHash,
): Promise<string | null> {
  const seal = await db.read.selectFrom('audit_seals').select('hash_sealed').where('day', '=', day).executeTakeFirst()
  if (!seal) {
    const any = await db.read.selectFrom('audit_seals').select('day').limit(1).executeTakeFirst()
    return any ? 'its seal is gone' : null
  }
  return sealer.open(seal.hash_sealed, daySealContext(day)) === hash ? null : 'its seal says otherwise'
}

/** Keeps the hash of a day's events after their contact data were sealed. */
export async function keepReseal(
  tx: Kysely<Tables>,
  { sealer }: Pick<Services, 'sealer'>,
  { day, hash }: DayHash,
): Promise<void> {
  const row = { day, hash_sealed: sealer.seal(hash, resealContext(day)) }
  await tx
    .insertInto('audit_reseals')
    .values(row)
    .onConflict((known) => known.column('day').doUpdateSet(row))
    .execute()
}

/** @returns the hash of a day's events after their contact data were sealed; null where they were not. @throws SealBroken */
export async function resealedHash(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  day: IsoDate,
): Promise<string | null> {
  const row = await db.read.selectFrom('audit_reseals').select('hash_sealed').where('day', '=', day).executeTakeFirst()
  return row ? sealer.open(row.hash_sealed, resealContext(day)) : null
}

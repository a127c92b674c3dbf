import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Roll, unpackRoll } from './compress-rent-roll.ts'

/** Loads the rent roll of a day, or of the last snapshot before that day; null if there is no snapshot. */
export async function loadStoredRoll(
  db: Kysely<Tables>,
  locationCode: string,
  through: IsoDate,
): Promise<{ day: IsoDate; roll: Roll } | null> {
  const rolls = db.selectFrom('daily_rolls').where('location_code', '=', locationCode).where('day', '<=', through)
  const rows = await rolls
    .select(['day', 'roll'])
    .where(
      'day',
      '>=',
      rolls.select((eb) => eb.fn.coalesce(eb.fn.max('day'), eb.val('')).as('day')).where('whole', '=', 1),
    )
    .orderBy('day')
    .execute()
  const last = rows.at(-1)
  return last ? { day: last.day, roll: unpackRoll(rows.map(({ roll }) => roll)) } : null
}

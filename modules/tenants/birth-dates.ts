/** Birth dates: read by the signed-in account alone, and never of a day that has not come yet. */
import type { Kysely } from 'kysely'
import { todayIn } from '../../domain/dates.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

const onFile = 'On file'

/** mm/dd/yyyy for the account it belongs to, 'On file' for anybody else; '' where none is known. */
export const shownBirthDate = (date: IsoDate | undefined, theirs: boolean): string =>
  date ? (theirs ? formatUs(date) : onFile) : ''

/** Reads what day it is on a facility's calendar; null where there is no such facility. */
export async function dayAt(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
): Promise<IsoDate | null> {
  const place = await db
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return place ? todayIn(place.time_zone, services.clock.now()) : null
}

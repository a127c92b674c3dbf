/** Displays and checks birth dates. Only the signed-in account sees its own; a future day is refused. */
import type { Kysely } from 'kysely'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

const onFile = 'On file'

/** Returns mm/dd/yyyy for the tenant's own account, 'On file' for others, '' when no date is stored. */
export const formatBirthDate = (date: IsoDate | undefined, theirs: boolean): string =>
  date ? (theirs ? formatUs(date) : onFile) : ''

/** Returns today at a facility; null when the facility does not exist. */
export async function loadFacilityToday(
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

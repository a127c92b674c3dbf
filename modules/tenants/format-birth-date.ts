/** Formats birth dates, which only the tenant's own account sees, and loads the day by which they are checked. */
import type { Kysely } from 'kysely'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

const onFile = 'On file'

/** Returns mm/dd/yyyy for the tenant's own account, 'On file' for others, '' when no date is stored. */
export const formatBirthDate = (date: IsoDate | undefined, isOwnAccount: boolean): string =>
  date ? (isOwnAccount ? formatUs(date) : onFile) : ''

/** Returns today at a facility; null when the facility does not exist. */
export async function loadFacilityToday(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
): Promise<IsoDate | null> {
  const location = await db
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return location ? todayIn(location.time_zone, services.clock.now()) : null
}

import { formatShort, formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { loadFacilityTimeZones } from '../../modules/facilities/views/facility-time-zones.ts'
import type { OfficePage } from './open-office-page.ts'

/** Formats an instant in a facility's time zone: '11/22/2026 6:12 PM'; '' for null. */
export const formatOfficeTime = (instant: number | null, timeZone: string): string =>
  instant === null ? '' : `${formatUs(todayIn(timeZone, instant))} ${formatInstantIn(timeZone, instant)}`

/** Formats an instant in a facility's time zone: 'Nov 22 6:12 PM', with the year when it is not `today`'s. */
export function formatShortTime(instant: number, timeZone: string, today: string): string {
  const date = todayIn(timeZone, instant)
  return `${formatShort(date)}${date.slice(0, 4) === today.slice(0, 4) ? '' : `, ${date.slice(0, 4)}`} ${formatInstantIn(timeZone, instant)}`
}

/** Returns the abbreviation of a time zone: 'EST', 'MST'. */
const zoneName = (timeZone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

export type FormatFacilityTime = (instant: number | null, locationCode?: string | null) => string

/**
 * Returns a formatter for pages with rows of several facilities. An instant without facility is shown in the most
 * common time zone, with its name: '11/22/2026 6:12 PM EST'. Null becomes ''.
 */
export async function loadTimeFormatter({ site }: Pick<OfficePage, 'site'>): Promise<FormatFacilityTime> {
  const { zones, zoneOf } = await loadFacilityTimeZones(site.services)
  return (instant, locationCode) => {
    if (instant === null) return ''
    const zone = zoneOf(locationCode)
    const time = formatOfficeTime(instant, zone)
    return zones.has(locationCode ?? '') ? time : `${time} ${zoneName(zone, instant)}`
  }
}

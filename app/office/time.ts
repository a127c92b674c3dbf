import { formatInstantIn, todayIn } from '../../domain/dates.ts'
import { formatShort, formatUs } from '../../domain/plain-date.ts'
import { facilityNames } from '../../modules/facilities/facility-names.ts'
import type { OfficePage } from './open-office-page.ts'

/** '11/22/2026 6:12 PM' on a facility's clock; '' for null. */
export const officeTime = (instant: number | null, timeZone: string): string =>
  instant === null ? '' : `${formatUs(todayIn(timeZone, instant))} ${formatInstantIn(timeZone, instant)}`

/** 'Nov 22 6:12 PM' on a facility's clock; the year where it is not `today`'s. */
export function shortTime(instant: number, timeZone: string, today: string): string {
  const date = todayIn(timeZone, instant)
  return `${formatShort(date)}${date.slice(0, 4) === today.slice(0, 4) ? '' : `, ${date.slice(0, 4)}`} ${formatInstantIn(timeZone, instant)}`
}

/** 'EST', 'MST' */
const zoneName = (timeZone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

export type TimeAt = (instant: number | null, locationCode?: string | null) => string

/**
 * Reads the clocks of all facilities for a page whose rows are of several. What is of no facility is said by the clock of most of them,
 * with the zone's name: '11/22/2026 6:12 PM EST'.
 */
export async function facilityClocks({ site }: Pick<OfficePage, 'site'>): Promise<TimeAt> {
  const facilities = await facilityNames(site.services)
  const zones = new Map(facilities.map(({ code, timeZone }) => [code, timeZone]))
  const [usual = 'America/New_York'] = [...Map.groupBy(facilities, ({ timeZone }) => timeZone)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([timeZone]) => timeZone)
  return (instant, locationCode) => {
    const own = zones.get(locationCode ?? '')
    if (instant === null) return ''
    return own ? officeTime(instant, own) : `${officeTime(instant, usual)} ${zoneName(usual, instant)}`
  }
}

import * as v from 'valibot'
import { addDays, daysBetween, type IsoDate, isValid } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import type { StaffAccess, StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityNames } from '../../facilities/facility-names.ts'
import { permissionsFor, type ReportName, reportNames, reportOf } from '../every-report.ts'
import { MAX_FACILITIES_TODAY, MAX_SPAN_DAYS } from '../rules/report-limits.ts'
import { dayNotBegun, noFacility, notADay, spanReversed, spanTooLong } from '../texts/report-date-errors.ts'
import type { ReportFacility, ReportQuery } from './read-snapshot-figures.ts'

interface ReportInput {
  name: ReportName
  facilities: string[]
  from: IsoDate | ''
  to: IsoDate | ''
  /** Row, counted from 1, whose page of a long table is shown. */
  row: number
}

const day = v.optional(
  v.pipe(
    plainLine,
    // A year before 1900 is taken for a typing error, as in other forms.
    v.check((text) => text === '' || (isValid(text) && text >= '1900-01-01'), notADay),
  ),
  '',
)

export const reportInput: v.GenericSchema<unknown, ReportInput> = v.object({
  name: v.picklist(reportNames),
  /** Location codes; all of the staff member's facilities if left out. */
  facilities: v.optional(v.pipe(v.array(plainLine), v.maxLength(5000)), []),
  /** First day; if left out, the span has 30 days. */
  from: day,
  to: day,
  row: v.optional(integer(), 1),
})

/**
 * Returns the access rule of a report: the staff member needs one of its permissions at each named facility, or at any
 * facility if none is named. A facility where the staff member has none of them is treated as absent.
 * @param extra further permissions, each of which the staff member needs at any one facility
 */
export const reportAccess =
  (extra: readonly 'report.export'[] = []) =>
  (caller: StaffCaller, { name, facilities }: ReportInput): StaffAccess => {
    if (!permissionsFor(name).some((permission) => mayAnywhere(permission)(caller))) return false
    if (!extra.every((permission) => mayAnywhere(permission)(caller))) return false
    const permitted = facilitiesFor(caller, permissionsFor(name))
    return permitted === 'all' || facilities.every((code) => permitted.has(code)) || 'absent'
  }

interface ResolvedQuery extends ReportQuery {
  /** True if today was requested but left out because there are too many facilities to compute it. */
  isTodayLeftOut: boolean
}

/** Number of days that a report shows when no first day is chosen. */
const USUAL_SPAN = 30

/**
 * Returns the named facilities, or without names all facilities where the staff member has the report's permission;
 * null if a named facility is not among these, or is named twice.
 */
function findRequestedPlaces(
  permitted: 'all' | ReadonlySet<string>,
  allFacilities: readonly ReportFacility[],
  facilities: readonly string[],
): ReportFacility[] | null {
  const available = allFacilities.filter(({ code }) => permitted === 'all' || permitted.has(code))
  if (facilities.length === 0) return available
  const places = available.filter(({ code }) => facilities.includes(code))
  return facilities.length > places.length ? null : places
}

const earlierOf = (a: IsoDate, b: IsoDate): IsoDate => (b < a ? b : a)

/**
 * Resolves a report's input to facilities and days.
 * @throws RefusalError for a facility that is unknown, not permitted or named twice, if there is none, or for an impossible span
 */
export async function parseReportQuery(
  services: Services,
  caller: StaffCaller,
  { name, facilities, from, to }: ReportInput,
): Promise<ResolvedQuery> {
  const permitted = facilitiesFor(caller, permissionsFor(name))
  const allFacilities = await loadFacilityNames(services)
  const places = findRequestedPlaces(permitted, allFacilities, facilities)
  if (!places) throw new RefusalError(recordNotFound)
  const [first] = places
  if (!first) throw refusalError(400, 'invalid_input', noFacility)
  const now = services.clock.now()
  const todays = places.map((place) => todayIn(place.timeZone, now))
  const earliest = todays.reduce(earlierOf)
  const today = todays.reduce((a, b) => (a > b ? a : b))
  const { period } = reportOf(name)
  if (period === 'span' && to !== '' && from > to) throw fieldError('to', spanReversed)
  if (period === 'span' && from > today) throw fieldError('from', dayNotBegun(from))
  const latest = places.length <= MAX_FACILITIES_TODAY ? today : addDays(earliest, -1)
  const isTodayLeftOut = latest < earliest && (to === '' || to > latest)
  const last = period === 'now' || to === '' || to > latest ? latest : to
  // A facility where the last day has not begun shows its own current day, so the query starts at the earliest of these.
  const begin = period === 'span' ? from || addDays(last, 1 - USUAL_SPAN) : earlierOf(earliest, last)
  if (daysBetween(begin, last) >= MAX_SPAN_DAYS) throw fieldError('from', spanTooLong(MAX_SPAN_DAYS))
  const all = permitted === 'all' && facilities.length === 0
  return { places, all, from: earlierOf(begin, last), to: last, isTodayLeftOut }
}

/**
 * Returns the first day that a report covers: the first day of its span or, for a report of states such as balances,
 * the last day.
 */
export const firstDayShown = (name: ReportName, { from, to }: ReportQuery): IsoDate =>
  reportOf(name).period === 'span' ? from : to

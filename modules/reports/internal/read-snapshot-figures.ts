/** Reads figures from snapshots: by day over facilities, by facility over days. Finished days never read the ledger. */

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { addDays, daysBetween, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Roll } from '../compress-rent-roll.ts'
import { computeDaySnapshot, type Facility, type Figures } from '../compute-day-snapshot.ts'
import { MAX_FACILITIES_TODAY } from '../rules/report-limits.ts'
import { loadLastSnapshotDay } from '../save-daily-snapshots.ts'

/** A facility that a report covers. */
export interface ReportFacility {
  code: string
  name: string
  timeZone: string
}

/** Facilities and days that a report covers. */
export interface ReportQuery {
  /** Facilities of the report. A report of at most `MAX_FACILITIES_TODAY` facilities may include the current day so far. */
  places: readonly ReportFacility[]
  /** True for all of the operator's facilities, so that queries of many need no list of codes (`needsCodeList`). */
  all: boolean
  from: IsoDate
  to: IsoDate
  /** Rows that the page shows, counted from 0; all rows if left out. */
  rows?: { from: number; most: number }
}

/** Figures of the state at the end of a day. All others are flows of the day, except `cards` and the tax rates. */
export type StateFigure =
  | `units${'' | '_rented' | '_held' | '_off'}`
  | `area${'' | '_rented' | '_held' | '_off'}`
  | 'rent'
  | 'street'
  | `leases${'' | '_autopay' | '_refused' | '_insured' | '_own_policy' | '_owing' | '_overlocked' | '_auction'}`
  | 'owed_30'
  | 'owed_60'
  | 'owed_90'
  | 'owed_91'
  | 'credits'
  | 'closed_owed'
  | 'closed_credits'
  | 'unearned'
  | 'balances'
export type FlowFigure = Exclude<keyof Figures, StateFigure | 'cards' | `${string}_rate`>
export type Figure = StateFigure | FlowFigure

export type Sums<F extends Figure> = Record<F, number>

/** Report figures and rent roll of a facility's current day, up to the time of computation. */
export interface DayInProgress {
  place: ReportFacility
  day: IsoDate
  figures: Figures
  roll: Roll
}

interface DayOf<F extends Figure> {
  day: IsoDate
  sums: Sums<F>
}

/** Figures summed over all facilities, at each facility's first and last known day in a report's span. */
interface Ends<F extends Figure> {
  /** Number of facilities with a known day in the span. */
  known: number
  first: Sums<F>
  last: Sums<F>
}

/** Report figures of facilities over the known days of a span. */
export interface FigureData<F extends Figure> {
  /** `known`: number of facilities of which the day is known, finished or in progress; at least 1. */
  days: { day: IsoDate; known: number; sums: Sums<F> }[]
  ends: Ends<F>
  /** Requested rows: flows over the span, and states at the end. Facilities without a known day are left out. */
  places: { place: ReportFacility; flows: Sums<F>; last: DayOf<F> }[]
  /** Current days so far; empty if the span excludes today or there are more than `MAX_FACILITIES_TODAY` facilities. */
  live: readonly DayInProgress[]
}

/** Number of facilities above which a query of all facilities leaves out the list of their codes. */
const MAX_CODES = 400

/** Returns whether a query has to list the codes of a report's facilities. */
export const needsCodeList = ({ all, places }: Pick<ReportQuery, 'all' | 'places'>): boolean =>
  !all || places.length <= MAX_CODES

/** Converts the sums in a row of a query to numbers, since PostgreSQL returns them as text. */
export const parseSums = <F extends Figure>(row: Readonly<Record<string, unknown>>, figures: readonly F[]): Sums<F> =>
  recordOf(figures, (figure) => Number(row[figure] ?? 0))

/** Selects the daily figures, saved or missed, of a report's facilities within its span of days. */
export const snapshotRows = (db: Kysely<Tables>, query: ReportQuery) =>
  db
    .selectFrom('daily_figures as d')
    .where('d.day', '>=', query.from)
    .where('d.day', '<=', query.to)
    .$if(needsCodeList(query), (rows) =>
      rows.where(
        'd.location_code',
        'in',
        query.places.map(({ code }) => code),
      ),
    )

/** Selects as `snapshotRows`, without missed days unless they count as known. */
const knownRows = (db: Kysely<Tables>, query: ReportQuery, missed: boolean) =>
  snapshotRows(db, query).$if(!missed, (rows) => rows.where('d.kept', '=', 1))

/** Returns the facilities whose rows a page of the report shows; all if the report is not paged. */
const facilitiesOfPage = ({ places, rows }: ReportQuery): readonly ReportFacility[] =>
  rows ? places.slice(rows.from, rows.from + rows.most) : places

/**
 * Loads report figures of facilities over a span of days.
 * @param options.missed whether a day whose snapshot was missed counts as known; its figures named in `missedFigures`
 *   of save-daily-snapshots.ts are then 0
 */
export async function loadFigures<F extends Figure>(
  services: Pick<Services, 'db' | 'clock'>,
  query: ReportQuery,
  figures: readonly F[],
  { missed = false } = {},
): Promise<FigureData<F>> {
  const { read } = services.db
  const openDays = facilitiesWithDayInProgress(services, query)
  // With unfinished days, the total needs each facility's last snapshot.
  const rowsQuery = openDays.length > 0 ? { ...query, rows: { from: 0, most: query.places.length } } : query
  const [byDay, ends, places] = await Promise.all([
    knownRows(read, query, missed)
      .select((eb) => ['d.day', eb.fn.countAll<number>().as('known')])
      .select(totals(figures))
      .groupBy('d.day')
      .orderBy('d.day')
      .execute(),
    loadEnds(read, query, figures, missed),
    loadRowsByFacility(read, rowsQuery, figures, missed),
  ])
  const live: DayInProgress[] = []
  for (const { place } of openDays) {
    const dayInProgress = await loadDayInProgress(services, place)
    if (dayInProgress) live.push(dayInProgress)
    // SQLite blocks the event loop while a day is computed, so waiting requests run between two days.
    await yieldToOthers()
  }
  const days = byDay.map((row) => ({
    day: row.day,
    known: Number(row.known),
    sums: parseSums(row, figures),
  }))
  const snapshotData: FigureData<F> = { days, ends, places, live }
  const data = live.reduce((all, live) => withDayInProgress(all, live, figures), snapshotData)
  const rowsByFacility = new Map(data.places.map((place) => [place.place, place]))
  return {
    live,
    days: data.days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    ends: data.ends,
    places: facilitiesOfPage(query).flatMap((place) => rowsByFacility.get(place) ?? []),
  }
}

const totals = <F extends Figure>(figures: readonly F[]) =>
  figures.map((figure) => sql<number>`sum(${sql.ref(`d.${figure}`)})`.as(figure))

async function loadEnds<F extends Figure>(
  db: Kysely<Tables>,
  query: ReportQuery,
  figures: readonly F[],
  missed: boolean,
): Promise<Ends<F>> {
  const sumOf = (end: 'first' | 'last') =>
    figures.map((figure) => sql<number | null>`sum(${sql.ref(`${end}.${figure}`)})`.as(`${end}_${figure}`))
  const row = await db
    .with('ends', () =>
      knownRows(db, query, missed)
        .select((eb) => [
          'd.location_code',
          eb.fn.min<IsoDate>('d.day').as('first_day'),
          eb.fn.max<IsoDate>('d.day').as('last_day'),
        ])
        .groupBy('d.location_code'),
    )
    .selectFrom('ends')
    .innerJoin('daily_figures as first', (join) =>
      join.onRef('first.location_code', '=', 'ends.location_code').onRef('first.day', '=', 'ends.first_day'),
    )
    .innerJoin('daily_figures as last', (join) =>
      join.onRef('last.location_code', '=', 'ends.location_code').onRef('last.day', '=', 'ends.last_day'),
    )
    .select((eb) => eb.fn.countAll<number>().as('known'))
    .select([...sumOf('first'), ...sumOf('last')])
    .executeTakeFirstOrThrow()
  const values: Readonly<Record<string, unknown>> = row
  const end = (which: 'first' | 'last') => recordOf(figures, (figure) => Number(values[`${which}_${figure}`] ?? 0))
  return { known: Number(row.known), first: end('first'), last: end('last') }
}

async function loadRowsByFacility<F extends Figure>(
  db: Kysely<Tables>,
  query: ReportQuery,
  figures: readonly F[],
  missed: boolean,
): Promise<FigureData<F>['places']> {
  const pageQuery = query.rows ? { ...query, places: facilitiesOfPage(query), all: false } : query
  if (pageQuery.places.length === 0) return []
  const rows = await knownRows(db, pageQuery, missed)
    .select((eb) => ['d.location_code', eb.fn.max<IsoDate>('d.day').as('last_day')])
    .select(totals(figures))
    .groupBy('d.location_code')
    .execute()
  const days = [...new Set(rows.map(({ last_day }) => last_day))]
  const lastStates =
    days.length === 0
      ? []
      : // Most facilities have the same last day, so one statement loads the states of all.
        await snapshotRows(db, pageQuery)
          .select(['d.location_code', 'd.day'])
          .select(figures.map((figure) => sql<number>`${sql.ref(`d.${figure}`)}`.as(figure)))
          .where('d.day', 'in', days)
          .execute()
  const statesByKey = new Map(lastStates.map((row) => [`${row.location_code} ${row.day}`, parseSums(row, figures)]))
  const rowsByCode = new Map(rows.map((row) => [row.location_code, row]))
  return pageQuery.places.flatMap((place): FigureData<F>['places'] => {
    const row = rowsByCode.get(place.code)
    if (!row) return []
    const day = row.last_day
    const sums = requireValue(statesByKey.get(`${place.code} ${day}`), 'state on the last day')
    return [{ place, flows: parseSums(row, figures), last: { day, sums } }]
  })
}

/** Returns the facilities whose unfinished day is requested; none if the report has more than `MAX_FACILITIES_TODAY`. */
export function facilitiesWithDayInProgress(
  { clock }: Pick<Services, 'clock'>,
  query: ReportQuery,
): { place: ReportFacility; day: IsoDate }[] {
  if (query.places.length > MAX_FACILITIES_TODAY) return []
  return query.places
    .map((place) => ({ place, day: todayIn(place.timeZone, clock.now()) }))
    .filter(({ day }) => day >= query.from && day <= query.to)
}

/**
 * Computes the report figures of a facility's current day up to now, in one consistent read.
 * @returns null when the facility is unknown
 */
export async function loadDayInProgress(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  place: ReportFacility,
): Promise<DayInProgress | null> {
  const now = clock.now()
  const day = todayIn(place.timeZone, now)
  const snapshot = await db.transaction(async (tx) => {
    if (db.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(tx)
    const facility = await loadFacilityRow(tx, place.code)
    return facility && computeDaySnapshot(tx, facility, { day, before: await loadLastSnapshotDay(tx, place.code), now })
  })
  return snapshot ? { place, day, figures: snapshot.figures, roll: snapshot.roll } : null
}

const loadFacilityRow = (db: Kysely<Tables>, code: string): Promise<Facility | undefined> =>
  db
    .selectFrom('locations')
    .select(['location_code', 'time_zone', 'rent_tax_rate', 'insurance_tax_rate', 'fee_tax_rate'])
    .where('location_code', '=', code)
    .executeTakeFirst()

/** Adds the figures of a facility's unfinished day to the figures of the snapshots. */
function withDayInProgress<F extends Figure>(
  read: FigureData<F>,
  { place, day, figures: now }: DayInProgress,
  figures: readonly F[],
): FigureData<F> {
  const { days, ends, places } = read
  const sums = parseSums(now, figures)
  const plus = (base: Sums<F>, added: Sums<F>, subtracted?: Sums<F>) =>
    recordOf(figures, (figure) => base[figure] + added[figure] - (subtracted?.[figure] ?? 0))
  const sameDay = days.find((entry) => entry.day === day)
  const ownRow = places.find((row) => row.place === place)
  const last = { day, sums }
  return {
    live: read.live,
    days: [
      ...days.filter((day) => day !== sameDay),
      sameDay ? { day, known: sameDay.known + 1, sums: plus(sameDay.sums, sums) } : { day, known: 1, sums },
    ],
    ends: {
      known: ownRow ? ends.known : ends.known + 1,
      first: ownRow ? ends.first : plus(ends.first, sums),
      last: plus(ends.last, sums, ownRow?.last.sums),
    },
    places: ownRow
      ? places.map((row) => (row === ownRow ? { place, flows: plus(ownRow.flows, sums), last } : row))
      : [...places, { place, flows: sums, last }],
  }
}

/** Returns the sum over the span of a figure that counts flows, such as payments, not the state at the end of a day. */
export const sumOfFlow = <F extends Figure>({ days }: FigureData<F>, figure: F): number =>
  days.reduce((sum, { sums }) => sum + sums[figure], 0)

/**
 * Returns a figure that describes a state, such as a balance, at the end of a report's span: the sum over each
 * facility's last known day.
 */
export const closingFigure = <F extends Figure>({ ends }: FigureData<F>, figure: F): number => ends.last[figure]

/** Returns sentences about what a report lacks: unknown days, facilities without figures, a day not begun. */
export function missingDays(
  query: ReportQuery,
  read: {
    days: readonly { day: IsoDate; known: number }[]
    ends: { known: number }
    live: readonly { day: IsoDate }[]
  },
): string[] {
  const span = daysBetween(query.from, query.to) + 1
  const knownByDay = new Map(read.days.map(({ day, known }) => [day, known]))
  const all = Array.from({ length: span }, (_, index) => addDays(query.from, index))
  const unknown = all.filter((day) => !knownByDay.has(day))
  // In other time zones the last day may not have begun yet.
  const lastBegun = read.live.map(({ day }) => day).sort()[0] ?? query.to
  const behind = read.live.filter(({ day }) => day < query.to).length
  const partly = all.filter(
    (day) => day <= lastBegun && knownByDay.has(day) && (knownByDay.get(day) ?? 0) < read.ends.known,
  ).length
  const without = query.places.length - read.ends.known
  return [
    ...(unknown.length > 0
      ? [`Not available: ${daysInWords(unknown)}. Days are kept from the night after installation on.`]
      : []),
    ...(partly > 0
      ? [`On ${partly} ${partly === 1 ? 'day' : 'days'} the figures of some facilities are not available.`]
      : []),
    ...(without > 0 && read.ends.known > 0
      ? [`${without} ${without === 1 ? 'facility has' : 'facilities have'} no figures yet.`]
      : []),
    ...(behind > 0
      ? [`At ${behind} ${behind === 1 ? 'facility' : 'facilities'} ${formatUs(query.to)} has not begun.`]
      : []),
  ]
}

/** Formats days as spans: '11/01/2026 to 11/12/2026, 11/20/2026'. After four spans, only the number of others follows. */
function daysInWords(days: readonly IsoDate[]): string {
  const allSpans: [IsoDate, IsoDate][] = []
  for (const day of days) {
    const last = allSpans.at(-1)
    if (last && addDays(last[1], 1) === day) last[1] = day
    else allSpans.push([day, day])
  }
  const spans = allSpans.slice(0, 4).map(([a, b]) => (a === b ? formatUs(a) : `${formatUs(a)} to ${formatUs(b)}`))
  return [...spans, ...(allSpans.length > 4 ? [`${allSpans.length - 4} more`] : [])].join(', ')
}

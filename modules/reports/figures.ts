/** Sums of kept days: by day over facilities, by facility over days. No ledger is asked for a day that is over. */
import { type Kysely, sql } from 'kysely'
import { todayIn } from '../../domain/dates.ts'
import { addDays, daysBetween, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type Facility, type Figures, tellDay } from './day.ts'
import { lastDay } from './keep-days.ts'
import type { Roll } from './roll.ts'

export interface Place {
  code: string
  name: string
  timeZone: string
}

export interface Asked {
  /** Of one its own day counts too, as far as it has come. */
  places: readonly Place[]
  /** All of the operator's: no list of codes goes along. */
  all: boolean
  from: IsoDate
  to: IsoDate
}

/** Figures that stand at the end of a day; the others came about on it. */
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

export interface Live {
  day: IsoDate
  figures: Figures
  roll: Roll
}

interface DayOf<F extends Figure> {
  day: IsoDate
  sums: Sums<F>
}

export interface Read<F extends Figure> {
  days: { day: IsoDate; facilities: number; kept: number; sums: Sums<F> }[]
  /**
   * Flows over the span, the span's first known day, and how things stood on the last kept one; facilities without a day are
   * left out.
   */
  places: { place: Place; flows: Sums<F>; first: DayOf<F>; last: DayOf<F> | null; keptDays: number }[]
  /** Of the facility's own day; null where it is not asked for. */
  live: Live | null
}

const MOST_CODES = 400

/** A row's sums; PostgreSQL tells them as text. */
export const numbers = <F extends Figure>(row: object, figures: readonly F[]): Sums<F> =>
  Object.fromEntries(figures.map((one) => [one, Number((row as Record<string, unknown>)[one] ?? 0)])) as Sums<F>

/** Rows of the kept days of a span. */
export const within = (db: Kysely<Tables>, { places, all, from, to }: Asked) =>
  db
    .selectFrom('daily_figures as d')
    .where('d.day', '>=', from)
    .where('d.day', '<=', to)
    .$if(!all || places.length <= MOST_CODES, (query) =>
      query.where(
        'd.location_code',
        'in',
        places.map(({ code }) => code),
      ),
    )

/** @param options.missed a missed day, of which the ledger's part is known, counts as the last too */
export async function readFigures<F extends Figure>(
  services: Pick<Services, 'db' | 'clock'>,
  asked: Asked,
  figures: readonly F[],
  { missed = false } = {},
): Promise<Read<F>> {
  const { read } = services.db
  const total = figures.map((one) => sql<number>`sum(${sql.ref(`d.${one}`)})`.as(one))
  const byDay = await within(read, asked)
    .select((eb) => ['d.day', eb.fn.countAll<number>().as('facilities'), eb.fn.sum<number>('d.kept').as('kept_days')])
    .select(total)
    .groupBy('d.day')
    .orderBy('d.day')
    .execute()
  const byPlace = await within(read, asked)
    .select((eb) => ['d.location_code', eb.fn.sum<number>('d.kept').as('kept_days')])
    .select((eb) => eb.fn.min<IsoDate>('d.day').as('first_day'))
    .select(
      (missed ? sql<IsoDate | null>`max(d.day)` : sql<IsoDate | null>`max(case when d.kept = 1 then d.day end)`).as(
        'last_day',
      ),
    )
    .select(total)
    .groupBy('d.location_code')
    .execute()
  const ends = await endsOf(read, asked, figures, byPlace)
  const own = liveDayOf(services, asked)
  const live = own && (await dayNow(services, own.place))
  const rows = new Map(byPlace.map((row) => [row.location_code, row]))
  const days = byDay.map((row) => ({
    ...{ day: row.day, facilities: Number(row.facilities), kept: Number(row.kept_days), sums: numbers(row, figures) },
  }))
  const places = asked.places.flatMap((place): Read<F>['places'] => {
    const row = rows.get(place.code)
    if (!row) return []
    const dayOf = (day: IsoDate) => ({ day, sums: ends.get(`${place.code} ${day}`) as Sums<F> })
    const last = row.last_day === null ? null : dayOf(row.last_day)
    return [{ place, flows: numbers(row, figures), first: dayOf(row.first_day), last, keptDays: Number(row.kept_days) }]
  })
  return live ? withLive({ days, places, live }, asked.places[0] as Place, figures) : { days, places, live }
}

/** The first and the last day of each facility: most have the same two, so that they are asked for at once. */
async function endsOf<F extends Figure>(
  db: Kysely<Tables>,
  asked: Asked,
  figures: readonly F[],
  rows: readonly { location_code: string; first_day: IsoDate; last_day: IsoDate | null }[],
): Promise<Map<string, Sums<F>>> {
  const days = [...new Set(rows.flatMap(({ first_day, last_day }) => [first_day, last_day ?? first_day]))]
  if (days.length === 0) return new Map()
  const ends = await within(db, asked)
    .select(['d.location_code', 'd.day'])
    .select(figures.map((one) => sql<number>`${sql.ref(`d.${one}`)}`.as(one)))
    .where('d.day', 'in', days)
    .execute()
  return new Map(ends.map((row) => [`${row.location_code} ${row.day}`, numbers(row, figures)]))
}

/** Of one facility its own day, as far as it has come; nothing is summed live over several. */
export function liveDayOf({ clock }: Pick<Services, 'clock'>, asked: Asked): { place: Place; day: IsoDate } | null {
  const [place] = asked.places
  if (asked.places.length !== 1 || !place) return null
  const day = todayIn(place.timeZone, clock.now())
  return asked.to < day || asked.from > day ? null : { place, day }
}

/** A facility's own day as far as it has come. */
export async function dayNow({ db, clock }: Pick<Services, 'db' | 'clock'>, place: Place): Promise<Live | null> {
  const now = clock.now()
  const day = todayIn(place.timeZone, now)
  const told = await db.transaction(async (tx) => {
    if (db.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(tx)
    const facility = await facilityRow(tx, place.code)
    return facility && tellDay(tx, facility, { day, before: await lastDay(tx, place.code), now })
  })
  return told ? { day, ...told } : null
}

export const facilityRow = (db: Kysely<Tables>, code: string): Promise<Facility | undefined> =>
  db
    .selectFrom('locations')
    .select(['location_code', 'time_zone', 'rent_tax_rate', 'insurance_tax_rate', 'fee_tax_rate'])
    .where('location_code', '=', code)
    .executeTakeFirst()

function withLive<F extends Figure>(read: Read<F>, place: Place, figures: readonly F[]): Read<F> {
  const { live, days } = read
  if (!live) return read
  const sums = numbers(live.figures, figures)
  const [known] = read.places
  const flows = figures.map((one) => [one, (known?.flows[one] ?? 0) + sums[one]])
  return {
    live,
    days: [...days, { day: live.day, facilities: 1, kept: 1, sums }],
    places: [
      {
        ...{ place, flows: Object.fromEntries(flows) as Sums<F> },
        ...{ first: known?.first ?? { day: live.day, sums }, last: { day: live.day, sums } },
        keptDays: (known?.keptDays ?? 0) + 1,
      },
    ],
  }
}

/** The span's sum of a figure that came about by day. */
export const flowOf = <F extends Figure>({ places }: Read<F>, figure: F): number =>
  places.reduce((sum, { flows }) => sum + flows[figure], 0)

/** A figure as it stood at the end of the span: the last kept day of each facility. */
export const stateOf = <F extends Figure>({ places }: Read<F>, figure: F): number =>
  places.reduce((sum, { last }) => sum + (last?.sums[figure] ?? 0), 0)

/** What is said of days that are not there. */
export function missingDays(
  asked: Asked,
  read: { days: readonly { day: IsoDate; kept: number }[]; places: readonly object[] },
): string[] {
  const span = daysBetween(asked.from, asked.to) + 1
  const kept = new Map(read.days.map((one) => [one.day, one.kept]))
  const all = Array.from({ length: span }, (_, index) => addDays(asked.from, index))
  const unknown = all.filter((day) => (kept.get(day) ?? 0) === 0)
  const partly = all.filter((day) => (kept.get(day) ?? 0) > 0 && (kept.get(day) ?? 0) < read.places.length).length
  const without = asked.places.length - read.places.length
  return [
    ...(unknown.length > 0
      ? [`Not available: ${daysInWords(unknown)}. Days are kept from the night after installation on.`]
      : []),
    ...(partly > 0
      ? [`On ${partly} ${partly === 1 ? 'day' : 'days'} the figures of some facilities are not available.`]
      : []),
    ...(without > 0 && read.places.length > 0
      ? [`${without} ${without === 1 ? 'facility has' : 'facilities have'} no figures yet.`]
      : []),
  ]
}

/** '11/01/2026 to 11/12/2026, 11/20/2026' */
function daysInWords(days: readonly IsoDate[]): string {
  const stretches: [IsoDate, IsoDate][] = []
  for (const day of days) {
    const last = stretches.at(-1)
    if (last && addDays(last[1], 1) === day) last[1] = day
    else stretches.push([day, day])
  }
  const said = stretches.slice(0, 4).map(([a, b]) => (a === b ? formatUs(a) : `${formatUs(a)} to ${formatUs(b)}`))
  return [...said, ...(stretches.length > 4 ? [`${stretches.length - 4} more`] : [])].join(', ')
}

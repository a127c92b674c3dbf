/** Posts past charges and payments to the demo's imported leases that have no imported payment yet. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Kysely, Selectable } from 'kysely'
import { addDays, daysBetween, type IsoDate } from '../domain/plain-date.ts'
import { insertEntries, periodEntry } from '../modules/ledger/build-and-insert-entries.ts'
import { PERIOD_DAYS } from '../modules/pricing/rules/fixed-billing-period-length.ts'
import type { Database } from '../platform/database/open.ts'
import type { LeasesTable, LedgerEntriesTable, LocationsTable, Tables } from '../platform/schema/tables.ts'
import type { Random } from '../ports/clock-and-random.ts'
import { facilities } from './facilities.ts'
import { facilityRecords } from './facility-records.ts'
import { createPeriodPricer, feesFor, instantOf } from './lease-rows.ts'
import { sitePlan } from './site-plan.ts'

const LEASES_PER_STATEMENT = 20

/** Span of past days. */
export interface PastSpan {
  /** First day that has daily figures. */
  first: IsoDate
  /** Today in the facility's time zone. */
  today: IsoDate
  /** Epoch milliseconds. */
  now: number
}

type Lease = Selectable<LeasesTable>

/**
 * Posts the paid periods that reach into the span, each with its payment, to open imported leases without an imported
 * payment. Charges and payment of a period sum to 0, so no balance changes. Repeated or concurrent runs add each entry only once.
 */
export async function postPastPeriods(
  db: Database,
  location: Selectable<LocationsTable>,
  span: PastSpan & { random: Random },
): Promise<void> {
  const facility = facilities.find(({ code }) => code === location.location_code)
  if (!facility) return
  const records = { ...facilityRecords(facility, sitePlan(facility)), location }
  const leases = await loadImportedLeasesWithoutPayment(db.read, location.location_code)
  const chargedPeriods = await loadChargedPeriods(db.read, location.location_code)
  for (let from = 0; from < leases.length; from += LEASES_PER_STATEMENT) {
    const entries = leases.slice(from, from + LEASES_PER_STATEMENT).flatMap((lease) => {
      const unitType = records.unitTypes.find(({ unit_type_id }) => unit_type_id === lease.unit_type_id)
      if (!unitType) return []
      const recurring = feesFor(records, 'period', unitType)
      const charge = createPeriodPricer(records, lease, unitType, { recurring, access24: null })
      return paidPeriods(lease, span)
        .filter(({ start }) => !chargedPeriods.has(`${lease.lease_number} ${start}`))
        .flatMap(({ index, start }) => periodEntries(lease, start, charge(index, start), span))
    })
    if (entries.length > 0) await db.transaction((tx) => insertEntries(tx, entries))
    await yieldToOthers()
  }
}

/** Loads the facility's open imported leases that have no imported payment. */
const loadImportedLeasesWithoutPayment = (db: Kysely<Tables>, location_code: string): Promise<Lease[]> =>
  db
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', location_code)
    .where('document_id', 'is', null)
    .where('imported', 'is not', null)
    .where('status', '!=', 'Closed')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ledger_entries')
            .select('entry_id')
            .whereRef('ledger_entries.location_code', '=', 'leases.location_code')
            .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number')
            .where('once', 'like', 'imported:%:payment'),
        ),
      ),
    )
    .orderBy('lease_number')
    .execute()

/** Loads `lease_number period_start` of each period whose rent is charged. */
async function loadChargedPeriods(db: Kysely<Tables>, location_code: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['lease_number', 'period_start'])
    .where('location_code', '=', location_code)
    .where('kind', '=', 'rent')
    .execute()
  return new Set(rows.map(({ lease_number, period_start }) => `${lease_number} ${period_start}`))
}

/** Returns a demo lease's paid periods that reach into the span of past days. `index` 0 is the move-in's period. */
function paidPeriods(lease: Lease, { first }: PastSpan): { index: number; start: IsoDate }[] {
  const skippedPeriods = Math.floor(Math.max(daysBetween(lease.move_in_date, first), 0) / PERIOD_DAYS)
  const paidPeriodCount = Math.floor((daysBetween(lease.move_in_date, lease.paid_through) + 1) / PERIOD_DAYS)
  return Array.from({ length: Math.max(paidPeriodCount - skippedPeriods, 0) }, (_, offset) => ({
    index: skippedPeriods + offset,
    start: addDays(lease.move_in_date, (skippedPeriods + offset) * PERIOD_DAYS),
  }))
}

/**
 * Returns the days on which a period is charged and paid. Two of three tenants pay on its first day, the others up to
 * 10 days later, but no later than yesterday. A period that begins today or later is charged and paid 1 to 20 days
 * before today, or at the move-in if that is later.
 */
function postingDays({ lease_number, move_in_date }: Lease, start: IsoDate, { today }: PastSpan) {
  const yesterday = addDays(today, -1)
  if (start > yesterday) {
    const prepaidOn = addDays(yesterday, -(lease_number % 20))
    const day = prepaidOn < move_in_date ? move_in_date : prepaidOn
    return { charged: day, paid: day }
  }
  const paid = addDays(start, lease_number % 3 === 0 ? lease_number % 11 : 0)
  return { charged: start, paid: paid > yesterday ? yesterday : paid }
}

function periodEntries(
  lease: Lease,
  start: IsoDate,
  lines: Parameters<typeof periodEntry>[0][],
  span: PastSpan & { random: Random },
): LedgerEntriesTable[] {
  const { charged, paid } = postingDays(lease, start, span)
  const row = (entry: ReturnType<typeof periodEntry>, day: IsoDate): LedgerEntriesTable => ({
    ...entry,
    entry_id: span.random.uuid(),
    location_code: lease.location_code,
    lease_number: lease.lease_number,
    order_id: null,
    billing_run: null,
    period_start: start,
    period_end: addDays(start, PERIOD_DAYS - 1),
    posted_on: day,
    created_at: instantOf(span, day),
  })
  const total = lines.reduce((sum, { cents }) => sum + cents, 0)
  const description = lease.autopay_method === 'ACH' ? 'Bank account payment' : 'Card payment'
  const payment = { kind: 'payment' as const, cents: -total, description, once: `imported:${start}:payment` }
  return [...lines.map((line) => row(periodEntry(line, start), charged)), ...(total === 0 ? [] : [row(payment, paid)])]
}

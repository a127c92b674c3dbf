import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/operator-office-facility-id.ts'
import { type BillingResult, billBatch } from './internal/bill-leases.ts'
import type { BillingDay } from './internal/leases-to-bill.ts'

/** Number of leases per transaction, which bounds memory and how long another writer waits. */
const BATCH = 500

/** Number of facilities billed concurrently on PostgreSQL, where the database works while another batch is computed. */
const CONCURRENCY = 3

/**
 * Returns the codes of all facilities that are not coming soon, or only of facility `only`, even if that one is. The
 * operator's office, which has a row in `locations`, is left out.
 */
export async function billedFacilities(services: Services, only?: string): Promise<string[]> {
  const facilities = await services.db.read
    .selectFrom('locations')
    .select('location_code')
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where((eb) =>
      // A facility is coming soon until its accounts are imported; before that, earlier charges are unknown.
      only === undefined ? eb('coming_soon', '=', 0) : eb('location_code', '=', only),
    )
    .orderBy('location_code')
    .execute()
  return facilities.map((facility) => facility.location_code)
}

/** Maximum number of days that billing catches up by itself. After a longer gap, the clock may be wrong. */
const MAX_CATCH_UP_DAYS = 3

interface BillingOptions {
  /** Day to bill instead of the facility's today. */
  date?: IsoDate
  locationCode?: string
  /** Whether to bill a day that is done already. */
  again?: boolean
  /** Maximum number of leases to bill. */
  most?: number
  /** Returns whether the process is stopping; asked before each batch. */
  stopping?: () => boolean
  /**
   * Whether the run is scheduled rather than requested. Its day then never goes back, nor forward by more than
   * `MAX_CATCH_UP_DAYS`.
   */
  unattended?: boolean
}

/** Facility whose billing waits for `billing --catch-up`. */
export interface FacilityAwaitingCatchUp {
  locationCode: string
  /** Last day billed. */
  billed: IsoDate
  /** Today at the facility. */
  today: IsoDate
}

/**
 * Bills facilities, each through its local day or the day in the options.
 * @returns totals of the run, and the facilities that wait for `billing --catch-up` after a gap of more than
 * `MAX_CATCH_UP_DAYS`
 */
export async function runBilling(
  services: Services,
  options: BillingOptions = {},
): Promise<BillingResult & { waiting: FacilityAwaitingCatchUp[] }> {
  const codes = (await billedFacilities(services, options.locationCode)).values()
  const billed: BillingResult = { ...noBilling }
  const waiting: FacilityAwaitingCatchUp[] = []
  let hasFailed = false
  const leasesLeft = () =>
    hasFailed || options.stopping?.() ? 0 : (options.most ?? Number.POSITIVE_INFINITY) - billed.leases
  const billNext = async () => {
    for (const location_code of codes) {
      if (leasesLeft() <= 0) return
      const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
      const day = facts && (await dayToBill(services, facts, options))
      if (!day) continue
      if ('billed' in day) {
        waiting.push(day)
        continue
      }
      await billFacility(services, facts, { ...day, again: options.again === true, left: leasesLeft }, billed)
      if (day.heldFor !== null) waiting.push({ locationCode: location_code, billed: day.date, today: day.heldFor })
    }
  }
  const concurrency = services.db.engine === 'postgres' && options.most === undefined ? CONCURRENCY : 1
  const results = await Promise.allSettled(
    Array.from({ length: concurrency }, () =>
      billNext().catch((error: unknown) => {
        hasFailed = true
        throw error
      }),
    ),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  waiting.sort((a, b) => (a.locationCode < b.locationCode ? -1 : 1))
  services.businessEvents?.count('billing', billed)
  return { ...billed, waiting }
}

const noBilling: BillingResult = { facilities: 0, leases: 0, periods: 0, entries: 0, cents: 0, movedOut: 0, mails: 0 }

/**
 * Returns the day for which to bill a facility. An unattended run bills the current day, but after a long gap only as
 * far as automatic catch-up may go.
 * @returns the day, with `heldFor` as in `billing_runs.held_for`; in an unattended run instead the facility if it waits
 *   for `billing --catch-up`, or null if the current day or a later one is already billed
 */
async function dayToBill(services: Services, facts: FacilityFacts, options: BillingOptions) {
  if (options.unattended && options.date === undefined) return unattendedDay(services, facts)
  return { date: options.date ?? facts.today, heldFor: null }
}

async function unattendedDay(
  services: Services,
  { location: { location_code }, today }: FacilityFacts,
): Promise<{ date: IsoDate; heldFor: IsoDate | null } | FacilityAwaitingCatchUp | null> {
  const last = await services.db.read
    .selectFrom('billing_runs')
    .select(['run_date', 'held_for'])
    .where('location_code', '=', location_code)
    .where('state', '=', 'done')
    .orderBy('run_date', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return { date: today, heldFor: null }
  if (today <= last.run_date) return null
  if (last.held_for !== null) return { locationCode: location_code, billed: last.run_date, today }
  const furthest = addDays(last.run_date, MAX_CATCH_UP_DAYS)
  return today > furthest ? { date: furthest, heldFor: today } : { date: today, heldFor: null }
}

/**
 * Returns the facilities, all or the given one, whose billing waits for `--catch-up` or was last done before `through`.
 * A facility that was never billed is left out.
 */
export async function facilitiesBehind(
  services: Services,
  through: IsoDate,
  only: string | null,
): Promise<Pick<FacilityAwaitingCatchUp, 'locationCode' | 'billed'>[]> {
  const codes = await billedFacilities(services, only ?? undefined)
  const rows = await services.db.read
    .selectFrom('billing_runs')
    .select((eb) => ['location_code', eb.fn.max('run_date').as('billed'), eb.fn.max('held_for').as('heldFor')])
    .where('state', '=', 'done')
    .groupBy('location_code')
    .orderBy('location_code')
    .execute()
  return rows
    .filter(
      ({ location_code, billed, heldFor }) => codes.includes(location_code) && (heldFor !== null || billed < through),
    )
    .map(({ location_code, billed }) => ({ locationCode: location_code, billed }))
}

/** Thrown to roll back a preview. */
class Previewed extends Error {}

/** Returns what billing a facility for a day would charge, by billing in a transaction that is rolled back. */
export async function previewBilling(services: Services, locationCode: string, date: IsoDate): Promise<BillingResult> {
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  const billed: BillingResult = { ...noBilling }
  if (!facts) return billed
  const run = { date, heldFor: null, again: false }
  await services.db
    .transaction(async (tx) => {
      const day = await openRun(tx, services, facts, run)
      for (;;) {
        const batch = await billBatch(tx, services, day, BATCH)
        if (!batch || batch.leases === 0) throw new Previewed()
        addTo(billed, batch)
      }
    })
    .catch((error: unknown) => {
      if (!(error instanceof Previewed)) throw error
    })
  return billed
}

/** Ends the wait for `--catch-up` of a facility's runs through a day, so that billing continues automatically. */
export const resumeBilling = (db: Kysely<Tables>, locationCode: string, through: IsoDate) =>
  db
    .updateTable('billing_runs')
    .set({ held_for: null })
    .where('location_code', '=', locationCode)
    .where('run_date', '<=', through)
    .where('held_for', 'is not', null)
    .execute()

/** Adds the numbers of a batch to those of the run. */
function addTo(billed: BillingResult, batch: Omit<BillingResult, 'facilities'>): void {
  for (const figure of ['leases', 'periods', 'entries', 'cents', 'movedOut', 'mails'] as const)
    billed[figure] += batch[figure]
}

/**
 * Opens the billing run of a facility's day: inserts it, or restarts a reversed one, each with the next run number. A
 * run in progress continues. With `again`, a done run starts over with the first lease; it keeps its number and start,
 * by which `reverseRun` finds its charges and mails. Without `again`, a done run stays done.
 */
async function openRun(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  run: { date: IsoDate; heldFor: IsoDate | null; again: boolean },
): Promise<BillingDay> {
  const { location_code } = facts.location
  const { date } = run
  const initialProgress = { done_through: 0, leases: 0, state: 'running' as const, finished_at: null }
  const newRun = { ...initialProgress, entries: 0, started_at: services.clock.now(), held_for: run.heldFor }
  const key = { location_code, run_date: date }
  const added = await tx
    .insertInto('billing_runs')
    .values({ ...key, ...newRun })
    .onConflict((conflict) => conflict.columns(['location_code', 'run_date']).doNothing())
    .returning('run_date')
    .executeTakeFirst()
  const updateRun = () => tx.updateTable('billing_runs').where((eb) => eb.and(key))
  const restarted = added
    ? []
    : await updateRun().set(newRun).where('state', '=', 'reversed').returning('run_date').execute()
  if (added || restarted.length > 0)
    await updateRun()
      .set({ run_number: await nextNumber(tx, location_code, 'billing_run') })
      .execute()
  else if (run.again) await updateRun().set(initialProgress).where('state', '=', 'done').execute()
  const previous = await tx
    .selectFrom('billing_runs')
    .select((eb) => eb.fn.max('run_date').as('date'))
    .where('location_code', '=', location_code)
    .where('run_date', '<', date)
    .where('state', '=', 'done')
    .executeTakeFirst()
  const isPast = date < facts.today
  const since = previous?.date ?? null
  return {
    facts,
    date,
    since: since ?? addDays(date, -1),
    lateSince: since ?? date,
    asOf: isPast ? facts.today : date,
  }
}

async function billFacility(
  services: Services,
  facts: FacilityFacts,
  run: { date: IsoDate; heldFor: IsoDate | null; again: boolean; left: () => number },
  billed: BillingResult,
): Promise<void> {
  const day = await services.db.transaction((tx) => openRun(tx, services, facts, run))
  for (;;) {
    const batchSize = Math.min(BATCH, run.left())
    if (batchSize <= 0) return
    const batch = await services.db.transaction((tx) => billBatch(tx, services, day, batchSize))
    if (!batch) return
    if (batch.leases === 0) break
    addTo(billed, batch)
    // Lets requests that arrived meanwhile run first.
    await yieldToOthers()
  }
  const { location_code } = facts.location
  const isFinished = await services.db.transaction(async (tx) => {
    const finished = await tx
      .updateTable('billing_runs')
      .set({ state: 'done', finished_at: services.clock.now() })
      .where('location_code', '=', location_code)
      .where('run_date', '=', run.date)
      .where('state', '=', 'running')
      .returning('run_date')
      .executeTakeFirst()
    // This run has also charged what was due on earlier days, so none of them has to wait for `--catch-up` any more.
    if (finished) await resumeBilling(tx, location_code, addDays(run.date, -1))
    return finished !== undefined
  })
  if (isFinished) billed.facilities += 1
}

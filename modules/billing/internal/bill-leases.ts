/** Bills leases in batches. A run may be for any date, repeated, concurrent or interrupted. */
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { enqueueAll, type NewJob } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { ownPolicyOf } from '../../insurance/rules/lease-insurance.ts'
import { policyMailDue } from '../../insurance/rules/own-policy-mails.ts'
import { type BilledColumns, updateBilledLeases } from '../../leases/write-standing-columns.ts'
import { insertEntriesForLeases, type NewEntry, periodEntry } from '../../ledger/build-and-insert-entries.ts'
import { loadLastChargedDay } from '../../ledger/lease-ledger-totals.ts'
import { nextPeriodInput } from '../../ledger/quote-prepay.ts'
import { computePaidThrough } from '../../ledger/rules/paid-through.ts'
import { completeMoveOut } from '../../move-outs/vacate.ts'
import { paymentBlock } from '../../payments/rules/online-payment-blocks.ts'
import { periodCharges } from '../../pricing/rules/charges.ts'
import { applyScheduledRents, firstPeriodAtNewRent } from '../../rent-changes/apply-rent-changes-when-charged.ts'
import { leaseStanding } from '../../standing/lease-standing.ts'
import { loadReversedPeriods, type ReversedPeriods } from '../../standing/reverse-payment.ts'
import type { Standing } from '../../standing/rules/lease-status.ts'
import { updateStanding } from '../../standing/update-standing.ts'
import { type DueMail, dueMails } from '../rules/due-mails.ts'
import { periodsDue } from '../rules/periods-due.ts'
import { lateFees } from './late-fee.ts'
import { type BillableLease, type BillingDay, lockNextLeases } from './leases-to-bill.ts'

/** Numbers of a billing run: facilities, leases, periods, ledger entries and their sum, move-outs and mails. */
export interface BillingResult {
  /** Number of facilities whose day the run has finished. */
  facilities: number
  /** Number of leases that were looked at, including those without a new charge. */
  leases: number
  periods: number
  entries: number
  /** Sum of the run's new entries, in cents. */
  cents: Cents
  movedOut: number
  mails: number
}

interface LeaseTotals {
  balance: Cents
  /** Last day of the newest charged period; null where the ledger has none. */
  chargedThrough: IsoDate | null
  /** Number of reversals of each reversed period, which gives a repeated charge its own key; undefined without any. */
  reversals?: ReversedPeriods
}

/** Loads the ledger totals of a range of leases: balance, last charged day and reversed periods. */
async function loadTotals(tx: Kysely<Tables>, rows: readonly BillableLease[]): Promise<Map<number, LeaseTotals>> {
  const totalsByLease = new Map<number, LeaseTotals>(
    rows.map((row) => [row.lease_number, { balance: 0, chargedThrough: null }]),
  )
  const selectEntries = () =>
    tx
      .selectFrom('ledger_entries')
      .select('lease_number')
      .where('location_code', '=', rows[0]?.location_code ?? '')
      .where('lease_number', '>=', rows[0]?.lease_number ?? 0)
      .where('lease_number', '<=', rows.at(-1)?.lease_number ?? 0)
      .groupBy('lease_number')
  const sums = await selectEntries()
    .select((eb) => eb.fn.sum<number>('cents').as('cents'))
    .execute()
  for (const { lease_number, cents } of sums) {
    const totals = totalsByLease.get(lease_number)
    if (totals) totals.balance = Number(cents)
  }
  const lastDays = await selectEntries()
    // The kind is a literal, since the partial index is used only with a literal.
    .where(sql<SqlBool>`kind = 'rent'`)
    .where('period_end', 'is not', null)
    .select((eb) => eb.fn.max('period_end').as('end'))
    .execute()
  for (const { lease_number, end } of lastDays) {
    const totals = totalsByLease.get(lease_number)
    if (totals) totals.chargedThrough = end
  }
  const from = rows[0]?.lease_number ?? 0
  const to = rows.at(-1)?.lease_number ?? 0
  const reversals = await loadReversedPeriods(tx, { locationCode: rows[0]?.location_code ?? '', from, to })
  for (const row of rows) {
    const totals = totalsByLease.get(row.lease_number)
    const periods = reversals.get(row.lease_number)
    if (!totals || !periods) continue
    totals.reversals = periods
    totals.chargedThrough = await loadLastChargedDay(tx, row)
  }
  return totalsByLease
}

/**
 * Bills up to `maximum` leases of a facility that the day's run has not billed yet, in the caller's transaction.
 * @returns null when the run is not in progress; zero leases when all are billed
 */
export async function billBatch(
  tx: Kysely<Tables>,
  services: Services,
  day: BillingDay,
  maximum: number,
): Promise<Omit<BillingResult, 'facilities'> | null> {
  const next = await lockNextLeases(tx, day, maximum)
  if (next === null) return null
  const { rows, runNumber } = next
  const result = { leases: rows.length, periods: 0, entries: 0, cents: 0, movedOut: 0, mails: 0 }
  const last = rows.at(-1)
  if (!last) return result
  const { location_code } = last
  const totals = await loadTotals(tx, rows)
  const fees = await loadRecurringFees(tx, rows)
  const billed = rows.map((row) => {
    const leaseTotals = totals.get(row.lease_number) ?? { balance: 0, chargedThrough: null }
    return { row, ...billLease(day, row, leaseTotals, fees.get(row.lease_number) ?? []) }
  })
  result.periods = billed.reduce((sum, lease) => sum + lease.periods, 0)
  const runColumns = runNumber === null ? {} : { billingRun: runNumber }
  const entries = billed.flatMap((lease) => lease.entries).map((entry) => ({ ...entry, ...runColumns }))
  const added = await insertEntriesForLeases(tx, services, location_code, day.date, entries)
  result.entries = added.count
  result.cents = added.cents
  await writeChanges(tx, location_code, billed)
  await applyScheduledRents(tx, services, location_code, firstPeriodsAtNewRent(billed))
  // If an entry existed already, the computed balances are unreliable: every standing is computed from the whole ledger.
  const uncertain = result.entries < entries.length ? billed : billed.filter((lease) => lease.isUncertain)
  const standingOptions = { asOf: day.asOf, auctionAfterDays: day.facts.location.auction_after_days }
  for (const { row } of uncertain) await updateStanding(tx, services, row, standingOptions)
  for (const row of rows) {
    const moveOutDate = row.scheduled_move_out
    if (moveOutDate === null || moveOutDate >= day.date) continue
    if (await completeMoveOut(tx, services, row, moveOutDate)) result.movedOut += 1
  }
  const mails = billed.flatMap((lease) =>
    lease.mails.map((mail) => mailJob(services, lease.row, mail, totals, runColumns)),
  )
  result.mails = await enqueueAll(tx, mails)
  await tx
    .updateTable('billing_runs')
    .set((eb) => ({
      done_through: last.lease_number,
      leases: eb('leases', '+', result.leases),
      entries: eb('entries', '+', result.entries),
    }))
    .where('location_code', '=', location_code)
    .where('run_date', '=', day.date)
    .execute()
  return result
}

async function loadRecurringFees(tx: Kysely<Tables>, rows: readonly BillableLease[]) {
  const fees = await tx
    .selectFrom('lease_fees')
    .selectAll()
    .where('location_code', '=', rows[0]?.location_code ?? '')
    .where('lease_number', '>=', rows[0]?.lease_number ?? 0)
    .where('lease_number', '<=', rows.at(-1)?.lease_number ?? 0)
    .orderBy('fee_id')
    .execute()
  return Map.groupBy(fees, (fee) => fee.lease_number)
}

/**
 * Writes the columns of leases that a day of billing has changed, with one statement for all leases with the same
 * change. Leases with `isUncertain` are left to `updateStanding`.
 */
async function writeChanges(
  tx: Kysely<Tables>,
  locationCode: string,
  billed: readonly (BilledLease & { row: BillableLease })[],
): Promise<void> {
  const changed = billed.filter((lease) => lease.change !== null && !lease.isUncertain)
  for (const group of Map.groupBy(changed, (lease) => JSON.stringify(lease.change)).values())
    await updateBilledLeases(
      tx,
      locationCode,
      group.map((lease) => lease.row.lease_number),
      group[0]?.change ?? {},
    )
}

const firstPeriodsAtNewRent = (billed: readonly (BilledLease & { row: BillableLease })[]): Map<number, IsoDate> =>
  new Map(
    billed.flatMap(({ row, newRentFrom }) => (newRentFrom === null ? [] : [[row.lease_number, newRentFrom] as const])),
  )

interface BilledLease {
  entries: NewEntry[]
  periods: number
  /** Changed columns of the lease; null where none changes. */
  change: BilledColumns | null
  /** Whether the standing must be computed from the whole ledger instead of `change`. */
  isUncertain: boolean
  /** First day of the first period charged at the next rent; null where no period was. */
  newRentFrom: IsoDate | null
  mails: LeaseMail[]
}

type LeaseMail = DueMail | { kind: `own_insurance_${'ending' | 'ended' | 'ended_office'}`; expires: IsoDate }

/** Computes a day's billing of a lease from facility, lease, ledger totals and recurring fees, without database access. */
function billLease(
  day: BillingDay,
  row: BillableLease,
  totals: LeaseTotals,
  fees: Selectable<Tables['lease_fees']>[],
): BilledLease {
  const { facts, date, asOf } = day
  const isClosing = row.scheduled_move_out !== null && row.scheduled_move_out < date
  const { entries, charged } = duePeriods(day, row, totals, fees)
  // A lease that was imported without its history counts as charged through its paid-through date.
  const chargedThrough = charged.at(-1)?.end ?? totals.chargedThrough ?? row.paid_through
  const balance = totals.balance + charged.reduce((sum, period) => sum + period.cents, 0)
  // Payments cover older dues first, so new periods are paid only by a credit.
  const paidThrough =
    totals.balance <= 0 && charged.length > 0
      ? (computePaidThrough(charged, balance) ?? row.paid_through)
      : row.paid_through
  const { activeMilitary } = row
  const standing = leaseStanding(row, { activeMilitary, balance, paidThrough }, asOf, facts.location.auction_after_days)
  // No late fee without a balance due, after the move-out day, or while autopay will still charge the balance.
  // Late fees do not change the standing, since they are charged only where a balance is due already.
  if (balance > 0 && !isClosing && !standing.charging)
    entries.push(...lateFees(day, row, { paidThrough, chargedThrough }))
  return {
    entries,
    periods: charged.length,
    change: changeOf(row, paidThrough, standing),
    // After missed days, charges posted meanwhile may be newer than a charged period, so the whole ledger decides.
    isUncertain: totals.balance < 0 && balance > 0 && (charged[0]?.start ?? date) < date,
    newRentFrom: firstPeriodAtNewRent(
      row,
      charged.map(({ start }) => start),
    ),
    mails: isClosing
      ? []
      : [
          // Autopay sends its own mails. A tenant who cannot pay online gets no mail that asks for a payment.
          ...(balance > 0 &&
          row.autopay === 0 &&
          paymentBlock({ auctionPrepped: standing.auctionPrepped, paidThrough }, date) === null
            ? dueMails(day, paidThrough, charged.at(-1))
            : []),
          ...policyMails(day, row),
        ],
  }
}

type ChargedPeriod = { start: IsoDate; end: IsoDate; cents: Cents }

/** Returns the lease's periods to charge by a billing day, including those of missed days, and their ledger entries. */
function duePeriods(
  day: BillingDay,
  row: BillableLease,
  totals: LeaseTotals,
  fees: Selectable<Tables['lease_fees']>[],
) {
  const entries: NewEntry[] = []
  const charged: ChargedPeriod[] = []
  for (const start of periodsDue(totals.chargedThrough ?? row.paid_through, day.date, row.scheduled_move_out)) {
    const period = periodCharges({ ...nextPeriodInput(day.facts, row, fees), periodStart: start })
    const days = { start: period.periodStart, end: period.periodEnd }
    for (const line of period.lines)
      entries.push({
        leaseNumber: row.lease_number,
        ...periodEntry(line, start, totals.reversals?.get(start)),
        period: days,
      })
    charged.push({ ...days, cents: period.total })
  }
  return { entries, charged }
}

/** Returns the columns of a lease that a day's billing changes, with their new values; null where none changes. */
function changeOf(row: BillableLease, paidThrough: IsoDate, standing: Standing): BilledColumns | null {
  const change: BilledColumns = {}
  if (paidThrough !== row.paid_through) change.paid_through = paidThrough
  if (standing.status !== row.status) change.status = standing.status
  if (standing.auctionPrepped !== (row.auction_prepped === 1)) change.auction_prepped = standing.auctionPrepped ? 1 : 0
  if (standing.overlocked !== (row.overlocked === 1)) change.overlocked = standing.overlocked ? 1 : 0
  return Object.keys(change).length > 0 ? change : null
}

function policyMails(day: BillingDay, row: BillableLease): LeaseMail[] {
  const expires = ownPolicyOf(row)?.expires
  const mailKind = expires === undefined ? null : policyMailDue(expires, day.since, day.date)
  if (expires === undefined || mailKind === null) return []
  const mails: LeaseMail[] = [{ kind: `own_insurance_${mailKind}`, expires }]
  if (mailKind === 'ended') mails.push({ kind: 'own_insurance_ended_office', expires })
  return mails
}

/**
 * Builds the job of a billing mail. A period that was reversed and charged again gets another mail, under its own key.
 */
function mailJob(
  services: Services,
  row: BillableLease,
  mail: LeaseMail,
  totals: ReadonlyMap<number, LeaseTotals>,
  run: { billingRun?: number },
): NewJob {
  const { location_code: locationCode, lease_number: leaseNumber } = row
  const billedLease = { locationCode, leaseNumber, ...run }
  const runAt = services.clock.now()
  if ('expires' in mail) {
    const once = `${locationCode}:${leaseNumber}:${mail.expires}`
    return { kind: mail.kind, payload: { ...billedLease, expires: mail.expires }, once, runAt }
  }
  const { kind, periodStart } = mail
  const repeats = totals.get(leaseNumber)?.reversals?.get(periodStart) ?? 0
  const once = `${locationCode}:${leaseNumber}:${periodStart}${repeats > 0 ? `#${repeats + 1}` : ''}`
  return { kind, payload: { ...billedLease, periodStart }, once, runAt }
}

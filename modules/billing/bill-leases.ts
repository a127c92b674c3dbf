/** Bills leases in batches. A run may be for any date, repeated, concurrent or interrupted. */
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { enqueueAll, type NewJob } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { ownPolicyOf } from '../insurance/own-policy.ts'
import { policyMailDue } from '../insurance/rules/own-policy-mails.ts'
import { hasAutopayTryLeft } from '../leases/autopay-mandate.ts'
import { type BilledColumns, updateBilledLeases } from '../leases/standing.ts'
import { insertEntriesForLeases, type NewEntry, periodEntry } from '../ledger/entries.ts'
import { loadLastChargedDay } from '../ledger/ledger-totals.ts'
import { nextPeriodInput } from '../ledger/prepay-inputs.ts'
import { completeMoveOut } from '../move-outs/vacate.ts'
import { paymentBlock } from '../payments/rules/online-payment-blocks.ts'
import { periodCharges } from '../pricing/rules/charges.ts'
import { applyScheduledRents, firstPeriodAtNewRent } from '../rent-changes/apply-rent-changes.ts'
import { type ReversedPeriods, reversedPeriods } from '../standing/reverse-payment.ts'
import { updateStanding } from '../standing/update-standing.ts'
import { lateFees } from './late-fee.ts'
import { type BillableLease, type BillingDay, lockNextLeases } from './leases-to-bill.ts'
import { type DueMail, dueMails } from './rules/due-mails.ts'
import { computeStanding, type Standing } from './rules/lease-status.ts'
import { computePaidThrough } from './rules/paid-through.ts'
import { periodsDue } from './rules/periods-due.ts'

/** Result of a billing run: how many leases and ledger entries it charged, at how many facilities, and their sum. */
export interface BillingResult {
  facilities: number
  leases: number
  periods: number
  entries: number
  /** Sum of the entries charged, in cents. */
  cents: Cents
  movedOut: number
  mails: number
}

interface LeaseTotals {
  balance: Cents
  /** Last day of the newest charged period; null where none was charged here. */
  chargedThrough: IsoDate | null
  /** Periods whose charges were reversed, which are charged again. */
  takenBack?: ReversedPeriods
}

/**
 * Loads the ledger totals of a range of leases: balance, newest charged day and reversed periods, by two index scans.
 */
async function totalsOf(tx: Kysely<Tables>, rows: readonly BillableLease[]): Promise<Map<number, LeaseTotals>> {
  const all = new Map<number, LeaseTotals>(rows.map((row) => [row.lease_number, { balance: 0, chargedThrough: null }]))
  const stretch = () =>
    tx
      .selectFrom('ledger_entries')
      .select('lease_number')
      .where('location_code', '=', rows[0]?.location_code ?? '')
      .where('lease_number', '>=', rows[0]?.lease_number ?? 0)
      .where('lease_number', '<=', rows.at(-1)?.lease_number ?? 0)
      .groupBy('lease_number')
  const sums = await stretch()
    .select((eb) => eb.fn.sum<number>('cents').as('cents'))
    .execute()
  for (const { lease_number, cents } of sums) {
    const totals = all.get(lease_number)
    if (totals) totals.balance = Number(cents)
  }
  const ends = await stretch()
    // A literal, since the partial index is used only with one.
    .where(sql<SqlBool>`kind = 'rent'`)
    .where('period_end', 'is not', null)
    .select((eb) => eb.fn.max('period_end').as('end'))
    .execute()
  for (const { lease_number, end } of ends) {
    const totals = all.get(lease_number)
    if (totals) totals.chargedThrough = end
  }
  const [from, to] = [rows[0]?.lease_number ?? 0, rows.at(-1)?.lease_number ?? 0]
  const takenBack = await reversedPeriods(tx, { locationCode: rows[0]?.location_code ?? '', from, to })
  for (const row of rows) {
    const [totals, periods] = [all.get(row.lease_number), takenBack.get(row.lease_number)]
    if (!totals || !periods) continue
    totals.takenBack = periods
    totals.chargedThrough = await loadLastChargedDay(tx, row)
  }
  return all
}

/**
 * Bills up to `most` leases of a facility that the day's run has not billed yet, in the caller's transaction.
 * @returns null when the run is not in progress; zero leases when all are billed
 */
export async function billBatch(
  tx: Kysely<Tables>,
  services: Services,
  day: BillingDay,
  most: number,
): Promise<Omit<BillingResult, 'facilities'> | null> {
  const next = await lockNextLeases(tx, day, most)
  if (next === null) return null
  const { rows, runNumber } = next
  const done = { leases: rows.length, periods: 0, entries: 0, cents: 0, movedOut: 0, mails: 0 }
  const last = rows.at(-1)
  if (!last) return done
  const { location_code } = last
  const totals = await totalsOf(tx, rows)
  const fees = await recurringFees(tx, rows)
  const billed = rows.map((row) => {
    const its = totals.get(row.lease_number) ?? { balance: 0, chargedThrough: null }
    return { row, ...billLease(day, row, its, fees.get(row.lease_number) ?? []) }
  })
  done.periods = billed.reduce((sum, one) => sum + one.periods, 0)
  const ofRun = runNumber === null ? {} : { billingRun: runNumber }
  const entries = billed.flatMap((one) => one.entries).map((entry) => ({ ...entry, ...ofRun }))
  done.cents = entries.reduce((sum, { cents }) => sum + cents, 0)
  done.entries = await insertEntriesForLeases(tx, services, location_code, day.date, entries)
  await writeChanges(tx, location_code, billed)
  await applyScheduledRents(tx, services, location_code, firstAtNewRent(billed))
  // An existing entry makes these sums unreliable, so the standing is computed from the whole ledger.
  const unsure = done.entries < entries.length ? billed : billed.filter((one) => one.unsure)
  const asked = { asOf: day.asOf, auctionAfterDays: day.facts.location.auction_after_days }
  for (const { row } of unsure) await updateStanding(tx, services, row, asked)
  for (const row of rows) {
    const leaving = row.scheduled_move_out
    if (leaving === null || leaving >= day.date) continue
    if (await completeMoveOut(tx, services, row, leaving)) done.movedOut += 1
  }
  const mails = billed.flatMap((one) => one.mails.map((mail) => mailJob(services, one.row, mail, totals)))
  done.mails = await enqueueAll(tx, mails)
  await tx
    .updateTable('billing_runs')
    .set((eb) => ({
      done_through: last.lease_number,
      leases: eb('leases', '+', done.leases),
      entries: eb('entries', '+', done.entries),
    }))
    .where('location_code', '=', location_code)
    .where('run_date', '=', day.date)
    .execute()
  return done
}

async function recurringFees(tx: Kysely<Tables>, rows: readonly BillableLease[]) {
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
 * change.
 */
async function writeChanges(
  tx: Kysely<Tables>,
  locationCode: string,
  billed: readonly (BilledLease & { row: BillableLease })[],
): Promise<void> {
  const changed = billed.filter((one) => one.change !== null && !one.unsure)
  for (const same of Map.groupBy(changed, (one) => JSON.stringify(one.change)).values())
    await updateBilledLeases(
      tx,
      locationCode,
      same.map((one) => one.row.lease_number),
      same[0]?.change ?? {},
    )
}

const firstAtNewRent = (billed: readonly (BilledLease & { row: BillableLease })[]): Map<number, IsoDate> =>
  new Map(
    billed.flatMap(({ row, newRentFrom }) => (newRentFrom === null ? [] : [[row.lease_number, newRentFrom] as const])),
  )

interface BilledLease {
  entries: NewEntry[]
  periods: number
  /** Changed columns of the lease; null where none changes. */
  change: BilledColumns | null
  unsure: boolean
  /** First day of the first period charged at the next rent; null where none was. */
  newRentFrom: IsoDate | null
  mails: LeaseMail[]
}

type LeaseMail = DueMail | { kind: `own_insurance_${'ending' | 'ended' | 'ended_office'}`; expires: IsoDate }

/** Computes a day's billing of a lease from facility, lease, ledger totals and recurring fees. Reads nothing. */
function billLease(
  day: BillingDay,
  row: BillableLease,
  totals: LeaseTotals,
  fees: Selectable<Tables['lease_fees']>[],
): BilledLease {
  const { facts, date, asOf } = day
  const closing = row.scheduled_move_out !== null && row.scheduled_move_out < date
  const { entries, charged } = duePeriods(day, row, totals, fees)
  // An imported lease without history is charged from its paid-through date on.
  const chargedThrough = charged.at(-1)?.end ?? totals.chargedThrough ?? row.paid_through
  const balance = totals.balance + charged.reduce((sum, period) => sum + period.cents, 0)
  // Payments cover older dues first, so new periods are paid only by a credit.
  const paid =
    totals.balance <= 0 && charged.length > 0
      ? (computePaidThrough(charged, balance) ?? row.paid_through)
      : row.paid_through
  const now = computeStanding(
    {
      auctionPrepped: row.auction_prepped === 1,
      activeMilitary: row.activeMilitary,
      balance,
      paidThrough: paid,
      autopayToCome: hasAutopayTryLeft(row, paid),
    },
    asOf,
    facts.location.auction_after_days,
  )
  // Computed before late fees: without dues there is none, and a late fee itself does not make a lease late.
  if (balance > 0 && !closing && !now.charging)
    entries.push(...lateFees(day, row, { paidThrough: paid, chargedThrough }))
  return {
    entries,
    periods: charged.length,
    change: changeOf(row, paid, now),
    // For missed days, a charge written later than its period began may count after the new periods.
    unsure: totals.balance < 0 && balance > 0 && (charged[0]?.start ?? date) < date,
    newRentFrom: firstPeriodAtNewRent(
      row,
      charged.map(({ start }) => start),
    ),
    mails: closing
      ? []
      : [
          // Autopay sends its own mails; a lease that cannot be paid online gets no request.
          ...(balance > 0 &&
          row.autopay === 0 &&
          paymentBlock({ auctionPrepped: now.auctionPrepped, paidThrough: paid }, date) === null
            ? dueMails(day, paid, charged.at(-1))
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
    const period = periodCharges({ ...nextPeriodInput(day.facts, row, fees, null), periodStart: start })
    const days = { start: period.periodStart, end: period.periodEnd }
    for (const line of period.lines)
      entries.push({
        leaseNumber: row.lease_number,
        ...periodEntry(line, start, totals.takenBack?.get(start)),
        period: days,
      })
    charged.push({ ...days, cents: period.total })
  }
  return { entries, charged }
}

function changeOf(row: BillableLease, paid: IsoDate, now: Standing): BilledColumns | null {
  const change: BilledColumns = {}
  if (paid !== row.paid_through) change.paid_through = paid
  if (now.status !== row.status) change.status = now.status
  if (now.auctionPrepped !== (row.auction_prepped === 1)) change.auction_prepped = now.auctionPrepped ? 1 : 0
  if (now.overlocked !== (row.overlocked === 1)) change.overlocked = now.overlocked ? 1 : 0
  return Object.keys(change).length > 0 ? change : null
}

function policyMails(day: BillingDay, row: BillableLease): LeaseMail[] {
  const expires = ownPolicyOf(row)?.expires
  const turn = expires === undefined ? null : policyMailDue(expires, day.since, day.date)
  if (expires === undefined || turn === null) return []
  const mails: LeaseMail[] = [{ kind: `own_insurance_${turn}`, expires }]
  if (turn === 'ended') mails.push({ kind: 'own_insurance_ended_office', expires })
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
): NewJob {
  const { location_code: locationCode, lease_number: leaseNumber } = row
  const of = { locationCode, leaseNumber }
  const runAt = services.clock.now()
  if ('expires' in mail) {
    const once = `${locationCode}:${leaseNumber}:${mail.expires}`
    return { kind: mail.kind, payload: { ...of, expires: mail.expires }, once, runAt }
  }
  const { kind, periodStart } = mail
  const again = totals.get(leaseNumber)?.takenBack?.get(periodStart) ?? 0
  const once = `${locationCode}:${leaseNumber}:${periodStart}${again > 0 ? `#${again + 1}` : ''}`
  return { kind, payload: { ...of, periodStart }, once, runAt }
}

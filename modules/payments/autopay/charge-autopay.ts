/**
 * Charges leases on autopay. Each attempt's order is inserted once, under the lease's lock, so that no charge is made
 * twice.
 */

import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { DatabaseUnavailable } from '../../../platform/database/open.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { BankUnavailable } from '../../../ports/bank/bank.ts'
import { CardProviderUnavailable } from '../../../ports/card-provider/card-provider.ts'
import { nextAutopayDay } from '../../billing/rules/autopay-retries.ts'
import { billedFacilities } from '../../billing/run-billing.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { type AutopayMethod, autopayPartyOf, recordRefusals } from '../../leases/autopay-mandate.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { balance, type Entry, unpaidByPeriod } from '../../ledger/rules/ledger.ts'
import type { LeasePlan } from '../payers/post-lease-payment.ts'
import { inProgressStates, newOrderId, openStates, type Payment } from '../payment.ts'
import { loadEntries } from '../payment-history.ts'
import { changePaymentState, isChargeInProgress, newPayment, type Order } from '../payment-orders.ts'
import { ordersOfLease } from '../payment-shares-by-lease.ts'
import { paymentBlock } from '../rules/online-payment-blocks.ts'

import { recordResult, settlePayment } from '../settle-payment.ts'

type Lease = Selectable<LeasesTable>

/** Numbers of autopay charges that one run attempted (`tries`), that were posted, and that were refused. */
export interface AutopayResult {
  tries: number
  posted: number
  refused: number
}

const BATCH_SIZE = 200

const CONCURRENCY = 4

export interface AutopayFilter {
  /** Only this facility; those that billing bills (`billedFacilities`) if omitted. */
  locationCode?: string
  /** Day to run for; today at each facility if omitted. */
  date?: IsoDate
  /** Returns true when the process is to stop. */
  stopping?: () => boolean
  /** Number of concurrent charges, across facilities; `CONCURRENCY` if omitted. */
  concurrency?: number
}

/**
 * Charges every lease on autopay that has an attempt due today or earlier. To be run after billing, which charges the
 * periods; safe to run in several processes and to kill.
 * @throws the first failure that was not the provider's or bank's, after the other leases were charged
 */
export async function runAutopay(services: Services, filter: AutopayFilter = {}): Promise<AutopayResult> {
  const result: AutopayResult = { tries: 0, posted: 0, refused: 0 }
  const due = loadDueLeases(services, filter)
  const failures: unknown[] = []
  const chargeInTurn = async () => {
    for (let item = await due.next(); !item.done && !filter.stopping?.(); item = await due.next())
      await chargeLease(services, item.value, result, failures)
  }
  // All charges that have begun end before the run does, and with it the chore's lock.
  const loops = await Promise.allSettled(Array.from({ length: filter.concurrency ?? CONCURRENCY }, chargeInTurn))
  for (const loop of loops) if (loop.status === 'rejected') failures.push(loop.reason)
  if (failures.length > 0) throw failures[0]
  return result
}

interface DueLease {
  facts: FacilityFacts
  leaseNumber: number
}

/** Yields autopay leases that are not paid through today, facility by facility. */
async function* loadDueLeases(services: Services, filter: AutopayFilter): AsyncGenerator<DueLease, void> {
  for (const location_code of await billedFacilities(services, filter.locationCode)) {
    const loaded = (await loadFacilityFacts(services, [location_code])).get(location_code)
    const facts = loaded && { ...loaded, today: filter.date ?? loaded.today }
    let lastNumber = 0
    while (facts && !filter.stopping?.()) {
      const leases = await services.db.read
        .selectFrom('leases')
        .select('lease_number')
        .where('location_code', '=', location_code)
        .where('autopay', '=', 1)
        .where('status', '!=', 'Closed')
        .where('paid_through', '<', facts.today)
        .where('lease_number', '>', lastNumber)
        .orderBy('lease_number')
        .limit(BATCH_SIZE)
        .execute()
      for (const { lease_number } of leases) yield { facts, leaseNumber: lease_number }
      lastNumber = leases.at(-1)?.lease_number ?? lastNumber
      if (leases.length < BATCH_SIZE) break
    }
  }
}

/**
 * Makes the autopay charge that is due for a lease, if any, and counts its outcome in `result`. Reports an error, and
 * adds it to `failures` where it is not the provider's or bank's.
 * @throws DatabaseUnavailable
 */
async function chargeLease(
  services: Services,
  { facts, leaseNumber }: DueLease,
  result: AutopayResult,
  failures: unknown[],
): Promise<void> {
  try {
    const attempt = await insertDueAttempt(services, facts, leaseNumber)
    if (!attempt) return
    result.tries += 1
    const { state } = await chargeOrder(services, attempt)
    if (state === 'posted') result.posted += 1
    if (state === 'declined') result.refused += 1
    const outcome = state === 'declined' ? 'refused' : state === 'posted' ? 'posted' : 'unknown'
    services.businessEvents?.count('autopay', { outcome })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    services.errors.report(error, { lease: leaseNumber, step: 'autopay' })
    // The outcome is unknown: `reconcilePayments` queries it by order id, and nothing is charged twice.
    if (error instanceof CardProviderUnavailable || error instanceof BankUnavailable)
      services.businessEvents?.count('autopay', { outcome: 'unknown' })
    else failures.push(error)
  }
}

interface Attempt {
  payment: Payment
  method: AutopayMethod
  unitNumber: string
}

/** Charges an attempt's order by card or bank, and settles it. */
async function chargeOrder(services: Services, { payment, method: party, unitNumber }: Attempt) {
  const { order_id: orderId, amount } = payment
  if ('alias' in party) {
    const result = await services.cardProvider.saleByAlias({ orderId, alias: party.alias, amount })
    return recordResult(services, payment, result)
  }
  // The move to 'presented' restarts the minute in which other payments wait (`isChargeInProgress`). It fails for an order
  // that was closed meanwhile, which is not debited.
  if (!(await changePaymentState(services.db.write, services, orderId, 'presented')))
    return settlePayment(services, orderId)
  await services.bank.debit({ orderId, account: party, amount, descriptor: `Unit ${unitNumber}` })
  return settlePayment(services, orderId)
}

/**
 * Returns the number of the attempt that is due for the period, from 1; null while another payment is in progress,
 * before the attempt's day, or when all attempts were refused. Restores the lease's count of refusals for a reopened
 * period.
 */
async function loadDueAttempt(
  tx: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  period: IsoDate,
  now: number,
): Promise<number | null> {
  const orders = await ordersOfLease(tx, lease)
    .select(['payer', 'method', 'state', 'autopay_period', 'autopay_try', 'created_at', 'updated_at'])
    .where((eb) => eb.or([eb('autopay_period', '=', period), eb('state', 'in', inProgressStates)]))
    .execute()
  // A guest payer's open card page does not delay the autopay that the tenant agreed to.
  const mustWait = (order: (typeof orders)[number]) =>
    inProgressStates.includes(order.state) &&
    (order.payer !== 'guest' || !openStates.includes(order.state) || isChargeInProgress(order, now))
  if (orders.some(mustWait)) return null
  const attempts = orders.filter((order) => order.autopay_period === period)
  const refused = attempts.filter((attempt) => attempt.state === 'declined')
  // A reversed payment reopens an earlier period, whose refusals the lease no longer counts.
  if (refused.length > 0 && lease.autopay_refused_period !== period)
    await recordRefusals(tx, lease, period, refused.length)
  const day = nextAttemptDay(period, refused, facts.location.time_zone)
  if (day === null || day > facts.today) return null
  return 1 + Math.max(0, ...attempts.map((attempt) => attempt.autopay_try ?? 0))
}

const toLedgerEntry = (row: Awaited<ReturnType<typeof loadEntries>>[number]): Entry => ({
  kind: row.kind,
  cents: row.cents,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  postedOn: row.posted_on,
})

function autopayOrder(lease: Lease, method: AutopayMethod, entries: Entry[], amount: Cents): Order {
  const { location_code: locationCode, lease_number: leaseNumber } = lease
  const isCard = 'alias' in method
  return {
    payer: 'autopay',
    locationCode,
    leaseNumber,
    subject: { locationCode, leaseNumbers: [leaseNumber] },
    tenantId: lease.tenant_id,
    amount,
    // The lease has autopay already; this payment does not turn it on.
    autopay: false,
    quoteId: null,
    plan: JSON.stringify(planFor(lease, entries, amount)),
    method: isCard ? 'CC' : 'ACH',
    authorisation: {
      text: lease.autopay_consent_text ?? '',
      at: lease.autopay_consent_at ?? lease.created_at,
      address: '',
      agent: 'autopay',
    },
    ...(!isCard && { bank: { account: method, label: lease.autopay_label } }),
  }
}

/**
 * Inserts the order of the attempt that is due. Returns null if no attempt is due, or the lease is paid, closed, off
 * autopay, being paid or blocked from online payment.
 */
async function insertDueAttempt(
  services: Services,
  facts: FacilityFacts,
  leaseNumber: number,
): Promise<Attempt | null> {
  const { location_code } = facts.location
  const now = services.clock.now()
  const orderId = newOrderId(services, { locationCode: location_code, leaseNumber })
  return services.db.transaction(async (tx) => {
    const lease = await lockLeaseRow(tx, { location_code, lease_number: leaseNumber })
    const method = lease && autopayPartyOf(services, lease)
    if (!lease || !method || lease.status === 'Closed') return null
    const standing = { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }
    if (paymentBlock(standing, facts.today) !== null) return null
    const entries = (await loadEntries(tx, location_code, leaseNumber)).map(toLedgerEntry)
    const amount = balance(entries)
    if (amount <= 0) return null
    const period = addDays(lease.paid_through, 1)
    const autopay_try = await loadDueAttempt(tx, facts, lease, period, now)
    if (autopay_try === null) return null
    const order = newPayment(services, orderId, autopayOrder(lease, method, entries, amount))
    const payment = await tx
      .insertInto('payments')
      .values({ ...order, autopay_period: period, autopay_try })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    return payment ? { payment, method, unitNumber: lease.unit_number } : null
  })
}

/** Returns the day of a period's next attempt after the refused ones; null after the last attempt. */
export const nextAttemptDay = (
  period: IsoDate,
  refused: readonly Pick<Payment, 'created_at'>[],
  timeZone: string,
): IsoDate | null =>
  nextAutopayDay(
    period,
    refused.map((attempt) => todayIn(timeZone, attempt.created_at)),
  )

/** Returns the plan of an autopay order: the unpaid periods and charges as price lines, in cents. */
function planFor(lease: Lease, entries: Entry[], total: number): LeasePlan {
  const lines = unpaidByPeriod(entries)
    .filter((period) => period.owed > 0)
    .map(({ start, end, owed, cents }) => ({
      label:
        end === null ? `Charges of ${formatUs(start)}` : `Rent and charges, ${formatUs(start)} to ${formatUs(end)}`,
      explain: owed < cents ? 'What was still open of it.' : '',
      cents: owed,
    }))
  return {
    pays: 'dues',
    periods: 1,
    unitNumber: lease.unit_number,
    unitId: lease.unit_id,
    price: { lines, total, cardFee: null, ahead: 0, period: null },
  }
}

import type { Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { waived } from '../../domain/texts/office-ledger.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import { isCounterReceipt } from '../cash-drawers/rules/counter-receipts.ts'
import { decryptPlan } from './order-terms-encryption.ts'
import type { LeasePlan } from './payers/lease-payer.ts'
import type { Payment } from './payment.ts'
import { agreedPartsOf } from './payment-shares.ts'
import { severalUnitsDescription, unitNamed } from './texts/several-units.ts'

type Entry = Pick<
  Selectable<LedgerEntriesTable>,
  | 'kind'
  | 'cents'
  | 'description'
  | 'period_start'
  | 'period_end'
  | 'order_id'
  | 'posted_on'
  | 'created_at'
  | 'entry_id'
>

/** Maximum number of ledger entries before a payment that its receipt can itemize; older dues are not itemized. */
const MAX_ENTRIES = 120

/**
 * Returns the ledger entries that a payment covered, oldest first; empty if it covered one of them only in part, or
 * has no lease or no ledger entry.
 */
export async function coveredDues(
  services: Pick<Services, 'db'>,
  payment: Pick<Payment, 'location_code' | 'lease_number' | 'order_id'>,
): Promise<Entry[]> {
  if (payment.lease_number === null) return []
  const leaseEntries = services.db.read
    .selectFrom('ledger_entries')
    .select(['kind', 'cents', 'description', 'period_start', 'period_end', 'order_id'])
    .select(['posted_on', 'created_at', 'entry_id'])
    .where('location_code', '=', payment.location_code)
    .where('lease_number', '=', payment.lease_number)
  const paymentEntry = await leaseEntries
    .where('order_id', '=', payment.order_id)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  if (!paymentEntry) return []
  const entries: Entry[] = await leaseEntries
    .where('posted_on', '<=', paymentEntry.posted_on)
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  const isOwn = (entry: Entry) => entry.order_id === payment.order_id
  const paymentIndex = entries.findIndex((entry) => isOwn(entry) && entry.kind === 'payment')
  const paid = entries[paymentIndex]
  if (!paid) return []
  // The card fee came with the payment and has its own line.
  const fees = entries.filter((entry) => isOwn(entry) && !['payment', 'refund'].includes(entry.kind) && entry.cents > 0)
  let remaining = -paid.cents - fees.reduce((sum, { cents }) => sum + cents, 0)
  const covered: Entry[] = []
  for (const entry of entries.slice(paymentIndex + 1)) {
    if (remaining === 0) break
    if (isOwn(entry)) continue
    covered.unshift(entry)
    remaining -= entry.cents
  }
  return remaining === 0 ? covered : []
}

const span = (from: IsoDate, to: IsoDate): string => `${formatUs(from)} to ${formatUs(to)}`

const kindOrder = ['rent', 'insurance', 'fee', 'discount', 'tax', 'credit', 'reversal', 'refund', 'payment']
const rankOf = ({ kind }: Entry) => kindOrder.indexOf(kind)

/**
 * Groups the ledger entries that a payment covered into receipt lines: one for each charge and period, one for all
 * taxes, and one for all earlier payments.
 */
function linesOfDues(covered: readonly Entry[]): { label: string; cents: Cents }[] {
  const lines = new Map<string, Cents>()
  for (const { kind, description, period_start, period_end, cents } of covered.toSorted(
    (a, b) => rankOf(a) - rankOf(b),
  )) {
    const label =
      kind === 'tax'
        ? 'Tax'
        : kind === 'payment'
          ? 'Paid before'
          : period_start && period_end
            ? `${description}, ${span(period_start, period_end)}`
            : description
    lines.set(label, (lines.get(label) ?? 0) + cents)
  }
  return [...lines].filter(([, cents]) => cents !== 0).map(([label, cents]) => ({ label, cents }))
}

/** Returns the lines of dues that an order paid on a lease; null where they are unknown or do not add up to `cents`. */
export async function loadDuesLines(
  services: Services,
  order: Parameters<typeof coveredDues>[1],
  cents: Cents,
): Promise<{ label: string; cents: Cents }[] | null> {
  const duesLines = linesOfDues(await coveredDues(services, order))
  return duesLines.length > 0 && duesLines.reduce((sum, line) => sum + line.cents, 0) === cents ? duesLines : null
}

/** Prefixes each line with its unit, for a payment of several units. */
export const prefixWithUnit = (unitNumber: string, lines: readonly { label: string; cents: Cents }[]) =>
  lines.map(({ label, cents }) => ({ label: `${unitNamed(unitNumber)}: ${label}`, cents }))

function describeDues(covered: readonly Entry[]): string {
  const periodEntries = covered.filter(
    ({ kind, period_start }) => (kind === 'rent' || kind === 'insurance') && period_start,
  )
  const from = periodEntries.flatMap((rent) => rent.period_start ?? []).sort()[0]
  const to = periodEntries
    .flatMap((rent) => rent.period_end ?? [])
    .sort()
    .at(-1)
  const kinds = [
    periodEntries.some((rent) => rent.kind === 'rent') && 'Rent',
    periodEntries.some((rent) => rent.kind === 'insurance') && 'insurance',
  ].filter((kind) => typeof kind === 'string')
  const waivers = new Set(
    covered.filter(({ kind, cents }) => kind === 'fee' && cents < 0).map((entry) => entry.description),
  )
  const fees = covered.filter(
    ({ kind, period_start, description }) => kind === 'fee' && !period_start && !waivers.has(waived(description)),
  )
  const words = [
    from && to ? `${kinds.join(' and ')} ${span(from, to)}` : '',
    ...new Set(fees.map((fee) => fee.description)),
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : 'Dues'
}

/** Order and lease of a ledger entry. */
interface OrderOnLease {
  orderId: string
  leaseNumber: number
}

const purposeKey = ({ orderId, leaseNumber }: OrderOnLease): string => `${orderId}/${leaseNumber}`

/**
 * Loads the payments of ledger entries, and returns a function that describes what an order paid for on a lease. The
 * function returns '' for an order that our database does not have.
 */
export async function loadPaymentPurposes(
  services: Services,
  entries: readonly OrderOnLease[],
): Promise<(entry: OrderOnLease) => string> {
  const withOrder = entries.filter(({ orderId }) => orderId !== '')
  if (withOrder.length === 0) return () => ''
  const orderIds = [...new Set(withOrder.map(({ orderId }) => orderId))]
  const payments = await services.db.read.selectFrom('payments').selectAll().where('order_id', 'in', orderIds).execute()
  const purposes = withOrder.map(async (entry): Promise<[string, string]> => {
    const payment = payments.find(({ order_id }) => order_id === entry.orderId)
    if (payment) return [purposeKey(entry), await describePayment(services, payment, entry.leaseNumber)]
    return [purposeKey(entry), isCounterReceipt(entry.orderId) ? await describeCounterPayment(services, entry) : '']
  })
  const purposeByKey = new Map(await Promise.all(purposes))
  return (entry) => purposeByKey.get(purposeKey(entry)) ?? ''
}

/** Describes what a payment at the desk was for; '' for a partial payment or credit, whose description is enough. */
async function describeCounterPayment(services: Services, { orderId, leaseNumber }: OrderOnLease): Promise<string> {
  const paymentEntry = await services.db.read
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number'])
    .where('order_id', '=', orderId)
    .where('lease_number', '=', leaseNumber)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  const covered = paymentEntry ? await coveredDues(services, { ...paymentEntry, order_id: orderId }) : []
  return covered.length > 0 ? describeDues(covered) : ''
}

const autopayTurnedOn = 'Autopay turned on'

const aheadInWords = (periods: number, { from, to }: { from: IsoDate; to: IsoDate }): string =>
  `${periods === 1 ? '1 period' : `${periods} periods`} ahead, ${span(from, to)}`

/** Returns what an order paid on one of its units, and which other units it paid. */
async function describeUnitsPayment(services: Services, payment: Payment, leaseNumber: number): Promise<string> {
  const { pays, periods } = decryptPlan<LeasePlan>(services, payment)
  const parts = agreedPartsOf(services, payment)
  const unitsText = severalUnitsDescription(parts.map((part) => part.unitNumber))
  if (pays === 'autopay') return `${autopayTurnedOn}. ${unitsText}`
  const ahead = parts.find((part) => part.leaseNumber === leaseNumber)?.ahead
  if (ahead) return `${aheadInWords(periods, ahead.period)}. ${unitsText}`
  const covered = await coveredDues(services, { ...payment, lease_number: leaseNumber })
  return covered.length > 0 ? `${describeDues(covered)}. ${unitsText}` : unitsText
}

async function describePayment(services: Services, payment: Payment, leaseNumber: number): Promise<string> {
  switch (payment.payer) {
    case 'move_in':
      return 'Move-in'
    case 'auction':
      return 'Auction proceeds'
    case 'settlement':
      return 'Settlement of past dues'
    case 'units':
      return describeUnitsPayment(services, payment, leaseNumber)
    default: {
      const { pays, periods, price } = decryptPlan<LeasePlan>(services, payment)
      if (pays === 'autopay') return autopayTurnedOn
      if (pays === 'prepay' && price.period && payment.payer !== 'autopay') return aheadInWords(periods, price.period)
      if (price.period) return `Rent ${span(price.period.from, price.period.to)}`
      return describeDues(await coveredDues(services, payment))
    }
  }
}

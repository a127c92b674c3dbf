import type { IsoDate } from '../../../domain/plain-date.ts'
import { waived } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isCounterReceipt } from '../../cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import type { LeasePlan } from '../payers/post-lease-payment.ts'
import type { Payment } from '../payment.ts'
import { agreedPartsOf } from '../payment-shares-by-lease.ts'
import { type CoveredEntry, formatPeriod, loadCoveredDues } from '../receipt-lines.ts'
import { severalUnitsDescription } from '../texts/several-units.ts'

/**
 * Describes covered ledger entries: 'Rent and insurance 11/20/2026 to 12/19/2026, Late Fee'. Waived fees and the fees of
 * a period are left out; 'Dues' where nothing remains.
 */
function describeDues(covered: readonly CoveredEntry[]): string {
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
    from && to ? `${kinds.join(' and ')} ${formatPeriod(from, to)}` : '',
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
 * function returns '' for an order that our database does not have, and for a counter payment whose dues are not known.
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

/** Describes the dues that a payment at the counter covered; '' if it covered a charge only in part or exceeded the dues. */
async function describeCounterPayment(services: Services, { orderId, leaseNumber }: OrderOnLease): Promise<string> {
  const paymentEntry = await services.db.read
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number'])
    .where('order_id', '=', orderId)
    .where('lease_number', '=', leaseNumber)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  const covered = paymentEntry ? await loadCoveredDues(services, { ...paymentEntry, order_id: orderId }) : []
  return covered.length > 0 ? describeDues(covered) : ''
}

const autopayTurnedOn = 'Autopay turned on'

const aheadInWords = (periods: number, { from, to }: { from: IsoDate; to: IsoDate }): string =>
  `${periods === 1 ? '1 period' : `${periods} periods`} ahead, ${formatPeriod(from, to)}`

/** Describes what a payment for several units paid on one of them, with the numbers of its units. */
async function describeUnitsPayment(services: Services, payment: Payment, leaseNumber: number): Promise<string> {
  const { pays, periods } = decryptPlan<LeasePlan>(services, payment)
  const parts = agreedPartsOf(services, payment)
  const unitsText = severalUnitsDescription(parts.map((part) => part.unitNumber))
  if (pays === 'autopay') return `${autopayTurnedOn}. ${unitsText}`
  const ahead = parts.find((part) => part.leaseNumber === leaseNumber)?.ahead
  if (ahead) return `${aheadInWords(periods, ahead.period)}. ${unitsText}`
  const covered = await loadCoveredDues(services, { ...payment, lease_number: leaseNumber })
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
      if (pays === 'prepay' && price.period) return aheadInWords(periods, price.period)
      return describeDues(await loadCoveredDues(services, payment))
    }
  }
}

import { toWire } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { csvLine } from '../../domain/spreadsheet.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { unitNumbersOf } from '../../modules/leases/views/rented-units.ts'
import { loadTenantInReview } from '../../modules/payments/manual-review.ts'
import { GetPaymentHistory_V1 } from '../../modules/payments/operations/get-payment-history-v1.ts'
import { loadPaymentPurposes } from '../../modules/payments/receipt-lines.ts'
import { spellOutCardLabel } from '../../modules/payments/rules/card-details.ts'
import type { OpenPortalPage } from './open-portal-page.ts'

/**
 * A row of the payment history. `dateTime` and `amount` are formatted;
 * `orderId` is '' for a payment of an earlier system.
 */
export type HistoryRow = Awaited<ReturnType<typeof historyOf>>[number]

export async function historyOf({ site, here, facts }: Pick<OpenPortalPage, 'site' | 'here' | 'facts'>) {
  const history = await site.call(GetPaymentHistory_V1, {
    location_code: here.locationCode,
    tenant_id: here.tenantId,
    // Passing the facility's date saves the operation a look-up.
    to_date: formatUs(facts.today),
  })
  if (!history.ok) return []
  const rows = history.value.Payment
  const reviewed = await loadTenantInReview(site.services, here)
  const whatFor = await loadPaymentPurposes(site.services, [
    ...rows.map((row) => ({ orderId: row.order_id, leaseNumber: row.leaseNumber })),
    ...reviewed,
  ])
  const zone = facts.location.time_zone
  const written = (at: Instant) => `${formatUs(todayIn(zone, at))} ${formatInstantIn(zone, at)}`
  const units = await unitNumbersOf(
    site.services,
    here.locationCode,
    reviewed.map((payment) => payment.leaseNumber),
  )
  const waiting = reviewed.map((payment) => ({
    dateTime: written(payment.capturedAt),
    unitNumber: units.get(payment.leaseNumber) ?? '',
    leaseNumber: payment.leaseNumber,
    description: 'Not counted yet: we look at it first',
    whatFor: whatFor(payment),
    inReview: true,
    amount: toWire(payment.amount),
    orderId: '',
  }))
  const counted = rows.map((row) => ({
    // A payment without an order here has only a date, no time.
    dateTime: row.order_id === '' ? formatUs(row.dateTime.slice(0, 10)) : written(Date.parse(row.dateTime)),
    unitNumber: row.unitNumber,
    leaseNumber: row.leaseNumber,
    description: spellOutCardLabel(row.description),
    whatFor: whatFor({ orderId: row.order_id, leaseNumber: row.leaseNumber }),
    inReview: false,
    amount: row.leaseAmountPaid,
    orderId: row.order_id,
  }))
  return [...waiting, ...counted]
}

export function historyCsv(rows: HistoryRow[]): string {
  const lines = [
    ['Date', 'Unit', 'Lease', 'Description', 'Amount', 'Order', 'What for'],
    ...rows.map((row) => [
      row.dateTime,
      row.unitNumber,
      String(row.leaseNumber),
      row.description,
      row.amount,
      row.orderId,
      row.whatFor,
    ]),
  ]
  return lines.map(csvLine).join('')
}

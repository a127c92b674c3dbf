import { csvLine } from '../../domain/csv-cells.ts'
import { fromWire, toWire } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { loadUnitNumbers } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { GetPaymentHistory_V1 } from '../../modules/payments/operations/get-payment-history-v1.ts'
import { spellOutCardLabel } from '../../modules/payments/rules/card-brand-and-expiry.ts'
import { loadPaymentPurposes } from '../../modules/payments/views/describe-what-payments-paid-for.ts'
import { loadReturnedPayments } from '../../modules/payments/views/tell-returned-payments-from-refunds.ts'
import { loadTenantInReview } from '../../modules/payments/views/tenant-payments-in-review.ts'
import type { OpenPortalPage } from './open-portal-page.ts'

/**
 * A row of the payment history. `dateTime` is formatted, with or without the time of day; `amount` is a decimal in dollars,
 * negative for money that went back, such as '-12.50'. `orderId` is '' for a payment in review, for auction proceeds, and
 * for an entry without an order, such as an imported payment.
 */
export type HistoryRow = Awaited<ReturnType<typeof loadHistory>>[number]

export async function loadHistory({
  site,
  tenantInView,
  facts,
}: Pick<OpenPortalPage, 'site' | 'tenantInView' | 'facts'>) {
  const history = await site.call(GetPaymentHistory_V1, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
    // Passing the facility's date saves the operation a look-up.
    to_date: formatUs(facts.today),
  })
  if (!history.ok) return []
  const rows = history.value.Payment
  const reviewed = await loadTenantInReview(site.services, tenantInView)
  const purposeOf = await loadPaymentPurposes(site.services, [
    ...rows.map((row) => ({ orderId: row.order_id, leaseNumber: row.leaseNumber })),
    ...reviewed,
  ])
  const toEntry = (row: (typeof rows)[number]) => ({
    orderId: row.order_id,
    leaseNumber: row.leaseNumber,
    cents: -(fromWire(row.leaseAmountPaid, { negative: true }) ?? 0),
  })
  const wentBack = rows.map(toEntry).filter(({ cents }) => cents > 0)
  const isReturned = await loadReturnedPayments(site.services, tenantInView.locationCode, wentBack)
  const zone = facts.location.time_zone
  const formatTime = (at: Instant) => `${formatUs(todayIn(zone, at))} ${formatInstantIn(zone, at)}`
  const units = await loadUnitNumbers(
    site.services,
    tenantInView.locationCode,
    reviewed.map((payment) => payment.leaseNumber),
  )
  const reviewRows = reviewed.map((payment) => ({
    dateTime: formatTime(payment.capturedAt),
    unitNumber: units.get(payment.leaseNumber) ?? '',
    leaseNumber: payment.leaseNumber,
    description: 'Not counted yet: we look at it first',
    whatFor: purposeOf(payment),
    inReview: true,
    isReturned: false,
    amount: toWire(payment.amount),
    orderId: '',
  }))
  const countedRows = rows.map((row) => ({
    // A row without an order may be an imported payment, of which only the day is known; its `dateTime` is then at noon.
    dateTime: row.order_id === '' ? formatUs(row.dateTime.slice(0, 10)) : formatTime(Date.parse(row.dateTime)),
    unitNumber: row.unitNumber,
    leaseNumber: row.leaseNumber,
    description: spellOutCardLabel(row.description),
    whatFor: purposeOf({ orderId: row.order_id, leaseNumber: row.leaseNumber }),
    inReview: false,
    isReturned: isReturned(toEntry(row)),
    amount: row.leaseAmountPaid,
    orderId: row.order_id,
  }))
  return [...reviewRows, ...countedRows]
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

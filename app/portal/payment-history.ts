import { formatInstantIn, type Instant, todayIn } from '../../domain/dates.ts'
import { toWire } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { csvLine } from '../../domain/spreadsheet.ts'
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
    ...rows.map((one) => ({ orderId: one.order_id, leaseNumber: one.leaseNumber })),
    ...reviewed,
  ])
  const zone = facts.location.time_zone
  const written = (at: Instant) => `${formatUs(todayIn(zone, at))} ${formatInstantIn(zone, at)}`
  const units = await unitNumbersOf(
    site.services,
    here.locationCode,
    reviewed.map((one) => one.leaseNumber),
  )
  const waiting = reviewed.map((one) => ({
    dateTime: written(one.at),
    unitNumber: units.get(one.leaseNumber) ?? '',
    leaseNumber: one.leaseNumber,
    description: 'Not counted yet: we look at it first',
    whatFor: whatFor(one),
    inReview: true,
    amount: toWire(one.amount),
    orderId: '',
  }))
  const counted = rows.map((one) => ({
    // A payment without an order here has only a date, no time.
    dateTime: one.order_id === '' ? formatUs(one.dateTime.slice(0, 10)) : written(Date.parse(one.dateTime)),
    unitNumber: one.unitNumber,
    leaseNumber: one.leaseNumber,
    description: spellOutCardLabel(one.description),
    whatFor: whatFor({ orderId: one.order_id, leaseNumber: one.leaseNumber }),
    inReview: false,
    amount: one.leaseAmountPaid,
    orderId: one.order_id,
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

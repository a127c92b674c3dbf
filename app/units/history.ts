/** The payments of the tenant that is looked at, as page and file show them. */
import { labelInWords } from '../../domain/payment.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { cellOf, csvCell } from '../../domain/spreadsheet.ts'
import { GetPaymentHistory_V1 } from '../../storage-system/ledger.ts'
import type { OpenTenantPage } from '../tenant.ts'

export interface HistoryRow {
  /** mm/dd/yyyy, with the time where it is known. */
  dateTime: string
  unitNumber: string
  leaseNumber: number
  description: string
  /** Dollars with two decimals; below 0 is money that went back. */
  amount: string
  /** '' for a payment from an earlier system. */
  orderId: string
}

/** The 12 newest, the newest first (spec 2 §9). */
export async function historyOf({
  site,
  here,
  facts,
}: Pick<OpenTenantPage, 'site' | 'here' | 'facts'>): Promise<HistoryRow[]> {
  const history = await site.call(GetPaymentHistory_V1, {
    location_code: here.locationCode,
    tenant_id: here.tenantId,
    // The page knows what day it is at the facility, which else would be looked up again.
    to_date: formatUs(facts.today),
  })
  if (!history.ok) return []
  return history.value.Payment.map((one) => ({
    dateTime: one.dateTime,
    unitNumber: one.unitNumber,
    leaseNumber: one.leaseNumber,
    description: labelInWords(one.description),
    amount: one.leaseAmountPaid,
    orderId: one.order_id,
  }))
}

/** With a header row, lines ended as RFC 4180 says. */
export function historyCsv(rows: HistoryRow[]): string {
  const lines = [
    ['Date', 'Unit', 'Lease', 'Description', 'Amount', 'Order'],
    ...rows.map((row) => [
      row.dateTime,
      row.unitNumber,
      String(row.leaseNumber),
      row.description,
      row.amount,
      row.orderId,
    ]),
  ]
  return lines.map((line) => `${line.map((text) => csvCell(cellOf(text))).join(',')}\r\n`).join('')
}

import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadPaidThroughAfterOrder } from '../../ledger/lease-ledger-totals.ts'
import { loadDuesLines, prefixWithUnit } from '../../payments/receipt-lines.ts'
import { type CounterReceipt, loadReceipt } from '../internal/receipt-reversal-refusals.ts'
import {
  describeCounterPayment,
  isCounterReceipt,
  type ReceiptState,
} from '../rules/counter-receipt-methods-and-states.ts'

/** Content of a receipt for a payment at the counter. */
export interface CounterReceiptFacts {
  receipt: CounterReceipt
  state: ReceiptState
  units: { leaseNumber: number; unitNumber: string; cents: Cents; balance: Cents }[]
  /** Numbers of the units in words: '301', or '301 and 302'. */
  unitNumbers: string
  /** Tenant's e-mail address; '' where unknown. */
  to: string
  first: string
  name: string
  /** Payment method in words: 'Check 1042' */
  method: string
  lines: { label: string; cents: Cents }[]
  /** The lease's paid-through date after the payment; '' unless one unit was paid, or for a voided or returned receipt. */
  paidThrough: IsoDate | ''
  /** Fee with tax that was charged for a returned check, in cents; 0 if none was. */
  fee: Cents
}

const conjunction = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** Loads the receipt's lines: the periods and fees that each lease's share paid, or one line where they are unknown. */
async function loadLines(services: Services, receipt: CounterReceipt, units: CounterReceiptFacts['units']) {
  const linesByUnit = units.map(async ({ leaseNumber, unitNumber, cents }) => {
    const order = { location_code: receipt.location_code, lease_number: leaseNumber, order_id: receipt.receipt_id }
    const lines = (await loadDuesLines(services, order, cents)) ?? [{ label: 'Payment', cents }]
    return units.length === 1 ? lines : prefixWithUnit(unitNumber, lines)
  })
  return (await Promise.all(linesByUnit)).flat()
}

/** Loads a receipt's content; null where it does not exist. */
export async function loadCounterReceiptFacts(
  services: Services,
  receiptId: string,
): Promise<CounterReceiptFacts | null> {
  const { read } = services.db
  const receipt = isCounterReceipt(receiptId) ? await loadReceipt(read, receiptId) : undefined
  if (!receipt) return null
  const { location_code, tenant_id, state } = receipt
  const [rows, tenant] = await Promise.all([
    read
      .selectFrom('ledger_entries')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'ledger_entries.location_code')
          .onRef('leases.lease_number', '=', 'ledger_entries.lease_number'),
      )
      .select(['leases.lease_number', 'unit_number', 'cents', 'leases.balance', 'kind', 'once', 'paid_through'])
      .where('ledger_entries.order_id', '=', receiptId)
      .orderBy('leases.lease_number')
      .execute(),
    read
      .selectFrom('tenants')
      .select(['email', 'first', 'last'])
      .where((eb) => eb.and({ location_code, tenant_id }))
      .executeTakeFirst(),
  ])
  const paid = rows.filter((row) => row.kind === 'payment')
  const units = paid.map((row) => ({
    leaseNumber: row.lease_number,
    unitNumber: row.unit_number,
    cents: -row.cents,
    balance: row.balance,
  }))
  const isValid = state !== 'voided' && state !== 'returned'
  const [onlyPayment] = paid
  const paidThrough =
    onlyPayment && paid.length === 1 && isValid
      ? ((await loadPaidThroughAfterOrder(read, {
          location_code,
          lease_number: onlyPayment.lease_number,
          orderId: receiptId,
        })) ?? onlyPayment.paid_through)
      : ''
  return {
    receipt,
    state,
    units,
    unitNumbers: conjunction.format(units.map((unit) => unit.unitNumber)),
    to: tenant?.email ?? '',
    first: tenant?.first ?? '',
    name: tenant ? `${tenant.first} ${tenant.last}` : '',
    method: describeCounterPayment(receipt.method, receipt.check_number),
    lines: await loadLines(services, receipt, units),
    paidThrough,
    fee: rows.filter((row) => row.kind === 'fee' || row.kind === 'tax').reduce((sum, row) => sum + row.cents, 0),
  }
}

/** Returns whether the caller is the tenant whose leases the receipt paid. */
export const mayReadCounterReceipt = ({ tenant }: Callers, { location_code, tenant_id }: CounterReceipt): boolean =>
  tenant?.tenants.some((tenant) => tenant.locationCode === location_code && tenant.tenantId === tenant_id) ?? false

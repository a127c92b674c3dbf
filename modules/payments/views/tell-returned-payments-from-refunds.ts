import type { Cents } from '../../../domain/money.ts'
import type { Services } from '../../../platform/operations/services.ts'

interface LeaseEntry {
  orderId: string
  leaseNumber: number
  cents: Cents
}

/**
 * Loads which payments a bank returned, and returns a function that is true for the ledger entry of such a return, and
 * false for that of a refund or of a counter receipt that the office voided.
 * @param entries ledger entries of one facility by which money went back, with cents above 0
 */
export async function loadReturnedPayments(
  { db }: Pick<Services, 'db'>,
  locationCode: string,
  entries: readonly LeaseEntry[],
): Promise<(entry: LeaseEntry) => boolean> {
  const orderIds = [...new Set(entries.map(({ orderId }) => orderId).filter(Boolean))]
  if (orderIds.length === 0) return () => false
  const returned = await db.read
    .selectFrom('ledger_entries')
    .leftJoin('counter_receipts', 'receipt_id', 'order_id')
    .select(['order_id', 'lease_number', 'ledger_entries.cents'])
    .where('ledger_entries.location_code', '=', locationCode)
    .where('order_id', 'in', orderIds)
    .where('kind', '=', 'reversal')
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', '=', 'returned')]))
    .execute()
  return ({ orderId, leaseNumber, cents }) =>
    returned.some((row) => row.order_id === orderId && row.lease_number === leaseNumber && row.cents === cents)
}

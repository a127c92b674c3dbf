import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { requireToday } from '../leases/lock-lease-row.ts'
import { loadStanding, type StaffEntry } from './add-staff-ledger-entries.ts'
import type { LedgerSteps } from './ledger-operation.ts'
import { reverseUnbegunPeriods } from './reverse-payment.ts'
import { shownEntry, type WrittenEntries } from './rules/ledger-operation-result-types.ts'
import { updateStanding } from './update-standing.ts'

/** A refund to post to a lease's ledger. */
export interface RefundToPost {
  lease: LeaseKey
  refundId: string
  orderId: string
  cents: Cents
  description: string
  /** Whether the refund is offset by a credit. Otherwise the refunded charges are owed again. */
  forgiven: boolean
  /**
   * First day of the periods that the payment paid ahead, if the payment is refunded in full: the charges of periods
   * not begun are then reversed instead of owed, unless the refund is forgiven. null otherwise.
   */
  ahead: IsoDate | null
}

/**
 * Writes the ledger entries of a refund. The caller has locked the lease.
 * @throws RefusalError with 409 when this refund was written already
 */
export async function postRefund(act: LedgerSteps, refund: RefundToPost): Promise<WrittenEntries> {
  const { tx, services } = act
  const { lease, orderId, cents, description, forgiven, ahead } = refund
  const paymentEntry = await tx
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where('order_id', '=', orderId)
    .where('lease_number', '=', lease.lease_number)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  const once = `refund:${refund.refundId}`
  const corrects = paymentEntry && { corrects: paymentEntry.entry_id }
  const entries: StaffEntry[] = [{ kind: 'refund', cents, description, once, orderId, ...corrects }]
  if (forgiven)
    entries.push({ kind: 'credit', cents: -cents, description: 'Forgiven with the refund', once: `${once}:forgiven` })
  const written = await act.write(lease, entries)
  if (ahead === null || forgiven) return written
  const today = await requireToday(tx, services, lease.location_code)
  const reversals = await reverseUnbegunPeriods(tx, services, lease, { orderId, today, from: ahead })
  await updateStanding(tx, services, lease)
  return {
    ...written,
    entries: [...written.entries, ...reversals.map(shownEntry)],
    after: await loadStanding(tx, lease),
  }
}

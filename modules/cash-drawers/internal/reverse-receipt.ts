/** Locks receipts, and reverses those that staff void or whose check or money order the bank returned. */
import type { Kysely } from 'kysely'
import type { EntryReason } from '../../../domain/office/ledger-entry-reasons.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLeaseRow, requireToday } from '../../leases/lock-lease-row.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { addStaffEntries, type StaffEntry } from '../../standing/add-staff-ledger-entries.ts'
import type { WrittenEntries } from '../../standing/rules/ledger-operation-result-types.ts'
import type { CounterReceipt } from './receipt-reversal-refusals.ts'

/**
 * Locks a receipt of a facility.
 * @throws RefusalError where the facility has no such receipt
 */
export async function lockReceipt(
  tx: Kysely<Tables>,
  key: { location_code: string; receipt_id: string },
): Promise<CounterReceipt> {
  const receipt = await tx
    .selectFrom('counter_receipts')
    .selectAll()
    .where('receipt_id', '=', key.receipt_id)
    .where('location_code', '=', key.location_code)
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!receipt) throw new RefusalError(recordNotFound)
  return receipt
}

/** Reversal of a receipt, as stored with the receipt and with its ledger entries. */
interface Reversal {
  state: 'voided' | 'returned'
  /** Reason of the ledger entries; '' in a preview without a reason. */
  reason: EntryReason | ''
  note: string
  /** Reason as stored with the receipt. */
  storedReason: string
  /** Description of the ledger entries. */
  description: string
  /** Returns further entries for the first of the receipt's leases, such as a fee. */
  more?: (unitTypeId: number) => StaffEntry[]
}

/**
 * Ends a locked receipt and reverses its entries, lease by lease.
 * @returns the entries on each lease
 */
export async function reverseReceipt(
  act: Pick<OfficeContext, 'tx' | 'services' | 'staff'>,
  receipt: CounterReceipt,
  { state, reason, note, storedReason, description, more }: Reversal,
): Promise<WrittenEntries[]> {
  const { tx, services, staff } = act
  const { location_code, receipt_id } = receipt
  await tx
    .updateTable('counter_receipts')
    .set({
      state,
      ended_by: staff.staffId,
      ended_at: services.clock.now(),
      ended_on: await requireToday(tx, services, location_code),
      ended_reason: storedReason,
      ended_note: note,
    })
    .where('receipt_id', '=', receipt_id)
    .execute()
  const paid = await tx
    .selectFrom('ledger_entries')
    .select(['entry_id', 'lease_number', 'cents'])
    .where('order_id', '=', receipt_id)
    .where('kind', '=', 'payment')
    .orderBy('lease_number')
    .execute()
  const leases: WrittenEntries[] = []
  for (const [index, { entry_id, lease_number, cents }] of paid.entries()) {
    const lease = await lockLeaseRow(tx, { location_code, lease_number })
    if (!lease) throw new Error(`There is no lease ${lease_number} at ${location_code}`)
    const reversal: StaffEntry = {
      kind: 'reversal',
      cents: -cents,
      description,
      corrects: entry_id,
      once: `order:${receipt_id}:reversal`,
      orderId: receipt_id,
    }
    const entries = index === 0 && more ? [reversal, ...more(lease.unit_type_id)] : [reversal]
    const entryAct = state === 'voided' ? 'void' : 'return'
    leases.push(await addStaffEntries(act, { lease, act: entryAct, reason, note, entries }))
  }
  return leases
}

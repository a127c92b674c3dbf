/** Reverses receipts: voided on the same day while still in the drawer, or returned by the bank later. */
import type { Kysely, Selectable } from 'kysely'
import type { EntryReason } from '../../domain/office/entry-reasons.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { engineOf } from '../../platform/database/engine.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { type Refusal, RefusalError, refuse } from '../../platform/operations/outcome.ts'
import type { CounterReceiptsTable, Tables } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-price-facts.ts'
import { lockLease } from '../leases/lock-lease.ts'
import type { ApprovableContext } from '../staff/approvable-operation.ts'
import { addStaffEntries, type StaffEntry, type WrittenEntries } from '../standing/staff-ledger-entries.ts'
import { addNote } from '../tenants/add-note.ts'
import { setFlag } from '../tenants/flags.ts'
import { lockDrawer } from './load-drawers.ts'
import { returnedCheckFeeEntries } from './returned-check-fee.ts'
import {
  type CounterMethod,
  describeCounterPayment,
  type ReceiptState,
  type ReturnReason,
  returnReasons,
} from './rules/counter-receipts.ts'
import {
  notACheck,
  returnedAlready,
  returnedEntry,
  returnOnlyDeposited,
  voidedAlready,
  voidedEntry,
  voidOnlyHeld,
  voidOnlySameDay,
} from './texts/counter.ts'

export type CounterReceipt = Selectable<CounterReceiptsTable>

/** Result of voiding a receipt or returning its check. */
export interface ReversedReceipt {
  receiptId: string
  tenantId: number
  cents: number
  method: CounterMethod
  checkNumber: string
  leases: WrittenEntries[]
}

export const receiptById = (db: Kysely<Tables>, receiptId: string): Promise<CounterReceipt | undefined> =>
  db.selectFrom('counter_receipts').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()

/**
 * Locks a receipt at this facility.
 * @throws RefusalError where the facility has no such receipt
 */
async function lockReceipt(
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

/**
 * Ends a receipt and reverses its entries, lease by lease.
 * @param options `more` returns further entries of the first lease
 */
async function reverseReceipt(
  act: ApprovableContext,
  options: {
    receipt: CounterReceipt
    state: Extract<ReceiptState, 'voided' | 'returned'>
    reason: EntryReason | ''
    note: string
    /** Reason as stored with the receipt. */
    storedReason: string
    description: string
    more?: (unitTypeId: number) => StaffEntry[]
  },
): Promise<ReversedReceipt> {
  const { receipt } = options
  const { tx } = act
  const paid = await tx
    .selectFrom('ledger_entries')
    .select(['entry_id', 'lease_number', 'cents'])
    .where('order_id', '=', receipt.receipt_id)
    .where('kind', '=', 'payment')
    .orderBy('lease_number')
    .execute()
  const leases: WrittenEntries[] = []
  for (const [index, entry] of paid.entries()) {
    const lease = await lockLease(tx, { location_code: receipt.location_code, lease_number: entry.lease_number })
    if (!lease) throw new Error(`There is no lease ${entry.lease_number} at ${receipt.location_code}`)
    const reversal: StaffEntry = {
      kind: 'reversal',
      cents: -entry.cents,
      description: options.description,
      corrects: entry.entry_id,
      once: `order:${receipt.receipt_id}:reversal`,
      orderId: receipt.receipt_id,
    }
    const entries = index === 0 && options.more ? [reversal, ...options.more(lease.unit_type_id)] : [reversal]
    const { reason, note } = options
    const entryAct = options.state === 'voided' ? ('void' as const) : ('return' as const)
    leases.push(await addStaffEntries(act, { lease, act: entryAct, reason, note, entries }))
    if (index === 0) await endReceipt(act, { ...options, timeZone: lease.time_zone })
  }
  return {
    receiptId: receipt.receipt_id,
    tenantId: receipt.tenant_id,
    cents: receipt.cents,
    leases,
    method: receipt.method,
    checkNumber: receipt.check_number,
  }
}

async function endReceipt(
  { tx, services, staff }: ApprovableContext,
  ending: { receipt: CounterReceipt; state: ReceiptState; storedReason: string; note: string; timeZone: string },
): Promise<void> {
  const now = services.clock.now()
  await tx
    .updateTable('counter_receipts')
    .set({
      state: ending.state,
      ended_by: staff.staffId,
      ended_at: now,
      ended_on: todayIn(ending.timeZone, now),
      ended_reason: ending.storedReason,
      ended_note: ending.note,
    })
    .where('receipt_id', '=', ending.receipt.receipt_id)
    .execute()
}

/**
 * Returns why a receipt cannot be voided; null where it can.
 * @param today date at the facility
 */
export function voidRefusal(receipt: CounterReceipt, drawerState: string, today: string): Refusal | null {
  if (receipt.state === 'voided') return refuse(409, 'voided', voidedAlready)
  if (receipt.state === 'returned') return refuse(409, 'returned', returnedAlready)
  if (receipt.state !== 'held' || drawerState !== 'open') return refuse(409, 'deposited', voidOnlyHeld)
  return receipt.received_on === today ? null : refuse(409, 'another_day', voidOnlySameDay)
}

/** Returns why a check cannot be returned; null where it can. */
export function checkReturnRefusal(receipt: CounterReceipt): Refusal | null {
  if (receipt.state === 'returned') return refuse(409, 'returned', returnedAlready)
  if (receipt.state === 'voided') return refuse(409, 'voided', voidedAlready)
  if (receipt.method === 'cash') return refuse(409, 'cash', notACheck)
  return receipt.state === 'held' ? refuse(409, 'held', returnOnlyDeposited) : null
}

async function loadTimeZone(tx: Kysely<Tables>, locationCode: string): Promise<string> {
  const row = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return row?.time_zone ?? 'UTC'
}

/** Voids a receipt. Lock order: drawer, receipt, leases. */
export async function voidReceipt(
  act: ApprovableContext,
  input: { location_code: string; receipt_id: string; reason: EntryReason | ''; note: string },
): Promise<ReversedReceipt> {
  const { tx, services } = act
  const unlocked = await receiptById(tx, input.receipt_id)
  const drawer = unlocked && (await lockDrawer(tx, unlocked.batch_id))
  const receipt = await lockReceipt(tx, input)
  const today = todayIn(await loadTimeZone(tx, receipt.location_code), services.clock.now())
  const refusal = voidRefusal(receipt, drawer?.state ?? '', today)
  if (refusal) throw new RefusalError(refusal)
  const { receipt_id: receiptId } = receipt
  await enqueue(tx, { kind: 'receipt_voided', once: receiptId, payload: { receiptId }, runAt: services.clock.now() })
  return reverseReceipt(act, {
    receipt,
    state: 'voided',
    reason: input.reason,
    note: input.note,
    storedReason: input.reason,
    description: voidedEntry(describeCounterPayment(receipt.method, receipt.check_number)),
  })
}

/** Records that the bank returned a check: reversal, fee, flag "no checks", mail. Lock order: receipt, leases. */
export async function returnCheck(
  act: ApprovableContext,
  input: { location_code: string; receipt_id: string; bank_reason: ReturnReason; note: string },
  /** Facility whose fee is charged; undefined to charge none. */
  facts: FacilityFacts | undefined,
): Promise<ReversedReceipt> {
  const { tx, services, staff } = act
  const receipt = await lockReceipt(tx, input)
  const refusal = checkReturnRefusal(receipt)
  if (refusal) throw new RefusalError(refusal)
  const paymentName = describeCounterPayment(receipt.method, receipt.check_number)
  const reversed = await reverseReceipt(act, {
    receipt,
    state: 'returned',
    reason: 'returned-check',
    note: input.note,
    storedReason: input.bank_reason,
    description: returnedEntry(paymentName),
    more: (unitTypeId) => returnedCheckFeeEntries(facts, unitTypeId, receipt.receipt_id),
  })
  const { location_code: locationCode, tenant_id: tenantId, receipt_id: receiptId } = receipt
  await addNote(tx, services, {
    locationCode,
    tenantId,
    note: `${paymentName} was returned by the bank: ${returnReasons[input.bank_reason].toLowerCase()} (receipt ${receiptId}).`,
  })
  if (receipt.method === 'check') {
    const note = `${paymentName} came back`
    await setFlag(tx, services, {
      locationCode,
      tenantId,
      flag: 'no_checks',
      note,
      staffId: staff.staffId,
    })
  }
  await enqueue(tx, { kind: 'check_returned', once: receiptId, payload: { receiptId }, runAt: services.clock.now() })
  return reversed
}

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
import type { OfficeContext } from '../staff/office-operation.ts'
import { addStaffEntries, type StaffEntry, type WrittenEntries } from '../standing/staff-ledger-entries.ts'
import { setFlag } from '../tenants/flags.ts'
import { addNote } from '../tenants/notes.ts'
import { lockDrawer } from './drawers.ts'
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
 * @throws RefusalError where it does not exist there
 */
async function lockReceipt(
  tx: Kysely<Tables>,
  of: { location_code: string; receipt_id: string },
): Promise<CounterReceipt> {
  const receipt = await tx
    .selectFrom('counter_receipts')
    .selectAll()
    .where('receipt_id', '=', of.receipt_id)
    .where('location_code', '=', of.location_code)
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!receipt) throw new RefusalError(recordNotFound)
  return receipt
}

/**
 * Ends a receipt and reverses its entries, lease by lease.
 * @param of `more` returns further entries of the first lease
 */
async function takeBack(
  act: OfficeContext,
  of: {
    receipt: CounterReceipt
    state: Extract<ReceiptState, 'voided' | 'returned'>
    reason: EntryReason | ''
    note: string
    /** Reason as stored with the receipt. */
    because: string
    description: string
    more?: (unitTypeId: number) => StaffEntry[]
  },
): Promise<ReversedReceipt> {
  const { receipt } = of
  const { tx } = act
  const paid = await tx
    .selectFrom('ledger_entries')
    .select(['entry_id', 'lease_number', 'cents'])
    .where('order_id', '=', receipt.receipt_id)
    .where('kind', '=', 'payment')
    .orderBy('lease_number')
    .execute()
  const leases: WrittenEntries[] = []
  for (const [at, entry] of paid.entries()) {
    const lease = await lockLease(tx, { location_code: receipt.location_code, lease_number: entry.lease_number })
    if (!lease) throw new Error(`There is no lease ${entry.lease_number} at ${receipt.location_code}`)
    const reversal: StaffEntry = {
      kind: 'reversal',
      cents: -entry.cents,
      description: of.description,
      corrects: entry.entry_id,
      once: `order:${receipt.receipt_id}:reversal`,
      orderId: receipt.receipt_id,
    }
    const entries = at === 0 && of.more ? [reversal, ...of.more(lease.unit_type_id)] : [reversal]
    const { reason, note } = of
    const why = of.state === 'voided' ? ('void' as const) : ('return' as const)
    leases.push(await addStaffEntries(act, { lease, act: why, reason, note, entries }))
    if (at === 0) await endReceipt(act, { ...of, timeZone: lease.time_zone })
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
  { tx, services, staff }: OfficeContext,
  of: { receipt: CounterReceipt; state: ReceiptState; because: string; note: string; timeZone: string },
): Promise<void> {
  const now = services.clock.now()
  await tx
    .updateTable('counter_receipts')
    .set({
      state: of.state,
      ended_by: staff.staffId,
      ended_at: now,
      ended_on: todayIn(of.timeZone, now),
      ended_reason: of.because,
      ended_note: of.note,
    })
    .where('receipt_id', '=', of.receipt.receipt_id)
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

async function timeZoneAt(tx: Kysely<Tables>, locationCode: string): Promise<string> {
  const row = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return row?.time_zone ?? 'UTC'
}

/** Voids a receipt. Lock order: drawer, receipt, leases. */
export async function voidReceipt(
  act: OfficeContext,
  input: { location_code: string; receipt_id: string; reason: EntryReason | ''; note: string },
): Promise<ReversedReceipt> {
  const { tx, services } = act
  const known = await receiptById(tx, input.receipt_id)
  const drawer = known && (await lockDrawer(tx, known.batch_id))
  const receipt = await lockReceipt(tx, input)
  const today = todayIn(await timeZoneAt(tx, receipt.location_code), services.clock.now())
  const refused = voidRefusal(receipt, drawer?.state ?? '', today)
  if (refused) throw new RefusalError(refused)
  const { receipt_id: receiptId } = receipt
  await enqueue(tx, { kind: 'receipt_voided', once: receiptId, payload: { receiptId }, runAt: services.clock.now() })
  return takeBack(act, {
    receipt,
    state: 'voided',
    reason: input.reason,
    note: input.note,
    because: input.reason,
    description: voidedEntry(describeCounterPayment(receipt.method, receipt.check_number)),
  })
}

/** Records that the bank returned a check: reversal, fee, flag "no checks", mail. Lock order: receipt, leases. */
export async function returnCheck(
  act: OfficeContext,
  input: { location_code: string; receipt_id: string; bank_reason: ReturnReason; note: string },
  /** Facility whose fee is charged; undefined to charge none. */
  facts: FacilityFacts | undefined,
): Promise<ReversedReceipt> {
  const { tx, services, staff } = act
  const receipt = await lockReceipt(tx, input)
  const refused = checkReturnRefusal(receipt)
  if (refused) throw new RefusalError(refused)
  const what = describeCounterPayment(receipt.method, receipt.check_number)
  const taken = await takeBack(act, {
    receipt,
    state: 'returned',
    reason: 'returned-check',
    note: input.note,
    because: input.bank_reason,
    description: returnedEntry(what),
    more: (unitTypeId) => returnedCheckFeeEntries(facts, unitTypeId, receipt.receipt_id),
  })
  const { location_code: locationCode, tenant_id: tenantId, receipt_id: receiptId } = receipt
  await addNote(tx, services, {
    locationCode,
    tenantId,
    note: `${what} was returned by the bank: ${returnReasons[input.bank_reason].toLowerCase()} (receipt ${receiptId}).`,
  })
  if (receipt.method === 'check') {
    const note = `${what} came back`
    await setFlag(tx, services, {
      locationCode,
      tenantId,
      flag: 'no_checks',
      note,
      staffId: staff.staffId,
    })
  }
  await enqueue(tx, { kind: 'check_returned', once: receiptId, payload: { receiptId }, runAt: services.clock.now() })
  return taken
}

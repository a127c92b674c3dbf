/** A counter receipt, and whether it can be voided, or its check or money order returned. */
import type { Kysely, Selectable } from 'kysely'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { CounterReceiptsTable, Tables } from '../../../platform/schema/tables.ts'
import {
  notACheck,
  returnedAlready,
  returnOnlyDeposited,
  voidedAlready,
  voidOnlyHeld,
  voidOnlySameDay,
} from '../texts/counter.ts'

export type CounterReceipt = Selectable<CounterReceiptsTable>

export const loadReceipt = (db: Kysely<Tables>, receiptId: string): Promise<CounterReceipt | undefined> =>
  db.selectFrom('counter_receipts').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()

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

/** Returns why a receipt's check or money order cannot be returned; null where it can. */
export function checkReturnRefusal(receipt: CounterReceipt): Refusal | null {
  if (receipt.state === 'returned') return refuse(409, 'returned', returnedAlready)
  if (receipt.state === 'voided') return refuse(409, 'voided', voidedAlready)
  if (receipt.method === 'cash') return refuse(409, 'cash', notACheck)
  return receipt.state === 'held' ? refuse(409, 'held', returnOnlyDeposited) : null
}

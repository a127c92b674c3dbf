/** Locks drawers, and moves the receipts of a locked drawer to their next state. */
import type { Kysely } from 'kysely'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Drawer } from '../load-drawers.ts'

/**
 * Locks a drawer, so that of a receipt and a count at the same time the later one sees the earlier one.
 * @returns the drawer; undefined when unknown
 */
export const lockDrawer = (tx: Kysely<Tables>, batchId: string): Promise<Drawer | undefined> =>
  tx
    .selectFrom('cash_batches')
    .selectAll()
    .where('batch_id', '=', batchId)
    // `for no key update` suffices, since a drawer's key never changes.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

/**
 * Locks a drawer of a facility.
 * @throws RefusalError where the facility has no such drawer
 */
export async function lockDrawerAt(
  tx: Kysely<Tables>,
  key: { batch_id: string; location_code: string },
): Promise<Drawer> {
  const drawer = await lockDrawer(tx, key.batch_id)
  if (drawer?.location_code !== key.location_code) throw new RefusalError(recordNotFound)
  return drawer
}

/** Moves the receipts of a locked drawer from one state to the next. */
export async function moveReceipts(
  tx: Kysely<Tables>,
  { batch_id }: Drawer,
  ...[from, to]: ['held', 'deposited'] | ['deposited', 'matched']
): Promise<void> {
  await tx
    .updateTable('counter_receipts')
    .set({ state: to })
    .where('batch_id', '=', batch_id)
    .where('state', '=', from)
    .execute()
}

/**
 * Loads drawers and their totals, and decides who may count them. A drawer is opened with a float, and its count closes
 * it. Then a staff member other than the one who counted it matches its deposit with the bank.
 */

import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { facilityCodesForSqlIn } from '../../platform/database/facility-codes-for-sql-in.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { facilitiesFor, grantAt } from '../../platform/operations/facilities-of-staff.ts'
import type { CashBatchesTable, Tables } from '../../platform/schema/tables.ts'
import { type CentsByMethod, type CountByMethod, zeroByMethod } from './rules/counter-receipt-methods-and-states.ts'

/** Initial values of a cash drawer's count columns, which they keep while the drawer is open. */
export const uncounted = {
  state: 'open',
  closed_by: null,
  closed_at: null,
  closed_on: null,
  system_cash: null,
  system_checks: null,
  system_money_orders: null,
  counted_cash: null,
  counted_checks: null,
  counted_money_orders: null,
  deposit_cents: null,
  difference_reason: '',
  bag_number: '',
} as const

/** Values of the columns about a deposit's match with the bank, which they keep until the deposit is matched. */
export const unmatched = {
  matched_by: null,
  matched_at: null,
  matched_on: null,
  matched_cents: null,
  match_note: '',
} as const

export type Drawer = Selectable<CashBatchesTable>

/** Returns the condition that a receipt counts in its drawer: it was not voided. */
export const isNotVoided = (eb: ExpressionBuilder<Tables, 'counter_receipts'>): Expression<SqlBool> =>
  eb('counter_receipts.state', '!=', 'voided')

/** Returns the sum and number of a drawer's receipts by method, without voided ones. */
export async function loadDrawerTotals(
  db: Kysely<Tables>,
  batchId: string,
): Promise<{ cents: CentsByMethod; count: CountByMethod }> {
  const rows = await db
    .selectFrom('counter_receipts')
    .select((eb) => ['method', eb.fn.sum<number>('cents').as('cents'), eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .where(isNotVoided)
    .groupBy('method')
    .execute()
  const numbersOf = (field: 'cents' | 'count') => ({
    ...zeroByMethod,
    ...Object.fromEntries(rows.map((row) => [row.method, Number(row[field])])),
  })
  return { cents: numbersOf('cents'), count: numbersOf('count') }
}

/**
 * Returns whether a staff member may count a drawer: with 'drawer.count', and with 'receipt.void' too if another staff
 * member opened it.
 */
export const mayCount = (caller: StaffCaller, drawer: Drawer): boolean =>
  grantAt(caller, 'drawer.count', drawer.location_code) !== undefined &&
  (drawer.opened_by === caller.staffId || grantAt(caller, 'receipt.void', drawer.location_code) !== undefined)

/** Returns the condition in SQL for the drawers that a staff member may count, as `mayCount` decides it. */
export const isCountableBy =
  (caller: StaffCaller) =>
  (eb: ExpressionBuilder<Tables, 'cash_batches'>): Expression<SqlBool> => {
    const isAt = (permission: Permission) => {
      const facilities = facilitiesFor(caller, permission)
      return facilities === 'all'
        ? eb.lit(true)
        : eb('cash_batches.location_code', 'in', facilityCodesForSqlIn([...facilities]))
    }
    return eb.and([
      isAt('drawer.count'),
      eb.or([eb('cash_batches.opened_by', '=', caller.staffId), isAt('receipt.void')]),
    ])
  }

export const loadDrawer = (db: Kysely<Tables>, batchId: string): Promise<Drawer | undefined> =>
  db.selectFrom('cash_batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst()

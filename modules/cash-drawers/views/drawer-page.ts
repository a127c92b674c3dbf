/** Loads the data of a drawer's page. */

import type { Kysely } from 'kysely'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type Drawer, loadDrawerTotals, mayCount } from '../load-drawers.ts'
import { type CentsByMethod, type CountByMethod, totalOfMethods } from '../rules/counter-receipt-methods-and-states.ts'
import { countedByYourself } from '../texts/counter.ts'
import { type ListedReceipt, loadDrawerReceipts } from './receipt-lists.ts'

/** Sums and numbers of a drawer's receipts by payment method, with which its count is compared. */
export interface ExpectedCount {
  /** Sum of the receipts by method, in cents. */
  system: CentsByMethod
  /** Number of receipts by method. */
  number: CountByMethod
}

export interface DrawerPage {
  /** Receipts of the drawer, oldest first. */
  receipts: ListedReceipt[]
  /** Expected and counted amounts; null while the drawer is open, because its count is blind. */
  count: (ExpectedCount & { counted: CentsByMethod }) | null
  mayCount: boolean
  mayReceive: boolean
  /**
   * Reason against matching the deposit with the bank, as a sentence; '' when the staff member may match it; null
   * without the permission, or unless the drawer is closed.
   */
  matchBar: string | null
}

/** Returns the amounts that a count of the drawer is compared with. */
export async function loadExpectedCount(db: Kysely<Tables>, batchId: string): Promise<ExpectedCount> {
  const { cents, count } = await loadDrawerTotals(db, batchId)
  return { system: cents, number: count }
}

/** Returns the number of a drawer's receipts that are not voided. */
export const loadReceiptCount = async (db: Kysely<Tables>, batchId: string): Promise<number> =>
  totalOfMethods((await loadDrawerTotals(db, batchId)).count)

/** Returns the amounts recorded at the count; null while the drawer is open. */
const countedAmounts = (drawer: Drawer): { system: CentsByMethod; counted: CentsByMethod } | null =>
  drawer.closed_at === null
    ? null
    : {
        system: {
          cash: drawer.system_cash ?? 0,
          check: drawer.system_checks ?? 0,
          money_order: drawer.system_money_orders ?? 0,
        },
        counted: {
          cash: drawer.counted_cash ?? 0,
          check: drawer.counted_checks ?? 0,
          money_order: drawer.counted_money_orders ?? 0,
        },
      }

function matchBar(drawer: Drawer, caller: StaffCaller): string | null {
  if (drawer.state !== 'closed' || grantAt(caller, 'deposit.match', drawer.location_code) === undefined) return null
  return drawer.closed_by === caller.staffId ? countedByYourself : ''
}

/** Loads the receipts and the count of a drawer, and what the staff member may do with the drawer. */
export async function loadDrawerPage(db: Kysely<Tables>, caller: StaffCaller, drawer: Drawer): Promise<DrawerPage> {
  const [expected, receipts] = await Promise.all([
    loadExpectedCount(db, drawer.batch_id),
    loadDrawerReceipts(db, drawer.batch_id),
  ])
  const count = countedAmounts(drawer)
  return {
    receipts,
    count: count && { system: count.system, number: expected.number, counted: count.counted },
    mayCount: drawer.state === 'open' && mayCount(caller, drawer),
    mayReceive: drawer.state === 'open' && grantAt(caller, 'payment.receive', drawer.location_code) !== undefined,
    matchBar: matchBar(drawer, caller),
  }
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { ordersOfLease } from './allocations.ts'
import { underWay } from './payment.ts'

/** Whether a payment for a lease is being made, or has arrived and is not in the books yet. */
export async function isMoneyOnItsWay(tx: Kysely<Tables>, lease: LeaseKey): Promise<boolean> {
  const order = await ordersOfLease(tx, lease)
    .select('order_id')
    .where('state', 'in', underWay)
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}

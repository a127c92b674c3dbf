import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { inProgressStates } from './payment.ts'
import { ordersOfLease } from './payment-shares.ts'

/** Returns whether the lease has a payment in progress, or one that is captured but not posted yet. */
export async function isPaymentPending(tx: Kysely<Tables>, lease: LeaseKey): Promise<boolean> {
  const order = await ordersOfLease(tx, lease)
    .select('order_id')
    .where('state', 'in', inProgressStates)
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { capturedStates, inProgressStates } from './payment.ts'
import { ordersOfLease } from './payment-shares-by-lease.ts'
import type { PaymentState } from './rules/payment-states.ts'

/** Returns whether the lease has a payment that is open, captured or in manual review, but not posted yet. */
export const isPaymentPending = (tx: Kysely<Tables>, lease: LeaseKey): Promise<boolean> =>
  hasPaymentIn(tx, lease, inProgressStates)

/** Returns whether the lease has a payment that is captured or in manual review, but not posted yet. */
export const hasCapturedPayment = (tx: Kysely<Tables>, lease: LeaseKey): Promise<boolean> =>
  hasPaymentIn(tx, lease, capturedStates)

async function hasPaymentIn(tx: Kysely<Tables>, lease: LeaseKey, states: PaymentState[]): Promise<boolean> {
  const order = await ordersOfLease(tx, lease)
    .select('order_id')
    .where('state', 'in', states)
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}

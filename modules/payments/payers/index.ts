/** Everybody who pays, by kind, and the machine of modules/payments/orders.ts with all of them in it. */
import type { Services } from '../../../platform/operations/services.ts'
import { openOrdersOf, type PaidFor } from '../orders.ts'
import type { FaultPoint, Payer, Payment, Settled } from '../payment.ts'
import { reconcilePayments as complete } from '../reconcile.ts'
import { settlePayment as settle } from '../settle.ts'
import { autopayPayer, guestPayer, tenantPayer } from './lease.ts'
import { auctionPayer, settlementPayer } from './links.ts'
import { moveInPayer } from './move-in.ts'

export const payers: Record<string, Payer> = {
  move_in: moveInPayer,
  tenant: tenantPayer,
  guest: guestPayer,
  autopay: autopayPayer,
  auction: auctionPayer,
  settlement: settlementPayer,
}

/** Moves a payment as far as it goes; see modules/payments/orders.ts. */
export const settlePayment = (
  services: Services,
  orderId: string,
  crash?: FaultPoint,
  known?: Payment,
): Promise<Settled> => settle(services, payers, orderId, crash, known)

/** Finishes without the browser what was begun with it; see modules/payments/orders.ts. */
export const reconcilePayments = (services: Services, stopping?: () => boolean): Promise<number> =>
  complete(services, payers, stopping)

/**
 * Asks about every order of a thing that is still open: one may have been paid and not come back yet. Before another card
 * page opens, so that nobody pays twice (case 11).
 * @returns the order that turned out paid, and whether the provider could not be asked about one
 */
export async function settleOrdersOf(
  services: Services,
  what: PaidFor,
): Promise<{ posted: string | null; unreachable: boolean }> {
  return settleOrders(services, await openOrdersOf(services, what))
}

/** The same for orders that are known to be open, or captured. */
export async function settleOrders(
  services: Services,
  orderIds: readonly string[],
): Promise<{ posted: string | null; unreachable: boolean }> {
  let posted: string | null = null
  let unreachable = false
  // All at once: there may be many orders of guests, and the account holder is not to wait for each of them.
  await Promise.all(
    orderIds.map(async (orderId) => {
      const settled = await settlePayment(services, orderId)
      if (settled.state === 'posted') posted = orderId
      if (settled.state === 'checking' && settled.unreachable) unreachable = true
    }),
  )
  return { posted, unreachable }
}

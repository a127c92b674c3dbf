/** Back from the card page: one way for every payer, whatever pages stand around it (case 6 and 7). */
import { redirect } from 'react-router'
import { refundReason } from '../../domain/payment.ts'
import { formatPhone } from '../../domain/phone.ts'
import type { MessageCode } from '../../domain/texts/by-code.ts'
import * as messages from '../../domain/texts/payment.ts'
import { settlePayment } from '../../paying/payers.ts'
import { type Payment, paymentOf } from '../../paying/payment.ts'
import { isOwnPayment } from '../../paying/receipt.ts'
import { phoneFor } from '../../site-records/find-storage.ts'
import type { House } from '../../storage-system/operation.ts'
import { alertAndGo, type Site } from '../site.ts'
import type { Outcome, WentBack } from './parts/pay-parts.tsx'
import { pagesOf } from './payers.ts'

/** Says on the method page that the card page was left; see `LeftCardPage`. */
export const LEFT = '?left=true'

export interface Return {
  payer: Payment['payer']
  /** The method page: after a cancelled card page, and once the tries are used up. */
  method: string
  /** Where an order that is not this session's own leads, and what is said there. */
  otherwise: { say: MessageCode; path: string }
  /** Where a paid order leads. */
  done(payment: Payment, leaseNumber: number | null): string | Promise<string>
}

/**
 * Moves the session's own order on and sends the browser where it belongs. Nothing in the address is believed but the
 * order's number.
 * @returns what is shown while it is neither paid nor refused
 * @throws a redirect everywhere else
 */
export async function settleReturn(site: Site, request: Request, to: Return): Promise<Outcome> {
  const { house, session } = site
  const orderId = new URL(request.url).searchParams.get('order') ?? session.ids.orderId ?? ''
  const payment = orderId === '' ? undefined : await paymentOf(house, orderId)
  if (!payment || payment.payer !== to.payer || !isOwnPayment(await site.callers(), payment)) {
    noteForeignOrder(house, orderId, payment)
    return alertAndGo(site, to.otherwise.say, to.otherwise.path)
  }
  if (session.ids.orderId !== orderId) session.set({ orderId })
  const settled = await settlePayment(house, orderId)
  switch (settled.state) {
    case 'posted':
      throw redirect(await to.done(payment, settled.leaseNumber))
    case 'declined':
      // Another window may have begun another checkout meanwhile: why this one failed is told beside its own price.
      if (to.payer === 'tenant' || to.payer === 'guest') session.set({ checkout: payment.quote_id ?? undefined })
      throw redirect(
        settled.retriesUsedUp || payment.method === 'ACH' ? to.method : `${pagesOf(to.payer).process}?retry=true`,
      )
    case 'cancelled':
      throw gaveUp(site, payment, to.method)
    case 'unknown':
      return alertAndGo(site, to.otherwise.say, to.otherwise.path)
    default:
      return {
        brand: site.brand.name,
        state: settled.state,
        orderId,
        amount: payment.amount,
        phone: await phoneAt(site, payment.location_code),
        wentBack: settled.state === 'refund' ? await wentBack(site, orderId) : null,
      }
  }
}

/** An order of another session is worth a look; a page that was opened without an order is not. */
export function noteForeignOrder(
  house: Pick<House, 'security'>,
  orderId: string,
  payment: Pick<Payment, 'order_id'> | undefined,
): void {
  if (orderId !== '') house.security.record('order.foreign', { operation: 'card return', order: payment?.order_id })
}

/** An order that is closed and unpaid: a card page that was left, or a bank that never took the debit it was asked for. */
export function gaveUp(site: Site, payment: Pick<Payment, 'method'>, method: string): Response {
  return payment.method === 'ACH' ? alertAndGo(site, 'achFailed', method) : redirect(`${method}${LEFT}`)
}

/** Why a payment could not be counted, for the page that says that its money goes back. */
export async function wentBack({ house }: Site, orderId: string): Promise<WentBack> {
  const trouble = (await paymentOf(house, orderId))?.trouble ?? ''
  const title = trouble === 'already_paid' ? messages.paymentAlreadyProcessed : 'This payment could not be counted'
  return { trouble, title, why: refundReason(trouble) }
}

/** The number to call about a facility, as it stands on a page. */
export async function phoneAt({ house }: Site, locationCode: string): Promise<string> {
  const location = await house.db.read
    .selectFrom('locations')
    .select(['phone', 'state'])
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  return formatPhone(await phoneFor(house, location ?? null))
}

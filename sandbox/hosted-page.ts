import type { IncomingMessage } from 'node:http'
import { cardPage, closedPage } from './card-page-html.ts'
import type { Order } from './provider-ledger.ts'
import { readBody } from './request-body.ts'
import { page, type RouteResponse, redirect, returnAddress } from './responses.ts'
import type { SandboxParts } from './route-dependencies.ts'
import { type CardEntry, checkEntry, testCard } from './test-cards.ts'

/** Answers a card page that cannot be paid: unknown, expired, or finished, which redirects to the return URL. */
export function closedCardPage(order: Order | null): RouteResponse {
  if (!order)
    return page(
      closedPage('This card page does not exist', 'The address is incomplete, or the page was never made.', null),
      { status: 404, framed: true },
    )
  if (order.state !== 'open') return redirect(returnAddress(order))
  const text = 'It was open for an hour. Nothing was charged. Please go back and start the payment again.'
  const back = {
    href: `/pay/${order.session_token}/cancel`,
    target: order.return_target === '_self' ? '_self' : '_top',
  }
  return page(closedPage('This card page has expired', text, back), {
    status: 410,
    framed: order.may_be_framed === 1,
  })
}

export function showCardPage(order: Order, entry?: CardEntry, errors?: Parameters<typeof cardPage>[1]): RouteResponse {
  return page(cardPage(order, { entry, ...errors }), {
    status: errors ? 422 : 200,
    framed: order.may_be_framed === 1,
    returnUrl: order.return_url,
  })
}

/**
 * Handles the submitted card form: shows its errors, or pays with the card and redirects to the return URL. Some test
 * cards and faults cut the connection instead.
 */
export async function pay(sandbox: SandboxParts, order: Order, request: IncomingMessage): Promise<RouteResponse> {
  const form = new URLSearchParams(await readBody(request))
  const fieldValue = (name: string) => (form.get(name) ?? '').slice(0, 200)
  const entry: CardEntry = {
    number: fieldValue('number'),
    expiry: fieldValue('expiry'),
    cvv: fieldValue('cvv'),
    name: fieldValue('name'),
    zip: fieldValue('zip'),
  }
  const result = checkEntry(entry, sandbox.clock.now())
  if ('errors' in result) return showCardPage(order, entry, { errors: result.errors })
  return sandbox.faults.apply('page', order.order_id, async () => {
    const paidOrder = await sandbox.faults.charge(testCard(result.payer.card), () =>
      sandbox.ledger.pay(order.order_id, result.payer),
    )
    return paidOrder === 'cut' || paidOrder === null ? 'cut' : redirect(returnAddress(paidOrder))
  })
}

import { redirect } from 'react-router'
import { recordCardFormVisit } from '../../modules/payments/operations/record-card-form-visit.ts'
import { settleOrderInCardFrame } from '../../modules/payments/operations/settle-order-in-card-frame.ts'
import { isOwnPayment } from '../../modules/payments/rules/payment-visibility.ts'
import { loadOrderOnReturn } from '../../modules/payments/views/order-on-card-page-return.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { escapeMarkup } from '../ui/escape-markup.ts'
import type { Route } from './+types/card-frame-return'
import { pagesOf } from './payer-page-addresses.ts'

/**
 * Serves the page to which the card provider redirects its frame, and which moves the top window on. The request comes
 * from another site without cookies, so nothing in it is trusted.
 */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const { nonce, brand, services } = contextOf(context)
  if (!/^[\w-]{1,80}$/.test(params.orderId)) return new Response('There is nothing at this address.', { status: 404 })
  // The next page depends only on the kind of payer; it checks the session itself.
  const payment = await loadOrderOnReturn(services, params.orderId)
  const next = `${pagesOf(payment?.payer ?? 'move_in').returns}?order=${params.orderId}`
  const escapedBrand = escapeMarkup(brand.name)
  return new Response(
    `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Back to ${escapedBrand}</title>
<style nonce="${nonce}">
html{background:Canvas;color:CanvasText}
body{display:grid;place-content:center;min-height:100vh;margin:0;padding:1.5rem;box-sizing:border-box;font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}
a{display:inline-block;margin-top:1rem;padding:.8rem 1.6rem;border-radius:.75rem;background:#ffc83d;color:#14191c;font-weight:700;text-decoration:none}
</style>
<script nonce="${nonce}">top.location.replace('${next}')</script>
</head>
<body>
<main>
<h1>Back to ${escapedBrand}</h1>
<p>We are looking at your payment.</p>
<a href="${next}" target="_top" autofocus>Continue</a>
</main>
</body>
</html>
`,
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      },
    },
  )
}

/**
 * Settles an order for the page around the card frame, which polls this action because the frame may never return.
 * With the intent `again`, redirects the order's payer to the card page, and another browser to the outcome page.
 * @returns JSON whose `next` is the path of the outcome page, or null while the payer's order is open; 404 for an unknown
 *   order
 */
export async function action({ params, request, context }: Route.ActionArgs): Promise<Response> {
  const site = contextOf(context)
  const { services } = site
  const payment = await loadOrderOnReturn(services, params.orderId)
  if (!payment) return new Response('There is nothing at this address.', { status: 404 })
  const { returns, card } = pagesOf(payment.payer)
  const next = `${returns}?order=${payment.order_id}`
  const { intent } = await readForm(request)
  const isOwn = isOwnPayment(await site.callers(), payment)
  if (intent === 'again') {
    if (isOwn) await recordCardFormVisit(services, payment, null)
    return redirect(isOwn ? card : next)
  }
  // Without the order's session, the page of `next` shows neither names nor amounts.
  if (!isOwn) return Response.json({ next })
  await recordCardFormVisit(services, payment, services.clock.now())
  const mayLeave = await settleOrderInCardFrame(services, payment)
  return Response.json({ next: mayLeave ? next : null })
}

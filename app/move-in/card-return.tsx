import { redirect } from 'react-router'
import { recordCardFormVisit } from '../../modules/payments/card-form-visits.ts'
import { loadPayment } from '../../modules/payments/payment.ts'
import { isOwnPayment } from '../../modules/payments/receipt.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { pagesOf } from '../pay/payers.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/form-fields.ts'
import type { Route } from './+types/card-return'

/**
 * Serves the page that the card provider sends its frame to. The request comes from another site without cookies, so
 * nothing in it is trusted.
 */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const { nonce, brand, services } = contextOf(context)
  if (!/^[\w-]{1,80}$/.test(params.orderId)) return new Response('There is nothing at this address.', { status: 404 })
  // Only the order's payer decides the next page; that page checks the session.
  const payment = await loadPayment(services, params.orderId)
  const next = `${pagesOf(payment?.payer ?? 'move_in').returns}?order=${params.orderId}`
  const name = brand.name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return new Response(
    `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Back to ${name}</title>
<style nonce="${nonce}">
html{background:Canvas;color:CanvasText}
body{display:grid;place-content:center;min-height:100vh;margin:0;padding:1.5rem;box-sizing:border-box;font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}
a{display:inline-block;margin-top:1rem;padding:.8rem 1.6rem;border-radius:.75rem;background:#ffc83d;color:#14191c;font-weight:700;text-decoration:none}
</style>
<script nonce="${nonce}">top.location.replace('${next}')</script>
</head>
<body>
<main>
<h1>Back to ${name}</h1>
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
 * Reports the outcome of an order to the page around the card form, since the frame may never return.
 * With the intent `again` it reopens the form for a payer who has not sent it.
 * @returns JSON with the outcome page in `next`; null while the order is open
 */
export async function action({ params, request, context }: Route.ActionArgs): Promise<Response> {
  const site = contextOf(context)
  const { services } = site
  const payment = await loadPayment(services, params.orderId)
  if (!payment) return new Response('There is nothing at this address.', { status: 404 })
  const { returns, card } = pagesOf(payment.payer)
  const next = `${returns}?order=${payment.order_id}`
  const { intent } = await readForm(request)
  const own = isOwnPayment(await site.callers(), payment)
  if (intent === 'again') {
    if (own) await recordCardFormVisit(services, payment.order_id, null)
    return redirect(own ? card : next)
  }
  // To a browser without the order's session that page shows neither names nor sums.
  if (!own) return Response.json({ next })
  await recordCardFormVisit(services, payment.order_id, services.clock.now())
  const { state } = await settlePayment(services, payment.order_id)
  return Response.json({ next: state === 'checking' ? null : next })
}

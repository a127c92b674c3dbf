import { writeAmount, writeResult } from './parse-and-write-xml.ts'
import type { Order } from './provider-ledger.ts'
import type { ProviderResponse } from './test-cards.ts'

/** Body that is no XML, as a broken gateway sends it. */
export const GARBAGE = '<!doctype html><html><body><h1>Gateway</h1><p>&nbsp;upstream said: \u0007 RESULT</b>'

/** Response of a route; 'cut' closes the connection without a response. */
export type RouteResponse =
  | { status: number; type: string; body: string | Uint8Array; headers?: Record<string, string> }
  | 'cut'

export function xml(
  fields: Record<string, string>,
  transactions: readonly Record<string, string>[] = [],
): RouteResponse {
  return { status: 200, type: 'text/xml; charset=utf-8', body: writeResult(fields, transactions) }
}

export function refusal(response: ProviderResponse, orderId = ''): RouteResponse {
  return xml({ RESPONSECODE: response.code, RESPONSEDESCRIPTION: response.description, ORDERID: orderId })
}

export function json(value: unknown, status = 200): RouteResponse {
  return { status, type: 'application/json', body: JSON.stringify(value, null, 1) }
}

/**
 * Returns an HTML page with its Content-Security-Policy. `form-action` names the return URL's origin too, since some
 * browsers apply it to the redirect that answers a form.
 */
export function page(
  body: unknown,
  options: { status?: number; framed?: boolean; returnUrl?: string } = {},
): RouteResponse {
  const back = options.returnUrl ? ` ${new URL(options.returnUrl).origin}` : ''
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "font-src 'self'",
    'img-src data:',
    `form-action 'self'${back}`,
    "base-uri 'none'",
    `frame-ancestors ${options.framed ? '*' : "'none'"}`,
  ].join('; ')
  return {
    status: options.status ?? 200,
    type: 'text/html; charset=utf-8',
    body: String(body),
    headers: { 'content-security-policy': policy },
  }
}

export function redirect(location: string): RouteResponse {
  return { status: 303, type: 'text/plain; charset=utf-8', body: '', headers: { location } }
}

export function resultFields(order: Order): Record<string, string> {
  return {
    ORDERID: order.order_id,
    RESPONSECODE: order.response_code,
    RESPONSEDESCRIPTION: order.response_description,
    STATE: order.state.toUpperCase(),
    TRANSACTIONTYPE: order.type,
    TRANSACTIONID: order.transaction_id,
    APPROVEDAMOUNT: writeAmount(order.approved_amount),
    ALIAS: order.alias,
    CARDBRAND: order.card_brand,
    MASKEDCARDNUMBER: order.masked_card_number,
    EXPMONTH: order.exp_month,
    EXPYEAR: order.exp_year,
    CUSTOMERNAME: order.payer_name,
    ADDRESS1: order.address,
    BILLINGPOSTALCODE: order.postal_code,
    RECEIPTID: order.transaction_id === '' ? '' : String(1000 + order.id),
  }
}

/** Returns the return URL with the result added to its query. */
export function returnAddress(order: Order): string {
  const url = new URL(order.return_url)
  const { STATE: _, TRANSACTIONTYPE: __, ...fields } = resultFields(order)
  for (const [name, value] of Object.entries(fields)) if (value !== '') url.searchParams.set(name, value)
  if (order.state === 'cancelled') url.searchParams.set('action', 'cancel')
  return url.href
}

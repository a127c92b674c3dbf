import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { authenticateRequest, createSession, express } from './answer-card-provider-requests.ts'
import { handleBankRequest, returnDebit } from './bank-routes.ts'
import { testCardsPage } from './card-page-html.ts'
import { gateRoute } from './gate-page-routes.ts'
import { closedCardPage, pay, showCardPage } from './hosted-page.ts'
import type { RequestFields } from './parse-and-write-xml.ts'
import { json, page, type RouteResponse, redirect, returnAddress } from './responses.ts'
import type { SandboxParts } from './route-dependencies.ts'

type RouteOptions = Parameters<typeof testCardsPage>[0]

function asset(name: string): Uint8Array {
  return readFileSync(new URL(name, import.meta.url))
}

const assets: Record<string, { type: string; body: Uint8Array }> = {
  '/assets/pages.css': { type: 'text/css; charset=utf-8', body: asset('./pages.css') },
  '/assets/test-cards.css': { type: 'text/css; charset=utf-8', body: asset('./test-cards.css') },
  '/assets/card-page.js': { type: 'text/javascript; charset=utf-8', body: asset('./card-page.js') },
  '/assets/gate.css': { type: 'text/css; charset=utf-8', body: asset('./gate.css') },
  '/assets/gate-keypad.js': { type: 'text/javascript; charset=utf-8', body: asset('./gate-keypad.js') },
  '/assets/figtree.woff2': { type: 'font/woff2', body: asset('../public/fonts/figtree-latin.woff2') },
}

type Handler = (
  sandbox: SandboxParts,
  request: IncomingMessage,
  query: URLSearchParams,
) => RouteResponse | Promise<RouteResponse>

const withCredentials =
  (call: (sandbox: SandboxParts, field: RequestFields) => Promise<RouteResponse>): Handler =>
  async (sandbox, request) => {
    const field = await authenticateRequest(sandbox, request)
    return typeof field === 'function' ? call(sandbox, field) : field
  }

const ledger: Handler = ({ ledger }, _, query) => {
  const { orders } = ledger.report()
  const orderId = query.get('orderId')
  return json({ orders: orderId === null ? orders : orders.filter((order) => order.orderId === orderId) })
}

const handlers: Record<string, Handler> = {
  'POST /HostPayService/v1/hostpay/transactions': withCredentials((sandbox, field) =>
    sandbox.faults.apply('create', field('ORDERID'), () => createSession(sandbox, field)),
  ),
  'POST /HostPayService/v1/directpay/express': withCredentials(express),
  'POST /sandbox/bank/returns': returnDebit,
  'GET /sandbox/bank/ledger': ({ bank }) => json(bank.report()),
  'POST /sandbox/faults': ({ faults }, request) => faults.handleFaultRequest(request),
  'DELETE /sandbox/faults': ({ faults }, request) => faults.handleFaultRequest(request),
  'GET /sandbox/ledger': ledger,
}

function cardPageRoute(sandbox: SandboxParts, request: IncomingMessage, token: string, isCancel: boolean) {
  const order = sandbox.ledger.orderBySession(token)
  if (isCancel && order?.state === 'open' && request.method !== 'HEAD')
    return redirect(returnAddress(sandbox.ledger.cancel(order.order_id)))
  if (!order || isCancel || !sandbox.ledger.isPayable(order)) return closedCardPage(order)
  return request.method === 'POST' ? pay(sandbox, order, request) : showCardPage(order)
}

const notFound: RouteResponse = { status: 404, type: 'text/plain; charset=utf-8', body: 'Not found' }

export async function route(
  sandbox: SandboxParts,
  options: RouteOptions,
  request: IncomingMessage,
): Promise<RouteResponse> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox')
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
  const path = pathname.replace(/\/$/, '')
  const handler = handlers[`${method} ${path}`]
  if (handler) return handler(sandbox, request, searchParams)
  if (method !== 'GET' && method !== 'POST') return notFound
  const [, token, cancel] = /^\/pay\/([\w-]{10,64})(\/cancel)?$/.exec(path) ?? []
  if (token) return cardPageRoute(sandbox, request, token, cancel !== undefined)
  if (path === '/gates' || path.startsWith('/gates/')) return gateRoute(sandbox, request, path)
  if (path.startsWith('/bank/') && request.method !== 'HEAD')
    return handleBankRequest(sandbox, request, path, searchParams)
  if (method === 'POST') return notFound
  if (path === '') return page(testCardsPage(options))
  const file = assets[path]
  return file ? { status: 200, ...file, headers: { 'cache-control': 'public, max-age=3600' } } : notFound
}

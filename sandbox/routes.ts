import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type Answer, json, page, redirect, returnAddress } from './answers.ts'
import { askBank, returnDebit } from './bank-routes.ts'
import { elsewhere, pay, showCardPage } from './hosted-page.ts'
import { testCardsPage } from './pages.ts'
import type { SandboxParts } from './parts.ts'
import { admitted, createSession, express } from './transactions.ts'

type RouteOptions = Parameters<typeof testCardsPage>[0]

function asset(name: string): Uint8Array {
  return readFileSync(new URL(name, import.meta.url))
}

const assets: Record<string, { type: string; body: Uint8Array }> = {
  '/assets/pages.css': { type: 'text/css; charset=utf-8', body: asset('./pages.css') },
  '/assets/card-page.js': { type: 'text/javascript; charset=utf-8', body: asset('./card-page.js') },
  '/assets/figtree.woff2': { type: 'font/woff2', body: asset('../public/fonts/figtree-latin.woff2') },
}

export async function route(sandbox: SandboxParts, options: RouteOptions, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox')
  const reading = request.method === 'GET' || request.method === 'HEAD'
  const posting = request.method === 'POST'

  const path = pathname.replace(/\/$/, '')
  if (posting && path === '/HostPayService/v1/hostpay/transactions') {
    const field = await admitted(sandbox, request)
    return typeof field === 'function'
      ? sandbox.faults.apply('create', field('ORDERID'), () => createSession(sandbox, field))
      : field
  }
  if (posting && path === '/HostPayService/v1/directpay/express') {
    const field = await admitted(sandbox, request)
    return typeof field === 'function' ? express(sandbox, field) : field
  }
  const onPage = /^\/pay\/([\w-]{10,64})(\/cancel)?$/.exec(path)
  if (onPage && (reading || posting)) {
    const order = sandbox.ledger.orderBySession(onPage[1]!)
    if (onPage[2] !== undefined && order?.state === 'open' && request.method !== 'HEAD')
      return redirect(returnAddress(sandbox.ledger.cancel(order.order_id)))
    if (!order || !sandbox.ledger.isPayable(order) || onPage[2] !== undefined) return elsewhere(order)
    return posting ? pay(sandbox, order, request) : showCardPage(order)
  }
  if (path.startsWith('/bank/') && (posting || request.method === 'GET'))
    return askBank(sandbox, request, path, searchParams)
  if (posting && path === '/sandbox/bank/returns') return returnDebit(sandbox, request)
  if (reading && path === '/sandbox/bank/ledger') return json(sandbox.bank.report())
  if (path === '/sandbox/faults' && (posting || request.method === 'DELETE')) return sandbox.faults.order(request)
  if (reading && path === '/sandbox/ledger') {
    const report = sandbox.ledger.report()
    const orderId = searchParams.get('orderId')
    return json(orderId === null ? report : { orders: report.orders.filter((order) => order.orderId === orderId) })
  }
  if (reading && path === '') return page(testCardsPage(options))
  const file = reading ? assets[path] : undefined
  if (file) return { status: 200, ...file, headers: { 'cache-control': 'public, max-age=3600' } }
  return { status: 404, type: 'text/plain; charset=utf-8', body: 'Not found' }
}

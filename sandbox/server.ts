/**
 * The pretend card provider as an HTTP server: the XML API, the hosted card page, the ledger for tests, and faults on
 * demand; beside it, below /bank, the pretend bank. It shares no code with the adapters that talk to it.
 */
import { timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import { type Answer, GARBAGE, json, page, redirect, refusal, resultFields, returnAddress, xml } from './answers.ts'
import { openPretendBank, RETURN_CODES } from './bank.ts'
import { type CardEntry, checkEntry, RESPONSES, type TestCard, testCard } from './cards.ts'
import {
  FAULT_KINDS,
  FAULT_PLACES,
  type Fault,
  type FaultKind,
  type FaultPlace,
  MOST_FAULTS,
  MOST_TIMES,
} from './faults.ts'
import { type Order, openLedger } from './ledger.ts'
import { cardPage, closedPage, testCardsPage } from './pages.ts'
import { BODY_LIMIT, type RequestFields, readAmount, readRequest, writeAmount } from './protocol.ts'

export interface Credentials {
  xwebId: string
  terminalId: string
  authKey: string
}

/** Default credentials. Not secrets: they charge pretend cards. */
export const SANDBOX_CREDENTIALS: Credentials = { xwebId: 'sandbox', terminalId: '001', authKey: 'practice' }

export interface SandboxOptions {
  /** 0 takes any free port. */
  port: number
  host?: string
  /** The sandbox keeps its file in `sandbox/` below this folder. */
  dataDir: string
  /** How long the slow card and the fault 'slow' take. */
  slowMs?: number
  credentials?: Credentials
  /** The bearer token of `POST /sandbox/faults`; without it there are no faults on demand. */
  faultKey?: string
  /** Where browsers reach the sandbox, if not at its own host and port. */
  publicUrl?: string
  clock?: Clock
}

export interface Sandbox {
  /** Its origin, such as http://127.0.0.1:3001 */
  readonly url: string
  /** Drops open connections and closes the file. */
  close(): Promise<void>
}

const systemClock: Clock = { now: () => Date.now() }

function asset(name: string): Uint8Array {
  return readFileSync(new URL(name, import.meta.url))
}

class TooLarge extends Error {}

/** @throws TooLarge beyond BODY_LIMIT, with the connection still fit for an answer */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= BODY_LIMIT) parts.push(part)
      else {
        request.pause()
        reject(new TooLarge())
      }
    })
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    request.on('error', reject)
  })
}

function isReturnUrl(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false
  const { protocol, username } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === ''
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Starts the sandbox and resolves once it listens.
 * State lies in `dataDir/sandbox/sandbox.sqlite`; a restart, or a kill, loses nothing that was answered.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1'
  const slowMs = options.slowMs ?? 30_000
  const credentials = options.credentials ?? SANDBOX_CREDENTIALS
  const clock = options.clock ?? systemClock
  const folder = join(options.dataDir, 'sandbox')
  // It may be the first to make the data folder, which other users must not read.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ledger = openLedger(join(folder, 'sandbox.sqlite'), clock)
  const bank = openPretendBank(join(folder, 'bank.sqlite'), clock)
  const closing = new AbortController()
  const assets: Record<string, { type: string; body: Uint8Array }> = {
    '/assets/pages.css': { type: 'text/css; charset=utf-8', body: asset('./pages.css') },
    '/assets/card-page.js': { type: 'text/javascript; charset=utf-8', body: asset('./card-page.js') },
    '/assets/figtree.woff2': { type: 'font/woff2', body: asset('../public/fonts/figtree-latin.woff2') },
  }
  let url = ''
  let faults: Fault[] = []

  function takeFault(place: FaultPlace, orderId: string): FaultKind | null {
    const fault = faults.find(
      (each) => (each.on === 'any' || each.on === place) && (each.orderId === '*' || each.orderId === orderId),
    )
    if (!fault) return null
    fault.times--
    if (fault.times === 0) faults = faults.filter((each) => each !== fault)
    return fault.kind
  }

  const wait = () => delay(slowMs, undefined, { signal: closing.signal })

  /** Runs `work` under the fault ordered for it, if any. */
  async function underFaults(
    place: FaultPlace,
    orderId: string,
    work: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const fault = takeFault(place, orderId)
    if (fault === 'down') return 'cut'
    if (fault === '500') return { status: 500, type: 'text/plain; charset=utf-8', body: 'Internal error' }
    if (fault === 'slow') await wait()
    const answer = await work()
    if (fault === 'lost') return 'cut'
    if (fault === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
    return answer
  }

  /** The card's own behaviour around the capture. */
  async function charge(card: TestCard, work: () => Order | null): Promise<Order | null | 'cut'> {
    if (card.slow) await wait()
    if (card.cutsConnection === 'before') return 'cut'
    const order = work()
    return card.cutsConnection === 'after' ? 'cut' : order
  }

  /** The fields of a request that is XML and carries our credentials, or the refusal. */
  async function admitted(request: IncomingMessage): Promise<RequestFields | Answer> {
    const field = readRequest(await readBody(request))
    if (!field) return refusal(RESPONSES.malformed)
    const known =
      sameText(field('XWEBID'), credentials.xwebId) &&
      sameText(field('XWEBTERMINALID'), credentials.terminalId) &&
      sameText(field('XWEBAUTHKEY'), credentials.authKey)
    return known ? field : refusal(RESPONSES.badCredentials)
  }

  function createSession(field: RequestFields): Answer {
    const orderId = field('ORDERID')
    const type = field('TRANSACTIONTYPE')
    const amount = readAmount(field('AMOUNT'))
    const returnUrl = field('HOSTPAYSETTING/RETURNOPTION/RETURNURL')
    const forCard = type === 'ALIASCREATE' && amount === 0
    const forSale = type === 'CREDITSALE' && amount !== null && amount > 0
    if ((!forCard && !forSale) || orderId === '' || orderId.length > 64 || !isReturnUrl(returnUrl))
      return refusal(RESPONSES.malformed, orderId)
    const order = ledger.open({
      orderId,
      type,
      amount,
      createAlias: type === 'ALIASCREATE' || /^true$/i.test(field('CREATEALIAS')),
      returnUrl,
      returnTarget: field('HOSTPAYSETTING/RETURNOPTION/RETURNTARGET'),
      mayBeFramed: !/^true$/i.test(field('HOSTPAYSETTING/DISABLEFRAMING')),
      customer: {
        name: field('CUSTOMERNAME').slice(0, 100),
        address: field('ADDRESS1').slice(0, 200),
        zip: field('BILLINGPOSTALCODE').slice(0, 10),
      },
    })
    if (!order) return refusal(RESPONSES.orderUsed, orderId)
    return xml({
      RESPONSECODE: RESPONSES.sessionCreated.code,
      RESPONSEDESCRIPTION: RESPONSES.sessionCreated.description,
      ORDERID: orderId,
      SESSIONTOKEN: order.session_token,
      PAYPAGEURL: `${url}/pay/${order.session_token}`,
    })
  }

  function query(orderId: string): Answer {
    const found = ledger.query(orderId)
    if (found === 'unknown') return refusal(RESPONSES.notFound, orderId)
    if (found === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
    return xml(resultFields(found))
  }

  async function saleByAlias(field: RequestFields): Promise<Answer> {
    const orderId = field('ORDERID')
    const alias = field('ALIAS')
    const amount = readAmount(field('AMOUNT'))
    if (amount === null || amount === 0 || alias === '' || orderId === '' || orderId.length > 64)
      return refusal(RESPONSES.malformed, orderId)
    const sell = () => ledger.saleByAlias({ orderId, alias, amount })
    const card = ledger.storedCard(alias)
    // An order that is finished already is only read back; nothing of the card happens a second time.
    const order = card && !ledger.order(orderId) ? await charge(card, sell) : sell()
    if (order === 'cut') return 'cut'
    return order ? xml(resultFields(order)) : refusal(RESPONSES.orderUsed, orderId)
  }

  function giveBack(field: RequestFields, kind: 'void' | 'return'): Answer {
    const { response, movement } = ledger.giveBack({
      transactionId: field('TRANSACTIONID'),
      kind,
      cents: readAmount(field('AMOUNT')),
    })
    return xml({
      RESPONSECODE: response.code,
      RESPONSEDESCRIPTION: response.description,
      ORDERID: movement?.order_id ?? field('ORDERID'),
      TRANSACTIONID: movement?.transaction_id ?? '',
      APPROVEDAMOUNT: writeAmount(movement?.cents ?? 0),
    })
  }

  function express(field: RequestFields): Promise<Answer> {
    const orderId = field('ORDERID')
    switch (field('TRANSACTIONTYPE')) {
      case 'QUERYPAYMENT':
        return underFaults('query', orderId, () => query(orderId))
      case 'CREDITSALE':
        return underFaults('sale', orderId, () => saleByAlias(field))
      case 'CREDITVOID':
        return underFaults('void', orderId, () => giveBack(field, 'void'))
      case 'CREDITRETURN':
        return underFaults('return', orderId, () => giveBack(field, 'return'))
      default:
        return Promise.resolve(refusal(RESPONSES.malformed, orderId))
    }
  }

  /** What is shown or done where the order of a card page is not payable any more. */
  function elsewhere(order: Order | null): Answer {
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

  function showCardPage(order: Order, entry?: CardEntry, errors?: Parameters<typeof cardPage>[1]): Answer {
    return page(cardPage(order, { entry, ...errors }), {
      status: errors ? 422 : 200,
      framed: order.may_be_framed === 1,
      returnUrl: order.return_url,
    })
  }

  async function pay(order: Order, request: IncomingMessage): Promise<Answer> {
    const form = new URLSearchParams(await readBody(request))
    const typed = (name: string) => (form.get(name) ?? '').slice(0, 200)
    const entry: CardEntry = {
      number: typed('number'),
      expiry: typed('expiry'),
      cvv: typed('cvv'),
      name: typed('name'),
      zip: typed('zip'),
    }
    const checked = checkEntry(entry, clock.now())
    if ('errors' in checked) return showCardPage(order, entry, { errors: checked.errors })
    return underFaults('page', order.order_id, async () => {
      const paid = await charge(testCard(checked.payer.card), () => ledger.pay(order.order_id, checked.payer))
      return paid === 'cut' || paid === null ? 'cut' : redirect(returnAddress(paid))
    })
  }

  /** The bank's own calls. Its key is the one that opens the card provider. */
  async function askBank(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Answer> {
    if (!sameText(request.headers.authorization ?? '', `Bearer ${credentials.authKey}`))
      return json({ error: 'The key is missing or wrong.' }, 401)
    const body = request.method === 'POST' ? await readBody(request) : null
    const orderId = /^\/bank\/debits\/([\w-]+)/.exec(path)?.[1] ?? /"order_id"\s*:\s*"([\w-]+)"/.exec(body ?? '')?.[1]
    return underFaults('bank', orderId ?? '', async () => {
      const answer = bank.answer(path, query, body)
      if (answer === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
      if (answer !== 'hang') return json(answer.body, answer.status)
      await wait()
      return 'cut'
    })
  }

  /** Returns a debit at once instead of after two days. */
  async function returnDebit(request: IncomingMessage): Promise<Answer> {
    const closed = faultKeyRefused(request)
    if (closed) return closed
    let asked: { orderId?: unknown; code?: unknown }
    try {
      asked = JSON.parse(await readBody(request)) as typeof asked
    } catch (error) {
      if (error instanceof TooLarge) throw error
      return json({ error: 'not JSON' }, 400)
    }
    const { orderId, code = 'R01' } = asked ?? {}
    if (typeof orderId !== 'string' || typeof code !== 'string' || !Object.hasOwn(RETURN_CODES, code))
      return json({ error: 'orderId or code is not understood' }, 400)
    return bank.openRefund(orderId, code)
      ? json({ orderId, code }, 201)
      : json({ error: 'no accepted debit of that order' }, 409)
  }

  function faultKeyRefused(request: IncomingMessage): Answer | null {
    if (options.faultKey === undefined) return json({ error: 'faults are switched off' }, 404)
    if (!sameText(request.headers.authorization ?? '', `Bearer ${options.faultKey}`))
      return json({ error: 'the fault key is missing or wrong' }, 401)
    return null
  }

  async function orderFaults(request: IncomingMessage): Promise<Answer> {
    const closed = faultKeyRefused(request)
    if (closed) return closed
    if (request.method === 'DELETE') {
      faults = []
      return json({ faults })
    }
    let asked: Partial<Record<keyof Fault, unknown>>
    try {
      asked = JSON.parse(await readBody(request)) as typeof asked
    } catch (error) {
      if (error instanceof TooLarge) throw error
      return json({ error: 'not JSON' }, 400)
    }
    const { orderId, kind, times = 1, on = 'any' } = asked ?? {}
    const fits =
      typeof orderId === 'string' &&
      FAULT_KINDS.includes(kind as FaultKind) &&
      FAULT_PLACES.includes(on as FaultPlace) &&
      Number.isInteger(times) &&
      (times as number) >= 1 &&
      (times as number) <= MOST_TIMES &&
      faults.length < MOST_FAULTS
    if (!fits) return json({ error: 'orderId, kind, times (1 to 1000) or on is not understood' }, 400)
    faults.push({ orderId, kind: kind as FaultKind, on: on as FaultPlace, times: times as number })
    return json({ faults }, 201)
  }

  async function route(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox')
    const reading = request.method === 'GET' || request.method === 'HEAD'
    const posting = request.method === 'POST'

    const path = pathname.replace(/\/$/, '')
    if (posting && path === '/HostPayService/v1/hostpay/transactions') {
      const field = await admitted(request)
      return typeof field === 'function' ? underFaults('create', field('ORDERID'), () => createSession(field)) : field
    }
    if (posting && path === '/HostPayService/v1/directpay/express') {
      const field = await admitted(request)
      return typeof field === 'function' ? express(field) : field
    }
    const onPage = /^\/pay\/([\w-]{10,64})(\/cancel)?$/.exec(path)
    if (onPage && (reading || posting)) {
      const order = ledger.orderBySession(onPage[1]!)
      if (onPage[2] !== undefined && order?.state === 'open' && request.method !== 'HEAD')
        return redirect(returnAddress(ledger.cancel(order.order_id)))
      if (!order || !ledger.isPayable(order) || onPage[2] !== undefined) return elsewhere(order)
      return posting ? pay(order, request) : showCardPage(order)
    }
    if (path.startsWith('/bank/') && (posting || request.method === 'GET')) return askBank(request, path, searchParams)
    if (posting && path === '/sandbox/bank/returns') return returnDebit(request)
    if (reading && path === '/sandbox/bank/ledger') return json(bank.report())
    if (path === '/sandbox/faults' && (posting || request.method === 'DELETE')) return orderFaults(request)
    if (reading && path === '/sandbox/ledger') {
      const report = ledger.report()
      const orderId = searchParams.get('orderId')
      return json(orderId === null ? report : { orders: report.orders.filter((order) => order.orderId === orderId) })
    }
    if (reading && path === '') return page(testCardsPage({ slowMs, faultsEnabled: options.faultKey !== undefined }))
    const file = reading ? assets[path] : undefined
    if (file) return { status: 200, ...file, headers: { 'cache-control': 'public, max-age=3600' } }
    return { status: 404, type: 'text/plain; charset=utf-8', body: 'Not found' }
  }

  function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
    if (answer === 'cut') {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...answer.headers,
    })
    response.end(request.method === 'HEAD' ? undefined : answer.body)
  }

  const server = createServer((request, response) => {
    route(request)
      .catch((error: unknown): Answer => {
        if (closing.signal.aborted) return 'cut'
        if (error instanceof TooLarge)
          // The rest of the body is not read, so the connection cannot be used again.
          return { status: 413, type: 'text/plain; charset=utf-8', body: 'Too large', headers: { connection: 'close' } }
        console.error('card sandbox:', error)
        return { status: 500, type: 'text/plain; charset=utf-8', body: 'Internal error' }
      })
      .then((answer) => send(answer, request, response))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  url = options.publicUrl?.replace(/\/$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

  return {
    url,
    async close() {
      closing.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      ledger.close()
      bank.close()
    },
  }
}

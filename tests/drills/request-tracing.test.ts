/** One request id connects a page, its payment, its calls to partners and the mail; all but the mail share one trace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { DatabasePlace } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import { serverForTests } from '../../ports/testing-server.ts'
import { SANDBOX_CREDENTIALS, startSandbox } from '../../sandbox/server.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { ensureBuild, root } from '../../server/build.mjs'
import { freePort } from '../actors/free-port.ts'
import { openCardPage } from '../actors/payer.ts'
import { reserve, signLease } from '../actors/renter.ts'
import { environmentOf } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor-http-client.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../support/databases.ts'
import { noon, openTestServices } from '../support/small-operator.ts'

type Line = Record<string, unknown> & { msg: string; request_id?: string }

beforeAll(() => ensureBuild())

/**
 * Starts the built site with a log.
 * @returns `lines`: log lines so far; `waitForLine`: resolves to the first line that matches; `stop`: ends the site
 */
async function openLoggedSite({ dataDir, url: databaseUrl }: DatabasePlace, environment: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/launch.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environmentOf({ dataDir, databaseUrl }, environment.CARD_PROVIDER_URL),
      PORT: String(port),
      PUBLIC_URL: url,
      TRUST_PROXY: '1',
      ACCESS_LOG: 'on',
      LOG_LEVEL: 'info',
      PRINT_LOGINS: 'off',
      DRAIN_MS: '0',
      ...environment,
    },
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (text.startsWith('{')) lines.push(JSON.parse(text) as Line)
    for (const look of waiting) look()
  })
  const waitForLine = (matches: (line: Line) => boolean) =>
    new Promise<Line>((resolve) => {
      const look = () => {
        const found = lines.find(matches)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  await waitForLine(({ msg }) => msg === 'ready')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  return { url, lines, waitForLine, stop }
}

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** Starts a collector that accepts OTLP over HTTP. */
async function openCollector() {
  const spans: Span[] = []
  const services = new Set<unknown>()
  const url = await serverForTests(async (request, answer) => {
    const { resourceSpans } = JSON.parse(await text(request))
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(
        resource.attributes.find((attribute: Span['attributes'][0]) => attribute.key === 'service.name')?.value
          .stringValue,
      )
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    answer.setHeader('Content-Type', 'application/json').end('{}')
  }, onTestFinished)
  return { url, spans, services }
}

/**
 * Starts the sandbox, which simulates the card provider, and a proxy in front of it.
 * @returns `url`: address of the proxy; `pages`: address of the card pages; `calls`: headers of the requests so far
 */
async function openProvider() {
  const sandbox = await startSandbox({ port: 0, dataDir: temporaryFolder(), credentials: SANDBOX_CREDENTIALS })
  onTestFinished(() => sandbox.close())
  const calls: IncomingHttpHeaders[] = []
  const url = await serverForTests((request: IncomingMessage, answer) => {
    calls.push(request.headers)
    const { method, headers } = request
    const forwarded = ask(`${sandbox.url}${request.url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    request.pipe(forwarded)
  }, onTestFinished)
  return { url, pages: sandbox.url, calls }
}

describeOnBothEngines('A request id', (open, engine) => {
  it('finds page, payment, provider call and mail by the id in the page’s response, the mail in its own trace', async () => {
    const db = await open()
    await openTestServices(db)
    // The small operator has leases 10001 and 10002 already, so the next lease must get number 10003.
    await db.transaction((tx) => advanceSequence(tx, 'GA1', 'lease', 10_002))
    const place = placeOf(db)
    const collector = await openCollector()
    const provider = await openProvider()
    const { url, lines, waitForLine, stop } = await openLoggedSite(place, {
      DEMO: 'off',
      CLOCK: new Date(noon).toISOString(),
      CARD_PROVIDER_URL: provider.url,
      CARD_PROVIDER_PAGE_ORIGIN: provider.pages,
      NODE_OPTIONS: `--import=${join(root, 'deploy/telemetry.mjs')}`,
      // No timer sends spans while the test runs; the process sends the remaining ones when it stops.
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    })
    let id = ''
    const answered = ({ headers }: { headers: Record<string, unknown> }) => {
      id = String(headers['x-request-id'])
    }
    const visitor = new Visitor({ url, answered }, '203.0.113.7')
    const kind = { code: 'GA1', type: 1 }
    expect(await reserve(visitor, kind, 'one-id@example.com')).not.toBeNull()
    await signLease(visitor, kind.code)
    const { url: cardPage, orderId } = await openCardPage(visitor, { location_code: kind.code })
    const { returnUrl } = await payAtHostedPage(cardPage, 'visa')
    const frame = await visitor.page(returnUrl.slice(url.length))
    const back = /\/confirm-rental-payment[^"']*/.exec(frame.html)?.[0].replaceAll('&amp;', '&') ?? ''
    expect(await visitor.page(back)).toMatchObject({ status: 302, to: '/rental-completed' })
    const waitForOwn = (matches: (line: Line) => boolean) =>
      waitForLine((line) => line.request_id === id && matches(line))
    expect(await waitForOwn(({ msg }) => msg === 'answered')).toMatchObject({
      route: '/confirm-rental-payment',
      status: 302,
    })
    expect(await waitForOwn(({ msg }) => msg === 'payment')).toMatchObject({ order: orderId, outcome: 'posted' })
    expect(await waitForOwn(({ party }) => party === 'card')).toMatchObject({ call: 'queryPayment', order: orderId })
    for (const kind of ['receipt', 'move_in_completed'])
      await waitForOwn((line) => line.msg === 'job done' && line.kind === kind)
    await waitForOwn(({ party, call }) => party === 'mail' && call === 'send')
    expect(lines.filter(({ msg, order }) => msg === 'payment' && order === orderId)).toHaveLength(1)

    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const caller = '00f067aa0ba902b7'
    const proxied = { traceparent: `00-${trace}-${caller}-01`, 'x-forwarded-for': '203.0.113.8' }
    for (let times = 0; times < 2; times += 1)
      await (await fetch(`${url}/size-guide?near=503`, { headers: proxied })).text()
    await fetch(`${url}/readyz`)
    await stop()
    const { spans, services } = collector
    expect([...services]).toEqual(['latchkey'])
    const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
      Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
    const parentOf = ({ parentSpanId }: Span) => spans.find(({ spanId }) => spanId === parentSpanId)
    const ancestorsOf = (span: Span): string[] => {
      const parent = parentOf(span)
      return parent ? [parent.name, ...ancestorsOf(parent)] : []
    }

    // A request, its operation, and the provider call, which passes the trace on.
    const opened = spans.find(({ name }) => name === 'card createHostedPage')!
    const door = 'POST /api/paygateway/hostpay/transactions'
    expect(ancestorsOf(opened)).toEqual([door, door])
    expect(opened.kind).toBe(3)
    expect(attributesOf(parentOf(opened)!)).toEqual({ 'latchkey.outcome': 'done' })
    expect(provider.calls.map(({ traceparent }) => traceparent)).toContain(`00-${opened.traceId}-${opened.spanId}-01`)

    // The page queries the provider and writes the move-in, both within its trace.
    const page = spans.find((span) => span.kind === 2 && attributesOf(span)['latchkey.request_id'] === id)!
    expect(page).toMatchObject({ name: 'GET /confirm-rental-payment', kind: 2 })
    expect(page.parentSpanId ?? '').toBe('')
    expect(attributesOf(page)).toMatchObject({
      'http.route': '/confirm-rental-payment',
      'http.response.status_code': 302,
    })
    const parts = spans.filter(({ traceId }) => traceId === page.traceId)
    for (const name of ['card queryPayment', 'insert ledger_entries', 'commit'])
      expect(ancestorsOf(parts.find((part) => part.name === name)!)).toEqual([page.name])
    expect(attributesOf(parts.find(({ name }) => name === 'insert ledger_entries')!)).toEqual({
      'db.system.name': engine === 'sqlite' ? 'sqlite' : 'postgresql',
    })
    expect(parts.every((span) => span === page || parentOf(span))).toBe(true)

    // The mail is sent later, in its own trace with the request's id.
    const mail = spans.find(
      ({ name, ...span }) => name === 'job receipt' && attributesOf(span as Span)['latchkey.request_id'] === id,
    )!
    expect(mail).toMatchObject({ kind: 5 })
    expect(mail.parentSpanId ?? '').toBe('')
    expect(spans.filter(({ name, traceId }) => name === 'mail send' && traceId === mail.traceId)).toHaveLength(1)

    // A trusted proxy's trace continues, also for cached pages; only requests, chores and jobs start a trace.
    const continued = spans.filter(({ traceId }) => traceId === trace && spans.every(({ spanId }) => spanId !== caller))
    const pages = continued.filter(({ parentSpanId }) => parentSpanId === caller)
    expect(pages.map(({ name }) => name)).toEqual(['GET /size-guide', 'GET /size-guide'])
    expect(
      spans
        .filter((span) => (span.parentSpanId ?? '') === '')
        .map(({ name }) => name.split(' ')[0])
        .sort()
        .filter((verb, at, all) => verb !== all[at - 1]),
    ).toEqual(['GET', 'POST', 'chore', 'job'])

    const everything = JSON.stringify(spans)
    for (const secret of ['one-id@example.com', '203.0.113', 'near=', orderId, visitor.token || 'Bearer', kind.code])
      expect(everything).not.toContain(secret)
    expect([...new Set(spans.flatMap((span) => Object.keys(attributesOf(span))))].sort()).toEqual([
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'latchkey.attempt',
      'latchkey.job',
      'latchkey.outcome',
      'latchkey.request_id',
    ])
  }, 90_000)
})

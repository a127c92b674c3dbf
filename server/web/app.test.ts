import { createHash } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { createRequestHandler } from 'react-router'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { frontPath } from '../../app/find-storage/facility-front-svg-files.tsx'
import { sharePath } from '../../app/find-storage/render-share-image-and-icons.ts'
import { contextOf, requestContext } from '../../app/request/context.ts'
import { signIn } from '../../modules/accounts/sessions.ts'
import { brandStyleSheet, parseBrand } from '../../modules/facilities/rules/brand.ts'
import { decodeLook, type FacilityLook } from '../../modules/facilities/rules/facility-front-to-draw.ts'
import { loadFacilitiesByCode } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { fixedClock } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { PRODUCTION } from '../../tests/support/production-settings.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { configOf, cookieKeys, createTestSite, openTestSite } from '../../tests/support/site.ts'
import { contact, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { listen } from '../http-server.ts'
import { openMetrics } from '../metrics.ts'
import { metricsApp } from './health-and-metrics-routes.ts'
import { openSession } from './session.ts'
import type { PageRenderer } from './web-app-state-and-request-callers.ts'

const setMaintenance = ({ db }: TestServices, value: string) =>
  db.transaction(async (tx) => {
    await tx.updateTable('settings').set({ value }).where('name', '=', 'maintenance').execute()
    await bumpContentVersion(tx)
  })

async function setBrand(services: TestServices, brand: unknown): Promise<void> {
  const row = { name: 'brand', value: JSON.stringify(brand), updated_at: 0 }
  await services.db.transaction(async (tx) => {
    await tx.deleteFrom('settings').where('name', '=', 'brand').execute()
    await tx.insertInto('settings').values(row).execute()
    await bumpContentVersion(tx)
  })
  services.clock.advance(2_000)
}

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: body as BodyInit,
  headers: { 'Content-Type': 'application/json', ...headers },
})

describeOnBothEngines('the site as HTTP', (open) => {
  const site = async (changes?: Parameters<typeof openTestSite>[1]) => openTestSite(await open(), changes)

  it('opens the office only from the configured addresses', async () => {
    const config = configOf({ TRUST_PROXY: '1', OFFICE_ADDRESSES: '203.0.113.0/24, 2001:db8::/32' })
    const pages: PageRenderer = async (_, context) =>
      new Response('page', { status: contextOf(context).refused || 200 })
    const { app } = await site({ config, pages })
    const from = async (address: string, path = '/office/sign-in', method = 'GET') =>
      (await app.request(path, { method, headers: { 'X-Forwarded-For': address } })).status
    for (const address of ['203.0.113.9', '2001:db8::5']) expect(await from(address), address).toBe(200)
    for (const address of ['198.51.100.9', '2001:db9::5', 'no address']) {
      expect(await from(address), address).toBe(404)
      expect(await from(address, '/office'), address).toBe(404)
      expect(await from(address, '/office.data'), address).toBe(404)
      expect(await from(address, '/office/sign-in', 'POST'), address).toBeGreaterThanOrEqual(400)
      expect(await from(address, '/login'), address).toBe(200)
    }
  })

  it('responds with its own request id, and keeps that of a trusted proxy', async () => {
    const { app } = await site()
    const own = await app.request('/api/states', { headers: { 'X-Request-Id': 'a-stranger-says-so' } })
    const id = own.headers.get('x-request-id')
    expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
    expect((await app.request('/api/states')).headers.get('x-request-id')).not.toBe(id)
    const { app: behind } = await site({ config: configOf({ TRUST_PROXY: '1' }) })
    const idFor = async (proxyId: string) =>
      (await behind.request('/api/states', { headers: { 'X-Request-Id': proxyId } })).headers.get('x-request-id')
    expect(await idFor('trace-0123456789')).toBe('trace-0123456789')
    const traced = async (traceparent: string) =>
      (await behind.request('/api/states', { headers: { traceparent } })).headers.get('x-request-id')
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    expect(await traced(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace)
    for (const malformed of [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `${trace}`, ''])
      expect(await traced(malformed)).toMatch(/^[\da-f]{8}-/)
    for (const malformed of ['short', 'x'.repeat(65), 'a b c d e f g', '"}{"level":60'])
      expect(await idFor(malformed)).not.toBe(malformed)
  })

  it('serves only its health as a worker', async () => {
    const worker = configOf({ ROLE: 'worker', DATABASE_URL: 'postgres://u:p@db/latchkey' })
    const { app } = await site({ config: worker, pages: async () => new Response('a page') })
    const paths = ['/', '/login', '/office', '/api/states', '/api/settings?name=maintenance', '/theme.css']
    for (const path of paths) expect((await app.request(path)).status, path).toBe(404)
    for (const path of ['/healthz', '/readyz']) expect((await app.request(path)).status, path).toBe(200)
    expect(app.serveCached({} as never, {} as never)).toBe(false)
  })

  it('logs refusals: unknown accounts, too many calls, other websites', async () => {
    const { app, services } = await site()
    const login = { username: 'dana@mail.example', password: 'not-the-password-1' }
    await app.request('/api/ssm/login', post(JSON.stringify(login)))
    await app.request('/api/states', { method: 'POST', headers: { Origin: 'https://elsewhere.example' } })
    expect(services.security.recorded).toEqual([
      ['sign_in.refused', { email: 'dana@mail.example', how: 'password', why: 'no_account' }],
      ['origin.foreign', { operation: '/api/states' }],
    ])
    services.security.recorded.length = 0
    const tryLogin = () => app.request('/api/ssm/login', post(JSON.stringify(login)))
    for (let at = 0; at < 41; at += 1) await tryLogin()
    expect(services.security.recorded.at(-1)).toEqual(['limit.reached', { operation: 'login', account: undefined }])
  })

  it('serves only the office, settings, health, gates and payments in progress during maintenance', async () => {
    const pages: PageRenderer = async (_, context) =>
      new Response(contextOf(context).maintenance ? 'closed' : 'page', {
        status: contextOf(context).refused || 200,
        headers: { 'Content-Type': 'text/html' },
      })
    const { app, services } = await site({ pages })
    const set = async (value: string) => {
      await setMaintenance(services, value)
      services.clock.advance(1_000)
    }
    const form = {
      method: 'POST',
      body: 'username=dana',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
    const read = ['/size-guide', '/search?q=Macon', '/my-units', '/nothing-here', '/dev/mailbox', '/api']
    const sent = ['/login', '/process-payment', '/rental-completed', '/confirm-rental-payment']
    const requests: [string, RequestInit?][] = [
      ...read.map((path): [string] => [path]),
      ...sent.map((path): [string, RequestInit] => [path, form]),
      ['/login', { method: 'POST', body: '--b--', headers: multipart }],
      ['/login', { ...form, body: 'x'.repeat(70_000) }],
      ['/login', { ...form, headers: { ...form.headers, 'Transfer-Encoding': 'chunked' } }],
    ]
    // Fills the cache of public pages first.
    expect(await (await app.request('/size-guide')).text()).toBe('page')
    await set('true')
    for (const [path, init] of requests) {
      const answer = await app.request(path, init)
      expect([path, answer.status, await answer.text()]).toEqual([path, 503, 'closed'])
      expect(answer.headers.get('retry-after')).toBe('60')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    const alert = await app.request('/login', { headers: { Cookie: 'latchkey_alert=newPasswordSaved' } })
    expect(alert.headers.getSetCookie()).toEqual([])
    for (const path of ['/login.data', '/_.data', '/my-units.data?_routes=root']) {
      const answer = await app.request(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 503, 'maintenance'])
    }
    for (const request of [app.request('/api/states'), app.request('/api/ssm/GetSecurityQuestions', post('{}'))]) {
      const answer = await request
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
      expect(await answer.json()).toEqual({
        error: { code: 'maintenance', message: expect.stringContaining('closed') },
      })
    }
    const xml = await app.request('/api/ssm', post('<GetSecurityQuestions/>', { 'Content-Type': 'text/xml' }))
    expect([xml.status, xml.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await xml.text()).toMatch(/^<Error><Code>maintenance<\/Code>/)
    const served = ['/healthz', '/readyz', '/api/settings?name=maintenance', '/api/settings/?name=maintenance']
    const inProgress = ['/confirm-rental-payment?order=o-1', '/checkout-completed.data', '/guest/accept-payment']
    for (const path of [...served, ...inProgress, '/card-return/o-1', '/office', '/office/units.data'])
      expect([path, (await app.request(path)).status]).toEqual([path, 200])
    // The routes of gates are served; 401 shows only that these requests have no key.
    expect((await app.request('/api/gate/ATL01/state')).status).toBe(401)
    expect((await app.request('/api/gate/ATL01/events', post('{"events":[]}'))).status).toBe(401)
    const cardForm = { method: 'POST', headers: { Accept: 'application/json' } }
    expect((await app.request('/card-return/o-1', cardForm)).status).toBe(200)
    await set('false')
    expect(await (await app.request('/size-guide')).text()).toBe('page')
  })

  it('enters and leaves maintenance within a second after another process changed it', async () => {
    const { services, app } = await site()
    const clock = fixedClock(services.clock.now())
    const otherApp = createTestSite({ ...services, clock } as TestServices)
    const set = (value: string) => setMaintenance(services, value)
    const statuses = async () =>
      Promise.all([app, otherApp].map(async (each) => (await each.request('/api/states')).status))
    expect(await statuses()).toEqual([200, 200])
    await set('true')
    services.clock.advance(1_000)
    clock.advance(999)
    expect(await statuses()).toEqual([503, 200])
    clock.advance(1)
    expect(await statuses()).toEqual([503, 503])
    await set('false')
    clock.advance(1_000)
    expect(await statuses()).toEqual([503, 200])
    services.clock.advance(1_000)
    expect(await statuses()).toEqual([200, 200])
  })

  it('names the wrong fields, in the notation of the request', async () => {
    const { app } = await site()
    const json = await app.request('/api/ssm/GetLocationUnitTypes', post('{}'))
    expect(json.status).toBe(400)
    expect((await json.json()).error).toMatchObject({
      code: 'invalid_input',
      fields: { location_code: 'is missing' },
    })
    const xml = await app.request('/api/ssm', post('<GetLocationUnitTypes/>', { 'Content-Type': 'text/xml' }))
    expect(xml.status).toBe(400)
    expect(await xml.text()).toMatch(/^<Error><Code>invalid_input<\/Code>.*<Field name="location_code">/)
  })

  it('responds 404 to operations outside the catalogue', async () => {
    const { app } = await site()
    for (const name of ['Nothing', '__proto__', 'constructor', 'toString']) {
      expect((await app.request(`/api/ssm/${name}`, post('{}'))).status).toBe(404)
    }
    expect((await app.request('/api/nothing')).status).toBe(404)
  })

  it('shows metrics to the machine itself, and to no request through its proxy', async () => {
    const { app } = await site({ config: configOf({ ...PRODUCTION, TRUST_PROXY: '0' }) })
    const metricsStatus = async (headers: Record<string, string> = {}, from = '127.0.0.1', host = '127.0.0.1:3000') => {
      const env = { incoming: { socket: { remoteAddress: from } } }
      return (await app.request(`http://${host}/metrics`, { headers }, env)).status
    }
    expect(await metricsStatus()).toBe(200)
    expect(await metricsStatus({}, '::1', 'localhost:3000')).toBe(200)
    expect(await metricsStatus({}, '::ffff:127.0.0.1', 'records-1:3000')).toBe(200)
    expect(await metricsStatus({}, '10.0.0.9')).toBe(404)
    expect(await metricsStatus({}, '127.0.0.1', 'rent.example.com')).toBe(404)
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'X-Forwarded-Proto', 'X-Forwarded-Host'])
      expect(await metricsStatus({ [name]: '127.0.0.1' }), name).toBe(404)
  })

  it('shows metrics to another machine with the token, never by the site’s name or a proxy, and on a separate port', async () => {
    const token = 'a-token-of-the-scraper'
    const production = configOf({ ...PRODUCTION, TRUST_PROXY: '1', METRICS_TOKEN: token })
    const { app, services } = await site({ config: production })
    const env = { incoming: { socket: { remoteAddress: '10.0.0.9' } } }
    const statusFor = async (
      bearer: string,
      more: Record<string, string> = {},
      host = '10.0.0.5:3000',
      path = 'metrics',
    ) =>
      (await app.request(`http://${host}/${path}`, { headers: { Authorization: `Bearer ${bearer}`, ...more } }, env))
        .status
    expect(await statusFor(token)).toBe(200)
    expect(await statusFor('another-token-of-16')).toBe(404)
    expect(await statusFor(token, {}, 'rent.example.com')).toBe(404)
    expect(await statusFor(token, { 'X-Forwarded-For': '10.0.0.9' })).toBe(404)
    const own = configOf({ ...PRODUCTION, METRICS_PORT: '9464', METRICS_TOKEN: token })
    const ready = async () => ['the disk is full']
    const metrics = metricsApp({ config: own, metrics: openMetrics(), ready })
    const scrape = (path: string, headers = {}) => metrics.request(`http://10.0.0.5:9464/${path}`, { headers }, env)
    expect((await scrape('metrics')).status).toBe(401)
    const authorised = { Authorization: `Bearer ${token}` }
    expect(await (await scrape('metrics', authorised)).text()).toContain('latchkey_http_in_flight 0')
    expect(await (await scrape('readyz', authorised)).json()).toEqual({ ready: false, problems: await ready() })
    expect((await scrape('', authorised)).status).toBe(404)
    const otherSite = createTestSite(services, { config: own })
    const local = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
    expect((await otherSite.request('http://127.0.0.1:3000/metrics', {}, local)).status).toBe(404)
  })

  it('limits a page’s form by bytes and fields before parsing it, and accepts a file where one is expected', async () => {
    const reached: string[] = []
    const { app } = await site({
      pages: async (request, context) => {
        const { refused } = contextOf(context)
        if (refused) return new Response('refused', { status: refused })
        reached.push(`${new URL(request.url).pathname} ${(await request.arrayBuffer()).byteLength}`)
        return new Response('page')
      },
    })
    const urlencoded = 'application/x-www-form-urlencoded'
    const multipart = 'multipart/form-data; boundary=b'
    const send = async (path: string, body: string, type: string) =>
      (
        await app.request(path, {
          method: 'POST',
          body,
          headers: { 'Content-Type': type, 'Content-Length': `${body.length}` },
        })
      ).status
    const refusals: [string, string, string, number][] = [
      ['/login', 'a&'.repeat(1_000_000), urlencoded, 413],
      ['/login', 'a&'.repeat(30_000), urlencoded, 400],
      ['/login.data', 'a&'.repeat(30_000), urlencoded, 400],
      ['/login', `username=${'x'.repeat(66_000)}`, urlencoded, 413],
      ['/login', `username=${'x'.repeat(66_000)}`, 'text/plain', 413],
      ['/login', '--b\r\n', multipart, 415],
      ['/lease', `image=${'x'.repeat(1_100_000)}`, urlencoded, 413],
      ['/proof-of-insurance', 'x'.repeat(10 * 1024 * 1024 + 70_000), multipart, 413],
      ['/proof-of-insurance', 'x'.repeat(66_000), urlencoded, 413],
    ]
    for (const [path, body, type, status] of refusals)
      expect([path, type, body.length, await send(path, body, type)]).toEqual([path, type, body.length, status])
    expect(reached).toEqual([])
    for (const [path, body, type] of [
      ['/login', `${'a=1&'.repeat(249)}a=1`, urlencoded],
      ['/lease', `image=${'x'.repeat(300_000)}`, urlencoded],
      ['/proof-of-insurance.data', 'x'.repeat(10 * 1024 * 1024), multipart],
      // One form takes the list of new rents as file or pasted text.
      ['/office/rent-changes/new', '--b--', multipart],
    ] as const)
      await send(path, body, type)
    expect(reached).toEqual([
      '/login 999',
      '/lease 300006',
      `/proof-of-insurance.data ${10 * 1024 * 1024}`,
      '/office/rent-changes/new 5',
    ])
  })

  it('accepts a form through a proxy that terminates TLS, whatever host it names', async () => {
    const action = async ({ request }: { request: Request }) => String((await request.formData()).get('city'))
    // Tests the router's own check of a form's Origin against its address.
    const routes = { search: { id: 'search', path: 'search', module: { action, default: () => null } } }
    const build = {
      routes,
      assets: { routes: {} },
      entry: { module: {} },
      prerender: [],
      ssr: true,
      future: {},
      routeDiscovery: { mode: 'initial' },
    }
    const handler = createRequestHandler(build as never, 'production')
    const { app } = await site({
      pages: (request, context) => handler(request, context),
      config: configOf({ PUBLIC_URL: 'https://rent.example' }),
    })
    const send = async (address: string, origin: string) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin }
      const answer = await app.request(address, { method: 'POST', body: 'city=Macon', headers })
      return [answer.status, (await answer.text()).includes('Macon')]
    }
    for (const address of [
      'http://rent.example/search.data?x=1',
      'http://127.0.0.1:3000/search.data',
      'https://rent.example/search.data',
    ])
      expect([address, await send(address, 'https://rent.example')]).toEqual([address, [200, true]])
  })

  it('refuses other host names, in a demo', async () => {
    const { app, services } = await site({ pages: async () => new Response('page') })
    const under = async (host: string, path = '/login') => (await app.request(path, { headers: { Host: host } })).status
    const own = ['localhost:3000', 'LOCALHOST', 'demo.localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.5']
    for (const host of own) expect([host, await under(host)]).toEqual([host, 200])
    expect(services.security.recorded).toEqual([])
    for (const host of ['evil.example', 'localhost.evil.example:3000', 'rent.example', '', 'a b'])
      expect([host, await under(host, '/api/states')]).toEqual([host, 421])
    expect(services.security.recorded.at(-1)?.[0]).toBe('host.foreign')
    for (const [env, Host] of [
      [{ PUBLIC_URL: 'http://demo.test:3970' }, 'demo.test:3970'],
      [PRODUCTION, 'inside:3000'],
    ] as const) {
      const { app: other } = await site({ config: configOf(env), pages: async () => new Response('page') })
      expect((await other.request('/login', { headers: { Host } })).status).toBe(200)
    }
  })

  it('refuses requests for another site’s URL, and unknown methods', async () => {
    const { app, services } = await site({ pages: async (request) => new Response(request.method) })
    const reported: unknown[] = []
    services.errors = { report: (error) => void reported.push(error) }
    const server = await listen({ fetch: app.fetch, first: app.serveCached, host: '127.0.0.1', port: 0 })
    const { port } = server.address() as AddressInfo
    const say = (line: string) =>
      new Promise<number>((resolve) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('data', (bytes) => {
          resolve(Number(String(bytes).split(' ')[1]))
          socket.destroy()
        })
        socket.write(`${line} HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n`)
      })
    try {
      expect(await say('GET /login')).toBe(200)
      expect(await say('GET http://localhost:3000/login')).toBe(200)
      expect(await say('GET http://evil.example/login')).toBe(421)
      expect(await say('TRACE /login')).toBe(405)
      expect(await say('TRACE /api/states')).toBe(405)
      expect(await say('PROPFIND /login')).toBe(405)
      expect(reported).toEqual([])
    } finally {
      server.close()
    }
  })

  it('redirects from 127.0.0.1 to localhost, in a demo', async () => {
    const { app } = await site({ pages: async () => new Response('page') })
    const open = async (address: string, accept: string) => {
      const answer = await app.request(address, { headers: { Accept: accept } })
      return [answer.status, answer.headers.get('location')]
    }
    const page = 'text/html,application/xhtml+xml'
    for (const name of ['127.0.0.1', '[::1]'])
      expect(await open(`http://${name}:3000/login?next=%2Fmy-units`, page)).toEqual([
        307,
        'http://localhost:3000/login?next=%2Fmy-units',
      ])
    expect(await open('http://localhost:3000/login', page)).toEqual([200, null])
    expect(await open('http://127.0.0.1:3000/login', '*/*')).toEqual([200, null])
    expect(await open('http://127.0.0.1:8080/login', page)).toEqual([200, null])
  })

  it("accepts no form from another site, or with the origin 'null' and no Sec-Fetch-Site", async () => {
    let accepted = 0
    const pages: PageRenderer = async ({ url }, context) => {
      // A page may show the refusal but not the sent data.
      const { refused } = context.get(requestContext)
      if (refused) return new Response(new URL(url).pathname, { status: refused })
      accepted += 1
      return new Response('taken')
    }
    const { app } = await site({ pages })
    const form = (path: string, headers: Record<string, string>) =>
      app.request(path, {
        method: 'POST',
        body: 'intent=login&username=ada@example.com&password=ada-secret',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      })
    const elsewhere: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://localhost:3000.evil.example' },
      { Origin: 'http://localhost:3001' },
      { Origin: 'https://localhost:3000' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'cross-site' },
    ]
    const account = ['/login', '/login.data', '/log-out', '/forgot', '/register', '/update-password', '/session-time']
    for (const path of [...account, '/api/ssm/GetLocationUnitTypes'])
      for (const headers of elsewhere)
        expect([path, headers, (await form(path, headers)).status]).toEqual([path, headers, 403])
    expect(accepted).toBe(0)
    expect((await form('/login', { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
      200,
    )
    expect(accepted).toBe(1)
  })

  it('ignores fields that a caller may not set', async () => {
    const { app, services } = await site()
    const input = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/21/2026', ...contact }
    const forged = {
      rent: '0.01',
      status: 'rented',
      tenant_id: 1,
      hold_until: 9999999999999,
      grantOnlineAccess: true,
      grant_online_access: 1,
    }
    const body = JSON.stringify({ ...input, email: 'mallory@example.com', ...forged })
    expect((await app.request('/api/ssm/SaveReservationDetails_WEB', post(body))).status).toBe(200)
    const [reservation] = await rowsOf(services.db, 'reservations', ['status', 'rent', 'hold_until'])
    const [tenant] = await rowsOf(services.db, 'tenants', ['tenant_id', 'grant_online_access'], {
      email_key: 'mallory@example.com',
    })
    expect(reservation?.status).toBe('active')
    expect(reservation?.rent).toBeGreaterThan(1000)
    expect(reservation?.hold_until).toBeLessThan(9999999999999)
    expect(tenant?.grant_online_access).toBe(0)
    expect(tenant?.tenant_id).not.toBe(1)
  })

  it('refuses a line break in an e-mail address', async () => {
    const { app } = await site()
    const answer = await app.request(
      '/api/ssm/GetTenantDetailsByEmail',
      post(JSON.stringify({ location_code: 'GA1', email: 'a@example.com\r\nBcc: b@example.com' })),
    )
    expect(answer.status).toBe(400)
  })

  describe('a request that is turned away', () => {
    const requests: string[] = []
    const pages: PageRenderer = async ({ method, url }, context) => {
      const { refused } = context.get(requestContext)
      requests.push(`${method} ${new URL(url).pathname} ${refused}`)
      return new Response('<h1>page</h1>', { status: refused || (method === 'GET' ? 200 : 405) })
    }
    const form = (headers: Record<string, string>, body = 'a=b') => ({
      method: 'POST',
      body,
      headers: { Accept: 'text/html,*/*', 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    })
    const foreign = { Origin: 'http://127.0.0.1:3000' }

    it('is answered with an explaining page if a person sent it', async () => {
      const { app } = await site({ pages })
      requests.length = 0
      for (const [status, sent] of [
        [403, form(foreign)],
        [411, form({ 'Transfer-Encoding': 'chunked' })],
        [413, form({ 'Content-Length': String(20 * 1024 * 1024) })],
      ] as const) {
        const answer = await app.request('/vehicle', sent)
        expect(answer.status).toBe(status)
        expect(await answer.text()).toBe('<h1>page</h1>')
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
      }
      expect(requests).toEqual([403, 411, 413].map((status) => `GET /refused ${status}`))
    })

    it('reports its status to a page’s scripts in their notation', async () => {
      const { app } = await site({ pages })
      requests.length = 0
      expect((await app.request('/vehicle.data', { ...form(foreign), headers: foreign })).status).toBe(403)
      expect(requests).toEqual(['POST /refused.data 403'])
    })

    it('is answered with JSON if a program sent it', async () => {
      const { app } = await site({ pages })
      requests.length = 0
      const page = await app.request('/vehicle', form({ ...foreign, Accept: '*/*' }))
      expect([page.status, (await page.json()).error.code]).toEqual([403, 'foreign_origin'])
      const operation = await app.request('/api/ssm/find-email', form(foreign, '{}'))
      expect([operation.status, (await operation.json()).error.code]).toEqual([403, 'foreign_origin'])
      expect(requests).toEqual([])
    })

    it('names the allowed methods of a page without a form', async () => {
      const { app } = await site({ pages })
      requests.length = 0
      const answer = await app.request('/rental-completed', form({}))
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect(requests).toEqual(['POST /rental-completed 0', 'GET /refused 405'])
    })
  })

  it('answers 503 with a retry while the database is unavailable, and 500 for any other failure', async () => {
    let thrown: Error = new DatabaseUnavailable('lost', new Error('connection reset'))
    const { services, app } = await site({
      pages: async (_, context) => {
        contextOf(context).reportFailure(thrown, '/my-units')
        return new Response('<h1>Something went wrong on our side</h1>', {
          status: 500,
          headers: { 'X-Page': 'error' },
        })
      },
    })
    const reported: unknown[] = []
    services.errors = { report: (error) => void reported.push(error) }
    const unavailable = await app.request('/my-units')
    expect([unavailable.status, unavailable.headers.get('retry-after'), unavailable.headers.get('x-page')]).toEqual([
      503,
      '2',
      'error',
    ])
    expect(await unavailable.text()).toContain('Something went wrong')
    expect(reported).toEqual([])
    thrown = new Error('a bug')
    const failed = await app.request('/my-units')
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([500, null])
    expect(reported).toEqual([thrown])
  })

  it('asks excess requests to retry later', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const { app } = await site({ ready: async () => [], pages: async () => gate.then(() => new Response('page')) })
    const waiting = Array.from({ length: 256 }, () => app.request('/vehicle'))
    const shed = await app.request('/vehicle')
    expect(shed.status).toBe(503)
    expect(shed.headers.get('retry-after')).toBe('2')
    expect((await app.request('/healthz')).status).toBe(200)
    release()
    const answers = await Promise.all(waiting)
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect((await app.request('/vehicle')).status).toBe(200)
  })

  it('answers 503 at /readyz while it has a problem, and 200 at /healthz', async () => {
    const { app } = await site({ ready: async () => ['The disk is full.'] })
    expect((await app.request('/readyz')).status).toBe(503)
    expect((await app.request('/healthz')).status).toBe(200)
  })

  it('ignores a session cookie that it has not written', async () => {
    const { app } = await site()
    for (const cookie of ['latchkey=Fe26.2*1*deadbeef*x*y**z*w~2', 'latchkey=hello', `latchkey=${'x'.repeat(5000)}`]) {
      const answer = await app.request(
        '/api/ssm/GetTenantInfo',
        post(JSON.stringify({ location_code: 'GA1', tenant_id: 1 }), { Cookie: cookie }),
      )
      expect(answer.status).toBe(401)
    }
  })

  it('shows home page and unit list with the link to a held rental only to its own browser', async () => {
    const pages: PageRenderer = async (_, context) =>
      new Response(`<p>${JSON.stringify(contextOf(context).rental ?? null)}</p>`, {
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
      })
    const { app, services } = await site({ pages })
    services.ipLocation = { locate: async () => null }
    const input = { location_code: 'GA1', unit_type_id: 1, rent_now: 1, ...contact }
    const created = await app.request('/api/ssm/SaveReservationDetails_WEB', post(JSON.stringify(input)))
    const cookie = created.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const list = '/storage-units/ga/atlanta/1-depot-street'
    const load = async (path: string, Cookie = '') => (await app.request(path, { headers: { Cookie } })).text()
    for (const path of ['/', list, '/', list]) {
      expect(await load(path, cookie)).toContain('"path":"/vehicle"')
      expect(await load(path)).toBe('<p>null</p>')
      expect(await load(path, 'latchkey=planted')).toBe('<p>null</p>')
    }
    expect(await load('/size-guide', cookie)).toBe('<p>null</p>')

    // All visitors get the cached page, logged-in tenants too, except the browser that holds a unit.
    const session = await openSession('', cookieKeys, false, services.clock)
    session.set({ token: await signIn(services.db.write, services, 'ada', visitor()) })
    const tenant = (await session.cookies())[0]?.split(';')[0] ?? ''
    const servedFromCache: boolean[] = []
    const first: typeof app.serveCached = (request, response) => {
      servedFromCache.push(app.serveCached(request, response))
      return servedFromCache.at(-1) as boolean
    }
    const server = await listen({ fetch: app.fetch, first, host: '127.0.0.1', port: 0 })
    const { port } = server.address() as AddressInfo
    const ask = async (path: string, Cookie: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Cookie, Host: 'localhost:3000' } })).text()
    for (const path of ['/', list]) {
      await ask(path, '')
      servedFromCache.length = 0
      expect(await ask(path, cookie)).toContain('"path":"/vehicle"')
      for (const other of ['', tenant, 'latchkey=planted']) expect(await ask(path, other)).toBe('<p>null</p>')
      expect(servedFromCache).toEqual([false, true, true, true])
    }
    server.close()
    services.clock.advance(25 * 3_600_000)
    expect(await load('/', cookie)).toBe('<p>null</p>')
  })

  it('an alert survives redirects and files until a page shows it', async () => {
    const answers: Record<string, Response> = {
      '/my-units': new Response(null, { status: 302, headers: { Location: '/complete-lease' } }),
      '/my-units.data': new Response('[]', { status: 202, headers: { 'Content-Type': 'text/x-script' } }),
      '/session-time': Response.json({ left: 1 }),
      '/complete-lease': new Response('<p>page</p>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    }
    const { app } = await site({ pages: async (request) => answers[new URL(request.url).pathname] as Response })
    const clearsAlert = async (path: string) => {
      const answer = await app.request(path, { headers: { Cookie: 'latchkey_alert=newPasswordSaved' } })
      return answer.headers.getSetCookie().some((line) => line.startsWith('latchkey_alert=;'))
    }
    expect([
      await clearsAlert('/my-units'),
      await clearsAlert('/my-units.data'),
      await clearsAlert('/session-time'),
    ]).toEqual([false, false, false])
    expect(await clearsAlert('/complete-lease')).toBe(true)
  })

  it('keeps pages out of other sites’ frames, and other sites’ scripts out of pages', async () => {
    const { app } = await site({
      pages: async () => new Response('<p>page</p>', { headers: { 'Content-Type': 'text/html' } }),
    })
    const journey = await app.request('/vehicle')
    expect(journey.headers.get('content-security-policy')).toMatch(
      /script-src 'nonce-[^']{20,}' 'self';.*frame-ancestors 'self'; report-uri \/policy-reports$/,
    )
    expect(journey.headers.get('permissions-policy')).toContain('payment=(self "http://127.0.0.1:1")')
    expect(journey.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(journey.headers.get('cache-control')).toBe('no-store')
    const office = await app.request('/office/tenants/GA1/1001')
    expect(office.headers.get('content-security-policy')).toMatch(/frame-src 'none'.*frame-ancestors 'none'/)
    expect(office.headers.get('x-frame-options')).toBe('DENY')
    const home = await app.request('/size-guide')
    expect(home.headers.get('content-security-policy')).toContain("script-src 'inline-speculation-rules' 'self'")
  })

  it('lets pages show the facilities’ photos from their own https addresses, and no others', async () => {
    const pages: PageRenderer = async () => new Response('<p>page</p>', { headers: { 'Content-Type': 'text/html' } })
    const { app, services } = await site({ pages })
    const images = async () =>
      /img-src [^;]*/.exec((await app.request('/login')).headers.get('content-security-policy') ?? '')?.[0]
    expect(await images()).toBe("img-src 'self' data: blob:")
    await services.db.transaction(async (tx) => {
      await tx.updateTable('locations').set({ photo: 'https://images.example.com/ga1.jpg' }).execute()
      await bumpContentVersion(tx)
    })
    services.clock.advance(2_000)
    expect(await images()).toBe("img-src 'self' data: blob: https://images.example.com")
  })

  it('serves drawings of units by their size, and of nothing else', async () => {
    const { app } = await site()
    const drawing = await app.request('/drawings/10x15.svg')
    expect(drawing.headers.get('content-type')).toBe('image/svg+xml')
    expect(await drawing.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/)
    expect(await (await app.request('/drawings/12x35-boat-covered.svg')).text()).toContain('<svg')
    for (const name of [
      '0x10.svg',
      '10x15',
      '10x15.png',
      '100x15.svg',
      'axb.svg',
      '10x15.svg%00',
      '10x15-covered.svg',
    ]) {
      expect((await app.request(`/drawings/${name}`)).status).toBe(404)
    }
  })

  it('serves drawings of facilities in the operator’s colors, under names that change with them', async () => {
    const look = decodeLook('4bil') as FacilityLook
    const pages: PageRenderer = async (_, context) =>
      new Response(frontPath({ front: 101, look }, context.get(requestContext).brand))
    const { app, services } = await site({ pages })
    const path = async () => (await app.request('/login')).text()
    const drawingFacts = async (address: string) => {
      const answer = await app.request(address)
      return [answer.status, answer.headers.get('cache-control'), /--color-door:(#\w+)/.exec(await answer.text())?.[1]]
    }
    const first = await path()
    expect(await drawingFacts(first)).toEqual([200, 'public, max-age=31536000, immutable', '#FFC83D'])
    await services.db.transaction(async (tx) => {
      const value = JSON.stringify({ colors: { light: { door: '#88CC44' } } })
      await tx.deleteFrom('settings').where('name', '=', 'brand').execute()
      await tx.insertInto('settings').values({ name: 'brand', value, updated_at: 0 }).execute()
      await bumpContentVersion(tx)
    })
    services.clock.advance(2_000)
    const second = await path()
    expect(second).not.toBe(first)
    expect(await drawingFacts(second)).toEqual([200, 'public, max-age=31536000, immutable', '#88CC44'])
    expect(await drawingFacts(first)).toEqual([200, 'no-cache', '#88CC44'])
    for (const name of ['101.svg', '101-0123456789ab.svg', '101-9q-0123456789ab.svg'])
      expect((await app.request(`/fronts/${name}`)).status).toBe(404)
  })

  it('serves the operator’s colors and logo as files named by their content', async () => {
    const pages: PageRenderer = async (_, context) => new Response(JSON.stringify(context.get(requestContext).theme))
    const { app, services } = await site({ pages })
    const look = async () =>
      (await (await app.request('/login')).json()) as Record<'sheet' | 'logo' | 'icon' | 'share', string>
    expect(await look()).toEqual({ sheet: '', logo: '', icon: '', share: '' })
    await setBrand(services, {
      colors: { light: { door: '#0F7658', onDoor: '#FFFFFF' } },
      logo: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
      icon: 'data:image/png;base64,iVBORw0KGgo=',
      shareImage: 'data:image/jpeg;base64,/9j/4AAQ',
    })
    const first = await look()
    expect(first).toMatchObject({
      sheet: expect.stringMatching(/^\/look\/\w+\.css$/),
      logo: expect.stringMatching(/\.svg$/),
    })
    expect(first).toMatchObject({ icon: expect.stringMatching(/\.png$/), share: expect.stringMatching(/\.jpeg$/) })
    expect((await app.request(first.share)).headers.get('content-type')).toBe('image/jpeg')
    expect((await app.request('/favicon.ico')).headers.get('location')).toBe(first.icon)
    const sheet = await app.request(first.sheet)
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(await sheet.text()).toContain('--color-door:#0F7658')
    const logo = await app.request(first.logo)
    expect(logo.headers.get('content-type')).toBe('image/svg+xml')
    expect(logo.headers.get('content-security-policy')).toContain('sandbox')
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff')
    await setBrand(services, { colors: { light: { doorEdge: '#0B5A43' } } })
    expect((await look()).logo).toBe('')
    expect((await look()).sheet).not.toBe(first.sheet)
    expect((await app.request(first.sheet)).status).toBe(404)
  })

  it('serves a facility’s share image and the site’s icons, under names that change with their content', async () => {
    const { app, services } = await site()
    const [facility] = await loadFacilitiesByCode(services, ['GA1'])
    if (!facility) throw new Error('GA1 is there')
    const pictureFacts = async (path: string) => {
      const answer = await app.request(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      return [answer.headers.get('content-type'), picture.format, picture.width, picture.height]
    }
    const brand = parseBrand('{"name":"Acme Storage Partners"}')
    await services.db.transaction(async (tx) => {
      await tx.deleteFrom('settings').where('name', '=', 'brand').execute()
      await tx
        .insertInto('settings')
        .values({ name: 'brand', value: JSON.stringify(brand), updated_at: 0 })
        .execute()
      await bumpContentVersion(tx)
    })
    services.clock.advance(2_000)
    const path = sharePath(facility, undefined, brand)
    expect(await pictureFacts(path)).toEqual(['image/png', 'png', 1200, 630])
    expect(sharePath(facility, undefined, { ...brand, name: 'Acme' })).not.toBe(path)
    expect(sharePath({ ...facility, look: { ...facility.look, floors: 9 } }, undefined, brand)).not.toBe(path)
    const old = await app.request('/share/GA1-0123456789ab.png')
    expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    for (const name of ['NONE-0123456789ab.png', 'GA1.png', 'GA1-0123456789ab.gif'])
      expect((await app.request(`/share/${name}`)).status).toBe(404)

    const answer = await app.request('/site.webmanifest')
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    const { icons, ...manifest } = (await answer.json()) as { icons: { src: string; purpose: string; sizes: string }[] }
    expect(manifest).toMatchObject({ name: 'Acme Storage Partners', short_name: 'Acme', theme_color: '#FBFAF6' })
    expect(icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 512x512',
    ])
    for (const { src, sizes } of icons)
      expect(await pictureFacts(src)).toEqual(['image/png', 'png', ...sizes.split('x').map(Number)])
    expect((await app.request('/icons/0123456789ab-48.png')).status).toBe(404)
  })

  it('answers HEAD as GET at /api and at an unknown path below it, and refuses POST at /api', async () => {
    const { app } = await site({ pages: async () => new Response('page') })
    const status = async (method: string, path: string) => (await app.request(path, { method })).status
    expect([await status('GET', '/api'), await status('HEAD', '/api'), await status('POST', '/api')]).toEqual([
      200, 200, 404,
    ])
    expect([await status('GET', '/api/nothing'), await status('HEAD', '/api/nothing')]).toEqual([404, 404])
  })

  it('a public page is rendered once per variant, and supports HEAD and If-None-Match', async () => {
    let renders = 0
    const { app } = await site({
      pages: async (request) => {
        renders += 1
        const body = request.method === 'HEAD' ? null : `page ${renders} of ${new URL(request.url).search}`
        return new Response(body, {
          headers: { 'Content-Type': 'text/html' },
        })
      },
    })
    const first = await app.request('/search?q=30308')
    const again = await app.request('/search?q=30308&utm_source=mail')
    expect(await again.text()).toBe(await first.text())
    expect(renders).toBe(1)
    await app.request('/search?q=Tampa')
    expect(renders).toBe(2)
    const etag = first.headers.get('etag') as string
    expect((await app.request('/search?q=30308', { headers: { 'If-None-Match': etag } })).status).toBe(304)
    const head = await app.request('/search?q=30308', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    // After a HEAD request the next visitor still gets the whole page.
    expect(await (await app.request('/search?q=Macon', { method: 'HEAD' })).text()).toBe('')
    expect(await (await app.request('/search?q=Macon')).text()).toBe('page 3 of ?q=Macon')
    const packed = await app.request('/search?q=30308', { headers: { 'Accept-Encoding': 'gzip, br' } })
    expect(packed.headers.get('content-encoding')).toBe('br')
  })

  it('compresses public pages and the unit choice for browsers that accept Brotli', async () => {
    const page = Array.from({ length: 400 }, (_, at) => `<p>Unit ${at * 7919} of ${at}</p>`).join('')
    const { app } = await site({ pages: async () => new Response(page, { headers: { 'Content-Type': 'text/html' } }) })
    for (const path of ['/search?q=30308', '/search?q=30308', '/choose/GA1/1?unit=3']) {
      const answer = await app.request(path, { headers: { 'Accept-Encoding': 'br' } })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')], path).toEqual([
        'br',
        'Accept-Encoding',
      ])
      expect(bytes.byteLength, path).toBeLessThan(page.length / 2)
      expect(brotliDecompressSync(bytes).toString(), path).toBe(page)
      const plain = await app.request(path, { headers: { 'Accept-Encoding': 'gzip' } })
      expect([plain.headers.get('content-encoding'), await plain.text()], path).toEqual([null, page])
    }
    // Pages for one visitor are compressed only by the proxy.
    const own = await app.request('/my-units', { headers: { 'Accept-Encoding': 'br' } })
    expect(own.headers.get('content-encoding')).toBeNull()
  })

  it('lists in the policy the hash of the inlined style sheet, and on public pages that of the operator’s colors', async () => {
    const pages: PageRenderer = async ({ url }, router) => {
      if (url.includes('/search')) contextOf(router).recordInlineSheet('lists')
      return new Response('<p>A page</p>', { headers: { 'Content-Type': 'text/html' } })
    }
    const { app, services } = await site({ pages })
    const stylesOf = async (path: string) => {
      const policy = (await app.request(path)).headers.get('content-security-policy') ?? ''
      return /style-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? []
    }
    const hashOf = (sheet: string) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`
    const own = await stylesOf('/search')
    const aHash = expect.stringMatching(/^'sha256-.{44}'$/)
    expect(own).toEqual(["'self'", aHash])
    const brand = { colors: { light: { door: '#0F7658', onDoor: '#FFFFFF' } } }
    await setBrand(services, brand)
    expect(await stylesOf('/search')).toEqual([...own, hashOf(brandStyleSheet(parseBrand(JSON.stringify(brand))))])
    // Other pages link the colors as a file.
    expect(await stylesOf('/login')).toEqual(["'self'"])
  })
})

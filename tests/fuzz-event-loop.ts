/**
 * Measures how long hostile requests block the built server's event loop. Fails above 50 ms, for a 5xx response, and for
 * a refused upload that should be accepted. Sends as many requests as FUZZ_HOLD says (1,000 by default, 0 for all),
 * sampled with the random seed FUZZ_SEED. The delay comes from `/metrics` and is capped by the CPU time used, so that a
 * busy machine does not count.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { operations, resources } from '../api/catalogue.ts'
import routes from '../app/routes.ts'
import { type RunningSite, startSite } from '../e2e/fixtures.ts'
import { seededRandom } from '../ports/testing-clock-and-random.ts'

const longestMs = 50
/** Interval of the timer that measures the delay of the event loop, in milliseconds. The measured delays include it. */
const timerMs = 10
/** Number of tries before a blocking request counts, because garbage collection may hit any request once. */
const maxTries = 4

interface Hostile {
  name: string
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const root = join(import.meta.dirname, '..')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let client = 0

function send(site: RunningSite, { method = 'GET', path, headers = {}, body }: Hostile): Promise<[number, string]> {
  client += 1
  const from = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`
  return new Promise((resolve) => {
    const sent = request(
      site.url,
      {
        agent,
        method,
        path,
        insecureHTTPParser: true,
        timeout: 60_000,
        headers: {
          'X-Forwarded-For': from,
          Accept: 'text/html',
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('close', () => resolve([answer.statusCode ?? 0, Buffer.concat(parts).toString()]))
      },
    )
    // Node's own parser may refuse a header and close the connection, which counts as a response.
    sent.on('error', () => resolve([0, '']))
    sent.on('timeout', () => sent.destroy())
    sent.end(body)
  })
}

/**
 * Reads from `/metrics` the longest delay of the server's event loop since the last call, and the CPU time used since
 * its start, in milliseconds.
 */
async function readDelay(site: RunningSite): Promise<{ delay: number; cpu: number }> {
  // The server refuses metrics under the site's own name, which is localhost here.
  const text = await (await fetch(`${site.url.replace('localhost', '127.0.0.1')}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) * 1000
  return { delay: value('nodejs_eventloop_lag_max_seconds') - timerMs, cpu: value('process_cpu_seconds_total') }
}

let before = { delay: 0, cpu: 0 }

async function measureBlock(site: RunningSite, hostile: Hostile): Promise<{ ms: number; status: number }> {
  const [status] = await send(site, hostile)
  // Waits until the measuring timer of the server has run, so that the delay includes this request.
  await new Promise((resolve) => setTimeout(resolve, 2 * timerMs))
  const after = await readDelay(site)
  const used = after.cpu - before.cpu
  before = after
  return { ms: Math.max(0, Math.min(after.delay, used)), status }
}

const fill = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)

/** Short texts by name. Repeated many times, they are slow to match for a pattern that backtracks. */
const texts: [string, string][] = [
  ['letters', 'a'],
  ['spaces', ' '],
  ['digits', '4111 1111 '],
  ['addresses', 'a@a.'],
  ['brackets', '<a ('],
  ['marks', 'é\u0301\u202e'],
  ['escapes', '\\"&amp;'],
  ['dashes', '-1/2.'],
]

function namesInPages(): string[] {
  const files = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const found = files.flatMap((file) => [
    ...readFileSync(join(root, 'app', file), 'utf8').matchAll(/\bname="([\w-]+)"/g),
  ])
  return [...new Set([...found.map((match) => match[1] as string), 'intent', 'username', 'password', 'email'])]
}

const patternsOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, children }) => [...(path && path !== '*' ? [path] : []), ...patternsOf(children ?? [])])

const pagePaths = (): string[] =>
  patternsOf(routes).map(
    (path) =>
      `/${path
        .replace(':locationCode', 'ATL01')
        .replace(':unitTypeId', '3')
        .replace(/:uuid|:\w+Id\b/, '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001')
        .replace(/:\w+\??/g, 'atlanta')}`,
  )

const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
const json = { 'Content-Type': 'application/json' }
const xml = { 'Content-Type': 'application/xml' }

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

function pageRequests(who: string, headers: Record<string, string>): Hostile[] {
  const names = namesInPages()
  const all: Hostile[] = []
  for (const path of pagePaths()) {
    const form = (name: string, body: string) =>
      all.push({
        name: `${who} POST ${path} ${name}`,
        method: 'POST',
        path,
        headers: { ...urlencoded, ...headers },
        body,
      })
    form('a million fields', fill('a&', 2_000_000))
    form('30,000 fields', fill('a&', 60_000))
    form('250 long names', Array.from({ length: 249 }, (_, index) => `${fill('n', 200)}${index}=1`).join('&'))
    form('escapes', `username=${fill('%C3%A9', 60_000)}`)
    for (const [textName, text] of texts) {
      const each = Math.floor(55_000 / names.length / 3)
      const value = encodeURIComponent(fill(text, each).toWellFormed())
      form(
        `${textName} in every field`,
        names
          .map((name) => `${name}=${value}`)
          .join('&')
          .slice(0, 64_000),
      )
      for (const name of ['username', 'intent'])
        form(
          `${textName} in ${name}`,
          `${name}=${encodeURIComponent(fill(text, 20_000).toWellFormed())}`.slice(0, 64_000),
        )
      all.push({
        name: `${who} GET ${path} ${textName} in the query`,
        path: `${path}?${['q', 'next', 'order', 'lease', 'at', 'change', 'token', 'rescode'].map((name) => `${name}=${encodeURIComponent(fill(text, 400).toWellFormed())}`).join('&')}`.slice(
          0,
          14_000,
        ),
        headers,
      })
    }
  }
  const signature = (name: string, image: string) =>
    all.push({
      name: `${who} POST /lease ${name}`,
      method: 'POST' as const,
      path: '/lease',
      headers: { ...urlencoded, ...headers },
      body: `intent=sign&consent=1&method=drawn&image=${image}`,
    })
  signature('a megabyte for a signature', fill('A', 1_000_000))
  signature('a megabyte of escapes', fill('%2B', 1_000_000))
  signature('a large picture', `data:image/png;base64,${fill('A', 260_000)}`)
  return all
}

function uploadRequests(who: string, headers: Record<string, string>): Hostile[] {
  const bodies: [string, string | Buffer][] = [
    ['40,000 parts', Array.from({ length: 40_000 }, (_, index) => part(`f${index}`, '1')).join('')],
    ['250 parts', Array.from({ length: 250 }, (_, index) => part(`f${index}`, fill('x', 200))).join('')],
    ['40,000 files', fill(part('file', 'x', '; filename="a.pdf"'), 4_000_000)],
    ['headers without end', `--b\r\n${fill('X: y\r\n', 9_000_000)}`],
    ['a header without end', `--b\r\nX: ${fill('y', 9_000_000)}`],
    ['nearly boundaries', `${part('file', fill('\r\n--a', 9_000_000), '; filename="a.pdf"')}--b--`],
    ['lines', `${part('file', fill('\r\n', 9_000_000), '; filename="a.pdf"')}--b--`],
    ['a file of 10 MB', `${part('file', `%PDF-${fill('x', 10_400_000)}`, '; filename="a.pdf"')}--b--`],
    ['a name without end', part(fill('n', 60_000), 'x')],
    ['a file name without end', `${part('file', 'x', `; filename="${fill('\\"', 60_000)}"`)}--b--`],
    ['nothing but the boundary', fill('--b\r\n', 9_000_000)],
  ]
  return ['/proof-of-insurance', '/api/insurance/upload', '/login'].flatMap((path) =>
    bodies.map(([name, body]) => ({
      name: `${who} POST ${path} ${name}`,
      method: 'POST' as const,
      path,
      body,
      headers: { ...multipart, ...headers },
    })),
  )
}

/** Returns requests with a proof of insurance of nearly the maximum size and all its fields, which are to be accepted. */
function acceptedUploads(headers: Record<string, string>): Hostile[] {
  const fields = { ...(resources.get('POST /api/insurance/upload')?.example.input as Record<string, unknown>) }
  const { file, unit_numbers: units, ...texts } = fields
  const parts = Object.entries({ ...texts, unit_numbers: (units as string[])[0] }).map(([name, value]) =>
    part(name, String(value)),
  )
  const document = `%PDF-1.4\n${fill('x', 10 * 1024 * 1024 - 100)}\n%%EOF\n`
  const body = `${parts.join('')}${part('file', document, '; filename="a.pdf"\r\nContent-Type: application/pdf')}--b--\r\n`
  return ['/proof-of-insurance', '/api/insurance/upload'].map((path) => ({
    name: `a tenant POST ${path} ${acceptedSuffix}`,
    method: 'POST' as const,
    path,
    body,
    headers: { ...multipart, ...headers },
  }))
}
const acceptedSuffix = '10 MB that are taken'

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

function operationRequests(who: string, headers: Record<string, string>): Hostile[] {
  const all: Hostile[] = []
  const calls = [...operations.values(), ...resources.values()]
  for (const { name, example } of calls) {
    const [method, template] = name.includes(' ')
      ? (name.split(' ') as ['GET' | 'POST', string])
      : (['POST', ''] as const)
    const path = template === '' ? `/api/ssm/${name}` : template.replace(/\{\w+\}/g, 'ATL01')
    const fields = Object.keys(example.input)
    for (const [textName, text] of texts) {
      const value = fill(text, Math.floor(40_000 / (fields.length + 1) / 3)).toWellFormed()
      const input = { ...example.input, ...Object.fromEntries(fields.slice(0, 40).map((field) => [field, value])) }
      if (method === 'GET') {
        const query = new URLSearchParams(fields.map((field) => [field, value.slice(0, 200)]))
        all.push({ name: `${who} ${name} ${textName}`, path: `${path}?${query}`.slice(0, 14_000), headers })
      } else
        all.push({
          name: `${who} ${name} ${textName}`,
          method,
          path,
          headers: { ...json, ...headers },
          body: JSON.stringify(input),
        })
    }
    if (method === 'GET') continue
    const body = (title: string, text: string) =>
      all.push({ name: `${who} ${name} ${title}`, method, path, headers: { ...json, ...headers }, body: text })
    body('deep', `{"location_code":${deep(30_000)}}`)
    body('many fields', `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join()}}`)
    body(
      'lists in every field',
      JSON.stringify(Object.fromEntries(fields.map((field) => [field, Array(300).fill({ a: [1] })]))),
    )
    body(
      'a megabyte',
      `{"location_code":"ATL01","tenant_signature":"${fill('A', 1_000_000)}","file":"${fill('A', 40_000)}"}`,
    )
  }
  const envelopes: [string, string][] = [
    ['elements', `<GetUnitsList>${fill('<a/>', 64_000)}</GetUnitsList>`],
    ['deep elements', fill('<a>', 64_000)],
    ['repeated elements', `<GetUnitsList>${fill('<a>1</a>', 60_000)}</GetUnitsList>`],
    ['attributes', `<GetUnitsList ${fill('a="b" ', 64_000)}`],
    ['an attribute without end', `<GetUnitsList a="${fill('b', 64_000)}`],
    ['spaces', `<GetUnitsList${fill(' ', 64_000)}x`],
    ['entities', `<GetUnitsList><a>${fill('&amp;', 60_000)}</a></GetUnitsList>`],
    ['numbers', `<GetUnitsList><a>${fill('&#65;', 60_000)}</a></GetUnitsList>`],
    ['comments', fill('<!---->', 64_000)],
    ['open comments', fill('<!--', 64_000)],
    ['instructions', fill('<?a?>', 64_000)],
    ['a document type', `<!DOCTYPE a [${fill('<!ENTITY a "b">', 60_000)}]><a/>`],
    ['closing tags', fill('</a>', 64_000)],
    ['brackets', fill('<', 64_000)],
  ]
  for (const [name, body] of envelopes) {
    all.push({ name: `${who} XML ${name}`, method: 'POST', path: '/api/ssm', headers: { ...xml, ...headers }, body })
    const large = body.includes('GetUnitsList') ? body.replaceAll('GetUnitsList', 'lease-pdf') : `<lease-pdf>${body}`
    const whole = large.replace(/^(<lease-pdf[^>]*>?)/, (start) => start + fill(body.slice(20, 60) || ' ', 900_000))
    all.push({
      name: `${who} XML ${name}, 1 MB`,
      method: 'POST',
      path: '/api/ssm',
      headers: { ...xml, ...headers },
      body: whole,
    })
  }
  return all
}

function headerRequests(): Hostile[] {
  const values: [string, string][] = [
    ['a cookie of many', fill('a=b; ', 14_000)],
    ['many sessions', fill('latchkey=x; ', 14_000)],
    ['a long session', `latchkey=${fill('x', 14_000)}`],
    ['a sealed session', `latchkey=${fill('Fe26.2*1*', 3_900)}`],
    ['commas', fill(',', 14_000)],
    ['addresses', fill('1.1.1.1,', 14_000)],
    ['dots', fill('a.', 14_000)],
    ['digits', fill('4111 1111 ', 14_000)],
    ['spaces', `a${fill(' ', 14_000)}b`],
  ]
  const names = [
    'Cookie',
    'Authorization',
    'X-Forwarded-For',
    'Accept',
    'Accept-Encoding',
    'If-None-Match',
    'User-Agent',
  ]
  const more = ['X-Request-Id', 'Idempotency-Key', 'Content-Type', 'Origin', 'Referer', 'Range']
  const all: Hostile[] = []
  for (const path of ['/', '/login', '/my-units', '/api/ssm/GetUnitsList', '/assets/x.js', '/card-return/x'])
    for (const header of [...names, ...more])
      for (const [textName, value] of values)
        all.push({
          name: `${header} of ${textName} to ${path}`,
          path,
          method: path.startsWith('/api') ? ('POST' as const) : ('GET' as const),
          headers: { [header]: header === 'Authorization' ? `Bearer ${value}` : value },
        })
  const paths = ['/', '/a', '/%41', '/..', '/%2e%2e', '/4111%201111', '/-', '/;a=b', '//', '/%F0%9F%94%92']
  for (const text of paths) {
    for (const start of ['', '/storage-units', '/api', '/api/ssm', '/receipt', '/assets', '/drawings', '/look', '/p'])
      all.push({ name: `GET ${start} and a long path of ${text}`, path: `${start}${fill(text, 14_000)}` })
  }
  for (const text of ['a&', 'q=a&', 'size=10x10&', 'feature=a&', '_routes=root,', '%41', 'q=%F0%9F%94%92'])
    for (const path of [
      '/',
      '/search',
      '/storage-units/georgia/atlanta',
      '/login',
      '/login.data',
      '/api/states',
      '/api/locations',
    ])
      all.push({ name: `GET ${path} with a query of ${text}`, path: `${path}?${fill(text, 14_000)}` })
  for (const [textName, text] of texts)
    all.push({
      name: `GET /search for ${textName}`,
      path: `/search?q=${encodeURIComponent(fill(text, 3_000).toWellFormed())}`.slice(0, 14_000),
    })
  return all
}

/**
 * Samples the requests of a fuzz test, with about the same number of each kind.
 * @param count number of requests; 0 for all
 */
function sample(all: Hostile[], count: number, seed: number): Hostile[] {
  if (count === 0 || count >= all.length) return all
  const random = seededRandom(seed)
  const kinds = new Map<string, Hostile[]>()
  for (const hostile of all) {
    const kind = hostile.name.replace(/ (?:to )?(?:GET |POST )?(?:\/\S*|[A-Z]\w+)(?= |$)/, '')
    kinds.set(kind, [...(kinds.get(kind) ?? []), hostile])
  }
  const chosen: Hostile[] = []
  while (chosen.length < count)
    for (const group of kinds.values())
      if (group.length > 0) chosen.push(...group.splice(random.integer(0, group.length - 1), 1))
  return chosen.slice(0, count)
}

async function signInByApi(site: RunningSite): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'marcus.tilley@example.com', password: 'rolling-door-47' })
  const [, text] = await send(site, { name: '', method: 'POST', path: '/api/ssm/login', headers: json, body })
  return { Authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` }
}

async function signInByPage(site: RunningSite): Promise<Record<string, string>> {
  const form = { username: 'marcus.tilley@example.com', password: 'rolling-door-47', intent: 'login' }
  const answer = await fetch(`${site.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...urlencoded, Accept: 'text/html' },
    body: new URLSearchParams(form),
  })
  return cookiesOf(answer)
}

const cookiesOf = (answer: Response): Record<string, string> => ({
  Cookie: answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; '),
})

async function startRental(site: RunningSite): Promise<Record<string, string>> {
  const answer = await fetch(`${site.url}/rent/ATL01/3`, { redirect: 'manual' })
  return cookiesOf(answer)
}

const site = await startSite({ TRUST_PROXY: '1', LOG_LEVEL: 'silent' })
let failed = false
try {
  const asTenant = await signInByApi(site)
  const asRenter = await startRental(site)
  // Pages identify a tenant by the cookie, operations by the bearer token.
  const asSignedIn = await signInByPage(site)
  const only = process.env.FUZZ_HOLD_ONLY
  const every = [
    ...acceptedUploads({ ...asTenant, ...asSignedIn }),
    ...headerRequests(),
    ...uploadRequests('a stranger', {}),
    ...uploadRequests('a tenant', { ...asTenant, ...asSignedIn }),
    ...operationRequests('a stranger', {}),
    ...operationRequests('a tenant', asTenant),
    ...pageRequests('a stranger', {}),
    // After logging out, the requests would not be a tenant's.
    ...pageRequests('a tenant', asSignedIn).filter(({ path }) => !path.startsWith('/log-out')),
    ...pageRequests('a renter', asRenter),
  ].filter(({ name }) => !only || name.includes(only))
  const all = sample(every, Number(process.env.FUZZ_HOLD ?? 1_000), Number(process.env.FUZZ_SEED ?? 1))
  const began = performance.now()
  // Sends a sample before measuring, because code is slow when it first runs.
  for (const hostile of all.filter((_, index) => index % 12 === 0)) await send(site, hostile)
  before = await readDelay(site)
  const statuses = new Map<number, number>()
  const longest: { name: string; ms: number; status: number }[] = []
  for (const hostile of all) {
    let { ms, status } = await measureBlock(site, hostile)
    for (let attempt = 1; attempt < maxTries && ms > longestMs; attempt += 1)
      ms = Math.min(ms, (await measureBlock(site, hostile)).ms)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    longest.push({ name: hostile.name, ms, status })
    if (status >= 500 || (hostile.name.endsWith(acceptedSuffix) && status >= 400)) {
      failed = true
      console.error(`${hostile.name}: answered ${status}`)
    }
    if (site.ended()) throw new Error(`${hostile.name}: ${site.ended()}`)
  }
  longest.sort((a, b) => b.ms - a.ms)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${all.length} hostile requests of ${every.length} in ${seconds} s, by status: ${JSON.stringify(Object.fromEntries(statuses))}`,
  )
  for (const { name, ms, status } of longest.slice(0, 10))
    console.log(`${ms.toFixed(1).padStart(7)} ms  ${status}  ${name}`)
  const [worst] = longest
  if (worst && worst.ms > longestMs) {
    failed = true
    console.error(`${worst.name} holds the event loop for ${Math.round(worst.ms)} ms: more than ${longestMs}.`)
  }
} finally {
  agent.destroy()
  await site.stop()
}
process.exit(failed ? 1 : 0)

import type { IncomingHttpHeaders } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../testing-clock-and-random.ts'
import { serverForTests } from '../testing-server.ts'
import { sentryErrors } from './sentry.ts'

interface Envelope {
  url: string
  headers: IncomingHttpHeaders
  lines: Record<string, never>[]
}
let envelopes: Envelope[] = []
let status = 200
const origin = await serverForTests(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  envelopes.push({ url: request.url ?? '', headers: request.headers, lines })
  response.writeHead(status, { 'Retry-After': '30' }).end('{}')
})
beforeEach(() => {
  envelopes = []
  status = 200
})

function open(dsn = `${origin.replace('://', '://public-key@')}/sentry/42`) {
  const logged: unknown[] = []
  const clock = fixedClock(Date.parse('2026-11-20T17:00:00Z'))
  const also = { report: (error: unknown) => void logged.push(error) }
  const reporter = sentryErrors({ dsn, clock, random: seededRandom(1), environment: 'production', also })
  return { reporter, logged, clock }
}

test('an error arrives as an envelope with its type, message, frames, causes and details', async () => {
  const { reporter, logged } = open()
  const cause = new RangeError('out of range')
  reporter.report(new TypeError('No answer', { cause }), { order: 'o-1', tries: 3 })
  await reporter.settled()
  expect(logged).toHaveLength(1)
  expect(envelopes).toHaveLength(1)
  const [{ url, headers, lines }] = envelopes as [Envelope]
  expect(url).toBe('/sentry/api/42/envelope/')
  expect(headers['x-sentry-auth']).toContain('sentry_key=public-key')
  expect(headers['content-type']).toBe('application/x-sentry-envelope')
  const [head, item, event] = lines as unknown as [{ event_id: string }, { type: string }, Record<string, unknown>]
  expect(head.event_id).toMatch(/^[0-9a-f]{32}$/)
  expect(item.type).toBe('event')
  expect(event).toMatchObject({
    event_id: head.event_id,
    timestamp: Date.parse('2026-11-20T17:00:00Z') / 1000,
    environment: 'production',
    extra: { order: 'o-1', tries: 3 },
    exception: {
      values: [
        { type: 'RangeError', value: 'out of range' },
        { type: 'TypeError', value: 'No answer' },
      ],
    },
  })
  expect(JSON.stringify(event.exception)).toContain('sentry.test.ts')
})

test('the errors of an aggregate arrive before it', async () => {
  const { reporter } = open()
  const refused = new RangeError('first address', { cause: new Error('socket closed') })
  reporter.report(new AggregateError([refused, new TypeError('second address')], 'no address answers'))
  await reporter.settled()
  expect(envelopes[0]?.lines[2]).toMatchObject({
    exception: {
      values: [
        { value: 'socket closed' },
        { value: 'first address' },
        { value: 'second address' },
        { type: 'AggregateError', value: 'no address answers' },
      ],
    },
  })
})

test('card numbers and secrets are gone', async () => {
  const { reporter } = open()
  const cause = new Error('postgres://site:hunter2@db/latchkey')
  reporter.report(new Error('card 4111 1111 1111 1111 declined', { cause }), {
    password: 'hunter2',
    note: '4111111111111111',
  })
  await reporter.settled()
  const text = JSON.stringify(envelopes)
  expect(text).toContain('[card number] declined')
  expect(text).not.toMatch(/4111|hunter2/)
})

test('a thrown value that is no error is reported by its text', async () => {
  const { reporter } = open()
  reporter.report('something odd')
  await reporter.settled()
  expect(envelopes[0]?.lines[2]).toMatchObject({ message: 'something odd' })
})

test('pauses for as long as a rate-limiting receiver asks', async () => {
  const { reporter, clock, logged } = open()
  status = 429
  reporter.report(new Error('one'))
  await reporter.settled()
  reporter.report(new Error('two'))
  await reporter.settled()
  expect(envelopes).toHaveLength(1)
  clock.advance(30_000)
  reporter.report(new Error('three'))
  await reporter.settled()
  expect(envelopes).toHaveLength(2)
  expect(logged).toHaveLength(3)
})

test('sends ten of a flood of errors, and logs all', async () => {
  const { reporter, logged } = open()
  for (let at = 0; at < 100; at += 1) reporter.report(new Error(`failure ${at}`))
  await reporter.settled()
  expect(envelopes).toHaveLength(10)
  expect(logged).toHaveLength(100)
})

test('throws nothing if no server listens, whatever is reported', async () => {
  const { reporter, logged } = open('http://key@127.0.0.1:1/1')
  const hostile = Object.defineProperty(new Error(), 'message', {
    get() {
      throw new Error('no')
    },
  })
  for (const thrown of [new Error('x'), hostile, null, undefined, Object.create(null), Symbol('s')])
    reporter.report(thrown)
  await reporter.settled()
  expect(logged).toHaveLength(6)
})

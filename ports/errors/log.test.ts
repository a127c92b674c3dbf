import { describe, expect, test } from 'vitest'
import { loggedErrors } from './log.ts'
import { redact, redactPath } from './redact.ts'

function bench() {
  const lines: { fields: Record<string, unknown>; message: string }[] = []
  const reporter = loggedErrors({ error: (fields, message) => void lines.push({ fields, message }) })
  return { reporter, lines, text: () => JSON.stringify(lines) }
}

describe('redaction', () => {
  test.each([
    ['4111111111111111', '[card number]'],
    ['card 4111 1111 1111 1111 declined', 'card [card number] declined'],
    ['4111-1111-1111-1111', '[card number]'],
    ['3782.822463.10005', '[card number]'],
    ['4222222222222', '[card number]'],
    ['6304000000000000000', '[card number]'],
    ['4111 1111 1111 1111 12 2027', '[card number] 12 2027'],
    ['10482 4111111111111111', '10482 [card number]'],
    ['4111111111111111 5555555555554444', '[card number] [card number]'],
  ])('%s becomes %s', (text, expected) => expect(redact(text)).toBe(expected))

  test.each([
    '4111111111111112',
    'at 1700000000004',
    'lease 10482, phone 404-555-0134, unit 214',
    'order 3f2a9c41-1111-4111-8111-11111111aaaa',
    '12345678901234567890123',
    '2026-11-20 10:00:00',
  ])('%s stays', (text) => expect(redact(text)).toBe(text))

  test.each([
    ['Authorization: Bearer abcdef.ghijkl', 'abcdef'],
    ['postgres://site:hunter2@db/latchkey', 'hunter2'],
    ['password=hunter2&next=/', 'hunter2'],
    ['{"password":"hunter2","a":1}', 'hunter2'],
    ['api_key: hunter2', 'hunter2'],
    ['reset_token = hunter2', 'hunter2'],
    ['accountNumber=hunter2', 'hunter2'],
  ])('the secret in %s is redacted', (text, secret) => {
    expect(redact(text)).not.toContain(secret)
    expect(redact(text)).toContain('[redacted]')
  })

  const uuid = '3f2a9c41-1111-4111-8111-11111111aaaa'
  test.each([
    [`/p/${uuid}`, '/p/[uuid]'],
    [`/auction-winner/${uuid.toUpperCase()}.data`, '/auction-winner/[uuid].data'],
    [`/reservation/${uuid.replaceAll('-', '%2D')}`, '/reservation/[uuid]'],
    [`/api/auction_winners/%33${uuid.slice(1)}/send_payment_email`, '/api/auction_winners/[uuid]/send_payment_email'],
    ['/search/4111%201111%201111%201111', '/search/[card number]'],
    ['/storage-units/georgia/atlanta', '/storage-units/georgia/atlanta'],
    ['/100%/%zz', '/100%/%zz'],
  ])('the path %s becomes %s', (path, redacted) => expect(redactPath(path)).toBe(redacted))

  // A pattern with quadratic cost would exceed the test's time.
  test('a long text of digits is redacted quickly', () => {
    expect(redact('4 1'.repeat(500_000)).startsWith('[card number]')).toBe(true)
    expect(redact('1'.repeat(1_000_000)).length).toBeGreaterThan(0)
  })
})

describe('reporting', () => {
  test('an error is logged with its message, stack, code, cause and details', () => {
    const { reporter, lines } = bench()
    const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
    reporter.report(new TypeError('No answer', { cause }), { order: 'o-1', tries: 3, last: true, unit: null })
    expect(lines).toHaveLength(1)
    expect(lines[0]!.message).toBe('No answer')
    expect(lines[0]!.fields).toMatchObject({
      error: {
        name: 'TypeError',
        message: 'No answer',
        cause: { message: 'connection refused', code: 'ECONNREFUSED' },
      },
      order: 'o-1',
      tries: 3,
      last: true,
      unit: null,
    })
    expect((lines[0]!.fields.error as { stack: string }).stack).toContain('log.test.ts')
  })

  test('card numbers and secrets are gone from message, stack, cause and details', () => {
    const { reporter, text } = bench()
    const error = new Error('charge of 4111111111111111', { cause: new Error('password=hunter2') })
    reporter.report(error, { card: 4111111111111111, text: '5555 5555 5555 4444', token: 'hunter2', gate_code: 4821 })
    expect(text()).not.toMatch(/41111|5555|hunter2|4821/)
  })

  test('a personal link is gone from the address that failed', () => {
    const { reporter, text } = bench()
    reporter.report(new Error('x'), { path: '/p/3f2a9c41-1111-4111-8111-11111111aaaa' })
    expect(text()).toContain('/p/[uuid]')
  })

  test('reports the errors within an aggregate', () => {
    const { reporter, text } = bench()
    reporter.report(new AggregateError([new Error('first'), new Error('second')], 'both'))
    expect(text()).toContain('first')
    expect(text()).toContain('second')
  })

  test('never throws, whatever was thrown', () => {
    const { reporter, lines } = bench()
    const loop = new Error('loop')
    loop.cause = loop
    const hostile = new Error('hostile')
    for (const name of ['message', 'stack', 'cause', 'name', 'code'])
      Object.defineProperty(hostile, name, {
        get() {
          throw new Error('no')
        },
      })
    const everything = [
      loop,
      hostile,
      null,
      undefined,
      0,
      'text',
      Symbol('s'),
      Object.create(null),
      { toString: 1 },
      10n,
    ]
    for (const thrown of everything) reporter.report(thrown)
    expect(lines).toHaveLength(everything.length)
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    reporter.report(revoked.proxy)
    const broken = loggedErrors({
      error() {
        throw new Error('disk full')
      },
    })
    expect(() => broken.report(new Error('x'))).not.toThrow()
  })

  test('truncates a very long message', () => {
    const { reporter, text } = bench()
    reporter.report(new Error('x'.repeat(1_000_000)))
    expect(text().length).toBeLessThan(40_000)
  })
})

import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { serverForTests } from '../testing-server.ts'
import { httpBreachedPasswords } from './http.ts'

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const requests: { url: string; padding: string | undefined }[] = []
let behavior: 'well' | 'silent' | 'broken' | 'garbled' | 'endless' = 'well'

const url = await serverForTests((request, response) => {
  requests.push({ url: request.url ?? '', padding: request.headers['add-padding'] as string | undefined })
  if (behavior === 'silent') return
  if (behavior === 'broken') return void response.writeHead(503).end()
  if (behavior === 'garbled') return void response.end('<html>:1</html>')
  const prefix = request.url?.replace('/v2/range/', '') ?? ''
  const line = (password: string, count: number) => {
    const hash = hashOf(password)
    return hash.startsWith(prefix) ? [`${hash.slice(5)}:${count}`] : []
  }
  const lines = [...line('open sesame 1', 17), ...line('only padding', 0), `${'0'.repeat(34)}F:3`]
  if (behavior === 'endless') lines.push(...Array<string>(50_000).fill(`${'A'.repeat(35)}:1`))
  response.end(lines.join('\r\n'))
})
const reported: string[] = []
beforeEach(() => {
  behavior = 'well'
  requests.length = 0
  reported.length = 0
})
const errors = { report: (error: unknown) => void reported.push(String(error)) }
const open = () => httpBreachedPasswords({ url: `${url}/v2/`, errors, timeoutMs: 1000 })

test('a password from a breach is known', async () => {
  expect(await open().isKnown('open sesame 1')).toBe(true)
})

test.each(['Open sesame 1', 'open sesame 1 ', 'open sesame', '', 'ünïcødé 🗝️', 'x'.repeat(10_000)])(
  'another is not: %s',
  async (password) => expect(await open().isKnown(password)).toBe(false),
)

test('sends only five digits of the hash', async () => {
  await open().isKnown('open sesame 1')
  expect(requests).toEqual([{ url: `/v2/range/${hashOf('open sesame 1').slice(0, 5)}`, padding: 'true' }])
})

test('padding counts as no breach', async () => {
  expect(await open().isKnown('only padding')).toBe(false)
  expect(reported).toEqual([])
})

test.each(['silent', 'broken', 'endless'] as const)(
  'a service that is %s lets the password pass, which is reported',
  async (kind) => {
    behavior = kind
    const passwords = httpBreachedPasswords({ url: `${url}/v2/`, errors, timeoutMs: kind === 'silent' ? 50 : 1000 })
    expect(await passwords.isKnown('open sesame 1')).toBe(false)
    expect(reported).toEqual([expect.stringMatching(/not checked: 127\.0\.0\.1:\d+ \(/)])
    expect(reported.join()).not.toContain('sesame')
  },
)

test('a response that is no list reports no breach', async () => {
  behavior = 'garbled'
  expect(await open().isKnown('open sesame 1')).toBe(false)
})

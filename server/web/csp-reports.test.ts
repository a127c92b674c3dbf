import { describe, expect, it } from 'vitest'
import { openerForTests } from '../../tests/support/databases.ts'
import { configOf, openTestSite } from '../../tests/support/site.ts'
import { openLog } from '../log.ts'
import { createPatternFinder } from './route-patterns.ts'

const patternOf = createPatternFinder({
  root: { id: 'root', path: '' },
  pay: { id: 'pay', parentId: 'root', path: 'p/:uuid' },
})

const report = (fields: Record<string, string>) => JSON.stringify({ 'csp-report': fields })
const skimmer = report({
  'document-uri': 'https://rent.example/p/Zx3mVQ?email=maya@example.com',
  referrer: 'https://rent.example/maya',
  'effective-directive': 'script-src-elem',
  'blocked-uri': 'https://skimmer.example/card.js?maya',
  'script-sample': 'maya',
})

describe('Reports of a violated policy', () => {
  const open = openerForTests()

  async function site() {
    const lines: Record<string, unknown>[] = []
    const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    const { app } = await openTestSite(await open(), { log, patternOf, config: configOf({ TRUST_PROXY: '1' }) })
    const send = async (body: string, address = '203.0.113.77') =>
      (
        await app.request('/policy-reports', {
          method: 'POST',
          body,
          headers: { 'Content-Type': 'application/csp-report', 'X-Forwarded-For': address },
        })
      ).status
    return { send, lines }
  }

  it('are logged by page, rule and origin, without a word about the visitor', async () => {
    const { send, lines } = await site()
    expect(await send(skimmer)).toBe(204)
    expect(await send(report({ 'violated-directive': "script-src-attr 'self'", 'blocked-uri': 'inline' }))).toBe(204)
    expect(await send(report({ 'effective-directive': 'img-src', 'blocked-uri': 'data:image/png;maya' }))).toBe(204)
    expect(lines).toMatchObject([
      { level: 40, page: '/p/:uuid', directive: 'script-src-elem', blocked: 'https://skimmer.example' },
      { page: '*', directive: 'script-src-attr', blocked: 'inline' },
      { page: '*', directive: 'img-src', blocked: 'data:' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/maya|Zx3mVQ|113\.77/)
  })

  it('that are invalid or too long are refused and not logged', async () => {
    const { send, lines } = await site()
    for (const body of ['', '{', '[]', 'null', '{"csp-report":null}', report({ 'effective-directive': 'a<b> c' })])
      expect(await send(body), body).toBe(400)
    expect(await send(skimmer.padEnd(9000))).toBe(413)
    expect(lines).toEqual([])
  })

  it('are limited for each network, and in total', async () => {
    const { send, lines } = await site()
    for (let n = 0; n < 20; n += 1) expect(await send(skimmer)).toBe(204)
    expect(await send(skimmer)).toBe(429)
    for (let n = 0; n < 280; n += 1)
      expect(await send(skimmer, `198.18.${n % 140}.${n}`.replace(/\.\d+$/, '.1'))).toBe(204)
    expect(await send(skimmer, '198.51.100.1')).toBe(429)
    expect(lines).toHaveLength(300)
  })
})

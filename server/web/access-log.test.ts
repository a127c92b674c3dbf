import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { configOf, openTestSite } from '../../tests/support/site.ts'
import { listen } from '../http-server.ts'
import { openLog } from '../log.ts'
import { openAccessLog } from './access-log.ts'
import { createPatternFinder } from './route-patterns.ts'
import type { PageRenderer } from './web-app-state-and-request-callers.ts'

const patternOf = createPatternFinder({
  root: { id: 'root', path: '' },
  home: { id: 'home', parentId: 'root' },
  search: { id: 'search', parentId: 'root', path: 'search' },
  city: { id: 'city', parentId: 'root', path: 'storage-units/:state/:city' },
  sizes: { id: 'sizes', parentId: 'root', path: 'storage-units/:state/all' },
  receipt: { id: 'receipt', parentId: 'root', path: 'receipt/:order?' },
  office: { id: 'office', parentId: 'root', path: 'office' },
  unit: { id: 'unit', parentId: 'office', path: 'units/:unit' },
  none: { id: 'none', parentId: 'root', path: '*' },
})

it.each([
  ['/', '/'],
  ['/_root.data', '/'],
  ['/search', '/search'],
  ['/search.data', '/search'],
  ['/storage-units/georgia/atlanta', '/storage-units/:state/:city'],
  ['/storage-units/georgia/all', '/storage-units/:state/all'],
  ['/receipt', '/receipt'],
  ['/receipt/o-1/', '/receipt/:order'],
  ['/office/units/A112', '/office/units/:unit'],
  ['/maya@example.com', '*'],
  ['/storage-units/4111/1111/1111', '*'],
])('%s is a page of %s', (path, pattern) => expect(patternOf(path)).toBe(pattern))

describeOnBothEngines('The access log', (open) => {
  const servers: { close(): void }[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  it('has a line without queries for each response of app and cache, except health checks', async () => {
    const lines: Record<string, unknown>[] = []
    const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    const pages: PageRenderer = async () => new Response('<p>page</p>', { headers: { 'Content-Type': 'text/html' } })
    const { app } = await openTestSite(await open(), {
      pages,
      config: configOf({ TRUST_PROXY: '1' }),
      accessLog: openAccessLog(log, patternOf),
    })
    const server = await listen({ fetch: app.fetch, first: app.serveCached, host: '127.0.0.1', port: 0 })
    servers.push(server)
    const { port } = server.address() as AddressInfo
    const headers = { 'X-Forwarded-For': '203.0.113.77', 'X-Request-Id': 'proxy-000001', Host: 'localhost:3000' }
    const requestIdOf = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      await answer.text()
      return answer.headers.get('x-request-id')
    }
    for (const path of ['/search?q=30308', '/search?q=30308', '/api/states', '/healthz', '/maya@example.com'])
      expect(await requestIdOf(path)).toBe('proxy-000001')
    const summarize = ({ method, route, status, role, network, request_id }: Record<string, unknown>) =>
      [method, route, status, role, network, request_id].join(' ')
    await expect.poll(() => lines.length).toBe(4)
    expect(lines.map(summarize)).toEqual([
      'GET /search 200 visitor 203.0.113.0/24 proxy-000001',
      'GET /search 200 visitor 203.0.113.0/24 proxy-000001',
      'GET /api/states 200 visitor 203.0.113.0/24 proxy-000001',
      'GET * 200 visitor 203.0.113.0/24 proxy-000001',
    ])
    for (const { bytes, ms } of lines) {
      expect(bytes).toBeGreaterThan(100)
      expect(ms).toBeGreaterThanOrEqual(0)
    }
    expect(JSON.stringify(lines)).not.toMatch(/30308|maya|113\.77/)
  })
})

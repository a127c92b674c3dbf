import { expect, test } from 'vitest'
import { fixedClock } from '../testing-clock-and-random.ts'
import { serverForTests } from '../testing-server.ts'
import { cdnIpLocation } from './cdn-headers.ts'
import { fixedIpLocation } from './fixed-location.ts'
import { firstIpLocation, httpIpLocation } from './http.ts'
import { ipLocationContract } from './ip-location.contract.ts'

let requests: string[] = []
const origin = await serverForTests((request, response) => {
  requests.push(`${request.url} ${request.headers.authorization ?? ''}`.trim())
  const address = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
  const answers: Record<string, [number, string]> = {
    '203.0.113.1': [200, '{"ip":"203.0.113.1","latitude":33.749,"longitude":"-84.388","country":"US"}'],
    '203.0.113.2': [200, '{"loc":"33.749,-84.388"}'],
    '203.0.113.3': [200, '{"location":{"lat":33.749,"lng":-84.388}}'],
    '203.0.113.4': [404, '{}'],
    '203.0.113.5': [200, '{"latitude":0,"longitude":0}'],
    '203.0.113.6': [200, '{"latitude":"north","longitude":900}'],
    '203.0.113.7': [200, 'null'],
    '203.0.113.8': [500, 'down'],
    '203.0.113.9': [200, '<html>'],
  }
  const [status, body] = answers[address] ?? [404, '{}']
  if (address === '203.0.113.10') return
  response.writeHead(status).end(body)
})
const url = `${origin}/v1`

const reported: unknown[] = []
const errors = { report: (error: unknown) => reported.push(error) }
// A busy machine may need longer than the product allows.
const open = (clock = fixedClock(0), timeoutMs = 10_000) =>
  httpIpLocation({ url, key: 'ip-key', clock, errors, timeoutMs })
const at = (address: string, headers: Record<string, string> = {}) => ({ address, headers })
const visitor = (address: string) => ({ address, header: () => undefined })

ipLocationContract('HTTP', async () => ({
  ipLocation: open(),
  atlanta: at('203.0.113.1'),
  unknown: ['203.0.113.4', '203.0.113.5', '203.0.113.6', '203.0.113.7', '10.0.0.7', '::1', 'garbage'].map((address) =>
    at(address),
  ),
}))

const names = { latitude: 'cf-iplatitude', longitude: 'cf-iplongitude' }
ipLocationContract('CDN headers', async () => ({
  ipLocation: cdnIpLocation(names),
  atlanta: at('10.0.0.7', { 'cf-iplatitude': '33.74900', 'cf-iplongitude': '-84.38800' }),
  unknown: [
    at('203.0.113.1'),
    at('203.0.113.1', { 'cf-iplatitude': '33.7' }),
    at('203.0.113.1', { 'cf-iplatitude': '1e9', 'cf-iplongitude': 'x' }),
    at('203.0.113.1', { 'cf-iplatitude': '91', 'cf-iplongitude': '0' }),
  ],
}))

test.each(['203.0.113.2', '203.0.113.3'])('reads other formats of the response: %s', async (address) => {
  expect(await open().locate(visitor(address))).toEqual({ lat: 33.749, lng: -84.388 })
})

test('looks an address up once in six hours, with the key', async () => {
  requests = []
  const clock = fixedClock(0)
  const ipLocation = open(clock)
  await ipLocation.locate(visitor('203.0.113.1'))
  clock.advance(6 * 3600_000 - 1)
  await ipLocation.locate(visitor('203.0.113.1'))
  expect(requests).toEqual(['/v1/203.0.113.1 Bearer ip-key'])
  clock.advance(1)
  await ipLocation.locate(visitor('203.0.113.1'))
  expect(requests).toHaveLength(2)
})

test.each(['203.0.113.8', '203.0.113.9', '203.0.113.10'])(
  'a service that fails at %s is reported and paused for 30 seconds',
  async (address) => {
    requests = []
    reported.length = 0
    const clock = fixedClock(0)
    // The server does not respond for this address, so a shorter timeout is set.
    const ipLocation = open(clock, address === '203.0.113.10' ? 2_000 : undefined)
    expect(await ipLocation.locate(visitor(address))).toBeNull()
    expect(await ipLocation.locate(visitor('203.0.113.1'))).toBeNull()
    expect(requests).toHaveLength(1)
    expect(reported).toHaveLength(1)
    clock.advance(30_000)
    expect(await ipLocation.locate(visitor('203.0.113.1'))).not.toBeNull()
  },
)

test('returns the location of the first source that has one', async () => {
  const both = firstIpLocation([cdnIpLocation(names), { locate: async () => ({ lat: 1, lng: 1 }) }])
  const header = (name: string) => ({ 'cf-iplatitude': '33.7', 'cf-iplongitude': '-84.3' })[name]
  expect(await both.locate({ address: '', header })).toEqual({ lat: 33.7, lng: -84.3 })
  expect(await both.locate(visitor(''))).toEqual({ lat: 1, lng: 1 })
})

test('returns the configured point for every visitor, or none', async () => {
  expect(await fixedIpLocation({ lat: 33.77, lng: -84.37 }).locate(visitor(''))).toEqual({
    lat: 33.77,
    lng: -84.37,
  })
  expect(await fixedIpLocation(null).locate(visitor(''))).toBeNull()
})

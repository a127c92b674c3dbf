import { expect, test } from 'vitest'
import { serverForTests } from '../testing-server.ts'
import { geocoderContract } from './geocoder.contract.ts'
import type { Geocoder } from './geocoder.ts'
import { httpGeocoder } from './http.ts'

const component = (long: string, short: string, ...types: string[]) => ({ long_name: long, short_name: short, types })
const place = (city: string, state: string, lat: number, lng: number, more: object[] = []) => ({
  address_components: [
    component(city, city, 'locality', 'political'),
    component(state, state, 'administrative_area_level_1', 'political'),
    component('United States', 'US', 'country', 'political'),
    ...more,
  ],
  geometry: { location: { lat, lng }, location_type: 'APPROXIMATE' },
})
const abroad = (city: string, country: string) => ({
  address_components: [component(city, city, 'locality'), component(country, country, 'country')],
  geometry: { location: { lat: 1, lng: 2 } },
})
const zip = [component('30308', '30308', 'postal_code')]

const answers: Record<string, object[]> = {
  'Atlanta, GA': [place('Atlanta', 'GA', 33.749, -84.388)],
  30308: [place('Atlanta', 'GA', 33.7716, -84.3778, zip)],
  columbus: [place('Columbus', 'OH', 39.96, -83), place('Columbus', 'GA', 32.46, -84.99), abroad('Columbus', 'CA')],
  // The service has territories as countries, whose parts are its "states".
  'San Juan, PR': [
    {
      address_components: [
        component('San Juan', 'San Juan', 'locality', 'political'),
        component('San Juan', 'San Juan', 'administrative_area_level_1', 'political'),
        component('Puerto Rico', 'PR', 'country', 'political'),
      ],
      geometry: { location: { lat: 18.466, lng: -66.106 } },
    },
  ],
  'Toronto, Canada': [abroad('Toronto', 'CA')],
  'London, UK': [abroad('London', 'GB')],
  'Paris, France': [abroad('Paris', 'FR')],
}

const queries: string[] = []
const base = await serverForTests((request, response) => {
  const url = new URL(request.url ?? '', 'http://map')
  queries.push(url.search)
  if (url.searchParams.get('key') !== 'map-key') {
    response.end(JSON.stringify({ status: 'REQUEST_DENIED', results: [] }))
  } else if (url.pathname === '/slow') {
  } else if (url.pathname === '/broken') response.writeHead(500).end('oh')
  else if (url.pathname === '/garbled') response.end('<html>')
  else {
    const results = answers[url.searchParams.get('address') ?? ''] ?? []
    response.end(JSON.stringify({ status: results.length > 0 ? 'OK' : 'ZERO_RESULTS', results }))
  }
})
const home: Geocoder = {
  find: async () => ({
    found: { label: 'Home, GA', city: 'Home', state: 'GA', zip: '', lat: 0, lng: 0 },
    others: [],
  }),
}
const reported: unknown[] = []
const errors = { report: (error: unknown) => reported.push(error) }

geocoderContract('HTTP', () => httpGeocoder({ url: `${base}/json`, key: 'map-key', fallback: home, errors }))

test.each([
  ['answers 500', `${base}/broken`, 'map-key'],
  ['is garbled', `${base}/garbled`, 'map-key'],
  ['refuses the key', `${base}/json`, 'another-key'],
  ['does not answer in time', `${base}/slow`, 'map-key'],
  ['is not there', 'http://127.0.0.1:1/json', 'map-key'],
])('a geocoder that %s is reported, and the fallback answers', async (_, url, key) => {
  reported.length = 0
  const timeoutMs = url.endsWith('/slow') ? 50 : undefined
  const geocoder = httpGeocoder({ url, key, fallback: home, errors, timeoutMs })
  expect((await geocoder.find('Atlanta, GA')).found?.label).toBe('Home, GA')
  expect(reported).toHaveLength(1)
  expect(String((reported[0] as Error).stack)).not.toContain(key)
})

test('truncates a long query, and sends none for an empty one', async () => {
  queries.length = 0
  const geocoder = httpGeocoder({ url: `${base}/json`, key: 'map-key', fallback: home, errors })
  await geocoder.find('x'.repeat(10_000))
  await geocoder.find('   ')
  expect(queries).toHaveLength(1)
  expect(queries[0]?.length).toBeLessThan(250)
})

/** Tests searches for places and facilities with the demo operator's facilities and the offline gazetteer. */
import { RouterContextProvider } from 'react-router'
import { expect, it } from 'vitest'
import { loadBrand } from '../../modules/facilities/operator-settings-and-brand.ts'
import { loadNearbyFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { gazetteer } from '../../ports/geocoder/gazetteer.ts'
import { type DemoServices, demoServices } from '../../tests/support/seeded-demo-operator.ts'
import { type RequestContext, requestContext } from '../request/context.ts'
import { findNearestWithSize } from './nearest-facility-with-size.ts'
import { loader } from './search.tsx'

const open = demoServices()
const atlanta = { lat: 33.749, lng: -84.388 }

async function siteOf(services: DemoServices): Promise<RequestContext> {
  services.geocoder = gazetteer()
  return {
    services,
    brand: await loadBrand(services),
    theme: { sheet: '', logo: '', icon: '', share: '' },
    nearby: await loadNearbyFacilities(services, atlanta),
  } as unknown as RequestContext
}

async function searchFor(site: RequestContext, query: string) {
  const context = new RouterContextProvider()
  context.set(requestContext, site)
  const request = new Request(`https://rent.example/search?${new URLSearchParams({ q: query })}`)
  const args = { request, context, params: {}, unstable_pattern: '' } as unknown as Parameters<typeof loader>[0]
  const { place, error, alike, states } = await loader(args)
  return {
    label: place?.label,
    nearest: place?.facilities[0]?.name,
    others: place?.others.map(({ label }) => label) ?? [],
    error,
    alike: alike.map(({ label }) => label),
    states: states.length,
  }
}

it.each([
  ['Decatur', 'Decatur, GA', 'Latchkey Ralston Mill'],
  ['Concord', 'Concord, NC', 'Latchkey Dilworth'],
  ['Union City', 'Union City, GA', 'Latchkey Tanyard Creek'],
  ['decat', 'Decatur, GA', 'Latchkey Ralston Mill'],
  ['storage units in Decatur', 'Decatur, GA', 'Latchkey Ralston Mill'],
  ['Decatur self storage', 'Decatur, GA', 'Latchkey Ralston Mill'],
])('the search %s finds the namesake that has a facility near', async (query, label, nearest) => {
  const site = await siteOf(await open())
  const found = await searchFor(site, query)
  expect(found).toMatchObject({ label, nearest })
  // A search for the label of the first suggestion finds that place.
  const [other] = found.others
  expect(await searchFor(site, other!)).toMatchObject({ label: other, others: [] })
})

it('picks the largest place of the name where none has a facility near', async () => {
  expect((await searchFor(await siteOf(await open()), 'Portland')).label).toBe('Portland, OR')
})

it.each([
  ['Ralston Mill', 'Latchkey Ralston Mill'],
  ['latchkey ralston mill', 'Latchkey Ralston Mill'],
  ['1184 Ralston Mill Road', 'Latchkey Ralston Mill'],
  ['1184 ralston mill rd ne, Atlanta, GA 30308', '30308 Atlanta, GA'],
  ['2260 Tanyard Foundry St', 'Latchkey Tanyard Creek'],
  ['Ogeechee Canal Street Savannah', 'Latchkey Canal Street'],
  ['Dilworth', 'Latchkey Dilworth'],
  ['BeltLine', 'Latchkey Ralston Mill'],
])('%s finds a facility by its name, address, street or landmark', async (query, label) => {
  const found = await searchFor(await siteOf(await open()), query)
  expect(found.label).toBe(label)
  expect(found.nearest).toBe(label.startsWith('3') ? 'Latchkey Ralston Mill' : label)
})

it.each([
  ['atlana', 'Atlanta, GA'],
  ['Altanta', 'Atlanta, GA'],
  ['savanah ga', 'Savannah, GA'],
  ['Charlote, NC', 'Charlotte, NC'],
])('offers places for the misspelled %s, the one with a facility first', async (query, label) => {
  const site = await siteOf(await open())
  const { alike, error } = await searchFor(site, query)
  expect(alike[0]).toBe(label)
  expect(error).toContain(`Did you mean ${label}`)
  expect((await searchFor(site, label)).label).toBe(label)
  expect((await findNearestWithSize(site, query, { width: 10, depth: 10 })).error).toContain(`Did you mean ${label}`)
})

it.each([
  'near me',
  'Near me!',
  'Storage near me',
  'storage units near me',
  'Find cheap self-storage close to me please',
  'self storage nearby',
  'my location',
])('the search %s suggests the browser’s location and lists the states', async (query) => {
  const { error, states, alike } = await searchFor(await siteOf(await open()), query)
  expect(error).toContain('Use my location')
  expect(alike).toEqual([])
  expect(states).toBeGreaterThan(5)
})

it.each(['Qwxz', 'Storage', 'Latchkey', 'road'])('the search %s finds no place', async (query) => {
  const { label, error } = await searchFor(await siteOf(await open()), query)
  expect([label, error.startsWith('We do not know that place.')]).toEqual([undefined, true])
})

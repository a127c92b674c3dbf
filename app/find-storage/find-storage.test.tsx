import { type KyselyPlugin, sql, type Updateable } from 'kysely'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, type MetaDescriptor, RouterContextProvider } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import { sampleLease } from '../../modules/agreements/testing-lease.ts'
import { leaseSections } from '../../modules/agreements/texts/lease-text.ts'
import { loadBrand } from '../../modules/facilities/operator-settings-and-brand.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import { loadNearbyFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteUnitTypes } from '../../modules/pricing/views/unit-type-quotes.ts'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { type RequestContext, requestContext } from '../request/context.ts'
import { sitemap } from './build-sitemap-xml.ts'
import * as city from './city.tsx'
import * as facilityPage from './facility-page.tsx'
import * as home from './home.tsx'
import * as search from './search.tsx'
import * as sizeGuide from './size-guide.tsx'
import * as state from './state.tsx'
import * as states from './states.tsx'

const atlanta = { label: 'Atlanta, GA', city: 'Atlanta', state: 'GA', zip: '', lat: 33.749, lng: -84.388 }
const hilo = { label: 'Hilo, HI', city: 'Hilo', state: 'HI', zip: '', lat: 19.7241, lng: -155.0868 }
const boise = { label: 'Boise, ID', city: 'Boise', state: 'ID', zip: '', lat: 43.615, lng: -116.2023 }

/** Geocoder that knows three places, finds Paris outside of the US, and fails for 'storm'. */
const geocoder: Services['geocoder'] = {
  async find(query) {
    if (query === 'storm') throw new Error('The geocoder does not answer')
    if (query === 'Paris, France') return { found: null, why: 'outside' }
    const found = [atlanta, hilo, boise].find((place) => place.city === query)
    if (!found) return { found: null, why: 'unknown' }
    return { found, others: found === atlanta ? [{ ...atlanta, label: 'Atlanta, TX', state: 'TX' }] : [] }
  },
}

// biome-ignore lint/suspicious/noExplicitAny: pages are opened as the router would, whatever their own types
type Page = { loader: (args: any) => any; default: ComponentType<any> }

describeOnBothEngines('the public pages', (open) => {
  let services: TestServices
  let site: RequestContext
  let reported: unknown[]

  beforeAll(async () => {
    services = await openTestServices(await open())
    reported = []
    services.geocoder = geocoder
    services.errors = { report: (error) => reported.push(error) }
    site = {
      services,
      brand: await loadBrand(services),
      theme: { sheet: '', logo: '', icon: '', share: '' },
      nearby: await loadNearbyFacilities(services, atlanta),
    } as unknown as RequestContext
  })

  async function openPage(
    page: Page,
    path: string,
    params: Record<string, string> = {},
    requestSite: RequestContext = site,
  ) {
    const context = new RouterContextProvider()
    context.set(requestContext, requestSite)
    const request = new Request(`https://rent.example${path}`)
    const loaderData = await page.loader({ request, params, context })
    const Component = page.default
    const html = renderToStaticMarkup(
      <MemoryRouter>
        <Component loaderData={loaderData} />
      </MemoryRouter>,
    )
    return { loaderData, html, head: loaderData.head as Record<string, unknown>[] & MetaDescriptor[] }
  }

  const changeFacility = (change: Updateable<Tables['locations']>) =>
    services.db.write.updateTable('locations').set(change).where('location_code', '=', 'GA1').execute()
  const setUnits = (status: 'free' | 'off', before: 'free' | 'off', unit = '%') =>
    services.db.write
      .updateTable('units')
      .set({ status })
      .where('location_code', '=', 'GA1')
      .where('status', '=', before)
      .where('unit_number', 'like', unit)
      .execute()
  const raisePrices = (cents: number) =>
    services.db.write
      .updateTable('unit_types')
      .set({ internet_price: sql`internet_price + ${cents}`, rent: sql`rent + ${cents}` })
      .execute()

  const facility = (query = '') =>
    openPage(facilityPage, `/storage-units/ga/atlanta/1-depot-street${query}`, {
      state: 'ga',
      city: 'atlanta',
      slug: '1-depot-street',
    })

  it.each([
    ['the home page', home, '/', {}, 3],
    ['a search', search, '/search?q=Atlanta', {}, 5],
    ['a facility', facilityPage, '/storage-units', { state: 'ga', city: 'atlanta', slug: '1-depot-street' }, 6],
    ['a city', city, '/storage-units', { state: 'ga', city: 'atlanta' }, 4],
    ['a state', state, '/storage-units', { state: 'ga' }, 4],
  ])('loads %s again with few statements, and shows what has changed', async (_, page: Page, path, params, most) => {
    let statements = 0
    const { db } = services
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counted = { ...site, services: { ...services, db: { ...db, read: db.read.withPlugin(counting) } } }
    const texts = async () => JSON.stringify((await openPage(page, path, params, counted)).loaderData)
    const before = await texts()
    statements = 0
    expect(await texts()).toBe(before)
    // One statement reads the content version for each look-up in a cache, and one reads the free units.
    expect(statements).toBeLessThanOrEqual(most)
    await raisePrices(700)
    const dearer = await texts()
    expect(dearer).not.toBe(before)
    await raisePrices(-700)
    expect(await texts()).toBe(before)
    await setUnits('off', 'free')
    statements = 0
    expect(await texts()).not.toBe(before)
    expect(statements).toBeLessThanOrEqual(most)
    await setUnits('free', 'off')
  })

  it('shows the specified greeting, a plain search form and nearby facilities', async () => {
    const { html } = await openPage(home, '/')
    expect(html).toContain('<h1 class="hero">Storage Made Simple.</h1>')
    expect(html).toMatch(/<form[^>]* action="\/search"><label for="q"/)
    expect(html).toContain('placeholder="City, Zip Code..."')
    expect(html).toContain('href="/storage-units/ga/atlanta/1-depot-street"')
    expect(html).toContain('1.8\u00a0miles')
  })

  it('shows the quote’s price: due today, then monthly, with each assumption', async () => {
    const { html } = await facility()
    const quote = await quoteUnitTypes(services, 'GA1')
    const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    for (const type of quote?.unitTypes ?? []) {
      const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
      expect(text).toContain(`due today ${dollars(type.dueToday)} then ${dollars(type.thenPerMonth)} / month`)
      for (const assumption of type.assumptions) expect(text).toContain(assumption)
      for (const { kind, explain } of type.charges.lines) if (kind !== 'rent') expect(text).toContain(explain)
    }
    // A sentence that applies to all units appears once.
    expect(text.split('Billed every 30 days, from Dec 20 if you move in today.')).toHaveLength(2)
    expect(text.split('Insurance for what you store.')).toHaveLength(2)
    expect(quote?.unitTypes).toHaveLength(3)
  })

  it('states rent guarantee and late fees in the lease’s words, and the facility’s security features', async () => {
    const late = (fee_id: number, unit_type_id: number, amount: number) => ({
      location_code: 'GA1',
      fee_id,
      unit_type_id,
      amount,
      description: 'Late fee',
      charged: 'late' as const,
      retired_on: null,
    })
    const before = await facility()
    expect(before.html).toContain('This agreement sets no late fee.')
    expect(before.html).not.toContain('Security here')
    await services.db.write
      .insertInto('fees')
      .values([late(71, 1, 15_00), late(72, 2, 20_00)])
      .execute()
    await changeFacility({ security: '["cameras","own-code"]' })
    const text = (await facility()).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    const lease = JSON.stringify(leaseSections(sampleLease))
    const quoted = [/We may change the rent.*?it is accepted\./, /While you are in default.*?comes back\./]
    for (const pattern of quoted)
      expect(lease).toContain(pattern.exec(text.replaceAll('\u00a0', ' '))?.[0] ?? 'not on the page')
    expect(text).toContain('not paid 10 days after it began carries a late fee of up to $20.00, once')
    expect(text).toMatch(/Security here.*A gate code of your own.*Cameras/)
    await services.db.write.deleteFrom('fees').where('charged', '=', 'late').execute()
    await changeFacility({ security: '[]' })
  })

  it('offers both ways to rent by unit type and says when few units are left', async () => {
    const { html } = await facility()
    expect(html).toContain('href="/rent/GA1/1?rentNow=1"')
    expect(html).toContain('href="/rent/GA1/1"')
    expect(html).toContain('3 left')
    expect(html).toContain('href="/choose/GA1/1"')
    await changeFacility({ facility_map_enabled: 0 })
    expect((await facility()).html).not.toContain('/choose/')
    await changeFacility({ facility_map_enabled: 1 })
    expect(html).toContain('Last one')
  })

  it('shows a rented unit type without offering it for rent', async () => {
    await setUnits('off', 'free', '201')
    const { html, head } = await facility()
    expect(html).toContain('All rented now')
    const [soldOut = ''] = html.split('<article').filter((article) => article.includes('All rented now'))
    expect(soldOut).not.toContain('>due today<')
    expect(soldOut).toContain('Per month')
    expect(html).not.toContain('/rent/GA1/2')
    expect(html).toMatch(/<a href="\/tell-me\/GA1\/2"[^>]*aria-label="Tell me when one is free, [^"]+"/)
    expect(JSON.stringify(head)).toContain('https://schema.org/SoldOut')
    await setUnits('free', 'off', '201')
  })

  it('shows photos from https addresses only', async () => {
    await changeFacility({ photo: 'https://images.example.com/ga1.jpg' })
    expect((await facility()).html).toContain('src="https://images.example.com/ga1.jpg"')
    await changeFacility({ photo: 'http://images.example.com/ga1.jpg' })
    expect((await facility()).html).not.toContain('images.example.com')
    await changeFacility({ photo: '' })
  })

  it('offers no unit of a facility that has not opened yet', async () => {
    await changeFacility({ coming_soon: 1 })
    const { html } = await facility()
    expect(html).toContain('Opening soon')
    expect(html).not.toContain('/rent/GA1/')
    expect(html).not.toContain('All rented')
    await changeFacility({ coming_soon: 0 })
  })

  it('names the size for the stored items, the next smaller size and a nearby facility that has the size', async () => {
    const at = async (query: string) => {
      const { html, loaderData } = await openPage(sizeGuide, `/size-guide${query}`)
      return {
        text: html
          .replace(/<svg.*?<\/svg>/gs, '')
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' '),
        loaderData,
      }
    }
    expect((await at('')).text).toContain('Choose what you store')
    const near = await at('?bedroom=2&living=1&kitchen=1&near=Atlanta')
    const type = (await quoteUnitTypes(services, 'GA1'))?.unitTypes.find(({ size }) => size === '10 × 15')
    for (const sentence of [
      'Your size : 10 × 15',
      '10 × 10 is too small.',
      `See it at Storage GA1 ${dollars(type?.dueToday)} today, then ${dollars(type?.thenPerMonth)} / month`,
    ])
      expect(near.text).toContain(sentence)
    expect(near.loaderData.place.facility.href).toBe('/storage-units/ga/atlanta/1-depot-street?size=10x15#units')
    expect((await at('?bedroom=2')).text).toContain('Find a 5 × 15 near you')
    expect((await at('?bedroom=1&near=Atlanta')).text).toContain('No 5 × 10 is free there now')
    expect((await at('?bedroom=6&living=3')).text).toMatch(/Your size : 10 × 30 and 5 × 5/)
    expect((await at('?bedroom=1&near=nowhere')).text).toContain('We do not know that place.')
    expect((await at('?bedroom=1&near=storm')).text).toContain('We cannot look up places right now.')
    expect(reported.pop()).toBeInstanceOf(Error)
  })

  it('redirects each submitted form to the one address of its stored items', async () => {
    for (const [sent, address] of [
      ['bed=3&bed=2&sofa=0&near=', '/size-guide?bed=3'],
      ['sofa=1&bed=0&bed=1&boxes=10&near=Atlanta', '/size-guide?sofa=1&boxes=10&near=Atlanta'],
      ['sofa=0&near=', '/size-guide'],
    ])
      await expect(openPage(sizeGuide, `/size-guide?${sent}`)).rejects.toSatisfy(
        (answer) => answer instanceof Response && answer.status === 302 && answer.headers.get('location') === address,
      )
  })

  it('filters by address alone and has one canonical address', async () => {
    const { html, head } = await facility('?size=parking&utm=x')
    expect(html.match(/<article/g)).toHaveLength(1)
    expect(html).toContain('1 of 3 kinds of unit')
    expect(head).toContainEqual({
      tagName: 'link',
      rel: 'canonical',
      href: 'https://rent.example/storage-units/ga/atlanta/1-depot-street',
    })
  })

  it('has no inline styles and only the script that asks for the visitor’s location', async () => {
    const pages = [
      await facility(),
      await openPage(home, '/'),
      await openPage(search, '/search?q=Atlanta'),
      await openPage(states, '/storage-units'),
      await openPage(state, '/storage-units/ga', { state: 'ga' }),
      await openPage(city, '/storage-units/ga/atlanta', { state: 'ga', city: 'atlanta' }),
    ]
    const own = /<script type="module" src="[^"]*near-me-script[^"]*"><\/script>/
    for (const { html } of pages) expect(html.replace(own, '')).not.toMatch(/ style=|<script/)
    expect(pages.map(({ html }) => own.test(html))).toEqual([false, true, true, true, false, false])
  })

  const listPages = [
    [search, '/search?q=Atlanta', {}],
    [state, '/storage-units/ga?', { state: 'ga' }],
    [city, '/storage-units/ga/atlanta?', { state: 'ga', city: 'atlanta' }],
  ] as [Page, string, Record<string, string>][]
  const facilityPath = '/storage-units/ga/atlanta/1-depot-street'
  const dollars = (cents: number | undefined) => `$${((cents ?? 0) / 100).toFixed(2)}`

  it('lists facilities with the monthly prices of three sizes and shows no map for a single facility', async () => {
    const quote = await quoteUnitTypes(services, 'GA1')
    expect(quote?.unitTypes).toHaveLength(3)
    for (const [page, path, params] of listPages) {
      const { html } = await openPage(page, path, params)
      for (const type of quote?.unitTypes ?? []) {
        const label = type.band === 'PARKING' ? 'Parking' : type.size
        expect(html, path).toContain(`aria-label="${label} ${dollars(type.thenPerMonth)} per month, `)
      }
      expect(html).toContain(`href="${facilityPath}?size=10x15#units"`)
      expect(html).not.toContain('class="spots"')
    }
    const { html } = await openPage(city, '/storage-units/ga/atlanta', { state: 'ga', city: 'atlanta' })
    expect(html).toMatch(/1 facility, 1\.\d\u00a0miles north-east of the center\. <a href="[^"]+">Directions</)
  })

  it('shows the price of the searched size and suggests what to do where none is available', async () => {
    const type = (await quoteUnitTypes(services, 'GA1'))?.unitTypes.find(({ size }) => size === '10 × 15')
    for (const [page, path, params] of listPages) {
      const filtered = await openPage(page, `${path}&size=10x15`, params)
      expect(filtered.html).toMatch(/aria-current="true">Needs 10 × 15</)
      expect(filtered.html, path).toContain(dollars(type?.dueToday))
      expect(filtered.html, path).toContain(`then <strong class="num">${dollars(type?.thenPerMonth)}<`)
      expect(filtered.html).toContain(`href="${facilityPath}?size=10x15#units" aria-label="See units, `)
      const none = await openPage(page, `${path}&size=10x20`, params)
      expect(none.html, path).toContain('No 10\u00a0×\u00a020 is free')
      expect(none.html, path).toContain('See 10\u00a0×\u00a030')
      expect(none.html, path).not.toContain('id="at-1"')
      expect(none.html, path).not.toContain('/tell-me/')
      // An unknown size or order is ignored.
      expect((await openPage(page, `${path}&size=99x99&sort=mood`, params)).html).toContain('id="at-1"')
    }
  })

  it('offers the waitlist of a facility whose units of the searched size are all rented', async () => {
    await setUnits('off', 'free', '201')
    for (const [page, path, params] of listPages) {
      const { html } = await openPage(page, `${path}&size=10x15`, params)
      expect(html, path).toContain('No 10\u00a0×\u00a015 is free')
      expect(html, path).toContain('<a href="/tell-me/GA1/2" rel="nofollow">Tell me when one is free</a> at ')
    }
    await setUnits('free', 'off', '201')
  })

  it('draws two or more facilities on a map, numbered like the cards, and sorts both', async () => {
    const hi1 = () => services.db.write.updateTable('locations').where('location_code', '=', 'HI1')
    const original = await services.db.read
      .selectFrom('locations')
      .select(['state', 'city', 'city_slug', 'lat', 'lng'])
      .where('location_code', '=', 'HI1')
      .executeTakeFirstOrThrow()
    await hi1().set({ state: 'GA', city: 'Atlanta', city_slug: 'atlanta', lat: 33.8, lng: -84.5 }).execute()
    await bumpContentVersion(services.db.write)
    for (const [page, path, params] of listPages) {
      const unsorted = await openPage(page, path, params)
      const names = (html: string) => [...html.matchAll(/<h3><a [^>]*>([^<]+)</g)].map(([, name = '']) => name)
      const byPrice = await openPage(page, `${path}&sort=price`, params)
      const from = (data: typeof unsorted.loaderData): number[] =>
        (data.cards ?? data.place.facilities).map((card: { from: number }) => card.from)
      expect(from(byPrice.loaderData), path).toEqual([...from(unsorted.loaderData)].sort((a, b) => a - b))
      for (const { html } of [unsorted, byPrice]) {
        const [first, second] = names(html)
        // On the map of a state, facilities so close to each other share a label.
        const doors =
          page === state
            ? [`<a class="spot m1 m2" href="#at-1" aria-label="1, 2, ${first}, ${second}">`]
            : [
                `<a class="spot m1" href="#at-1" aria-label="1, ${first}">`,
                `<a class="spot m2" href="#at-2" aria-label="2, ${second}">`,
              ]
        for (const door of doors) expect(html).toContain(door)
        expect(html.indexOf('class="spots"')).toBeGreaterThan(html.indexOf('id="at-2"'))
        expect(html).toContain('Drawn to scale, without streets.')
      }
      expect(names(byPrice.html)).toHaveLength(2)
    }
    const { html } = await openPage(search, '/search?q=Atlanta')
    expect(html).toMatch(/>1\.8 mi<.*>7\.\d mi</s)
    // A position from the browser is named 'Where you are'.
    expect((await openPage(search, '/search?lat=33.75&lng=-84.38')).html).toContain('Where you are')
    await hi1().set(original).execute()
    await bumpContentVersion(services.db.write)
  })

  it('says that all units are rented where none is available', async () => {
    await setUnits('off', 'free')
    const { html } = await openPage(city, '/storage-units/ga/atlanta', { state: 'ga', city: 'atlanta' })
    expect(html).toContain('All units are rented now')
    await setUnits('free', 'off')
  })

  it('searches by the browser’s location, rounded to two decimals of a degree', async () => {
    const { html, loaderData } = await openPage(search, '/search?lat=33.7512345&lng=-84.3849')
    expect(html).toMatch(/<h1[^>]*>Storage near you<\/h1>/)
    expect(loaderData.place.facilities).toHaveLength(1)
    expect(html).toContain('href="/search?lat=33.75&amp;lng=-84.38&amp;miles=50"')
    for (const wrong of ['lat=33', 'lat=x&lng=1', 'lat=99&lng=-84', 'lat=1e1&lng=2', 'lat=33.7&lng='])
      expect((await openPage(search, `/search?${wrong}`)).html).toContain('Or choose a state')
    expect((await openPage(search, '/search?q=Hilo&lat=33.75&lng=-84.38')).html).toContain('Storage near Hilo, HI')
  })

  it.each([
    [facilityPage, { state: 'ga', city: 'atlanta', slug: 'office' }],
    [facilityPage, { state: 'GA', city: 'atlanta', slug: "1-depot-street' or 1=1" }],
    [city, { state: 'ga', city: 'nowhere' }],
    [state, { state: 'zz' }],
    [state, { state: 'georgia' }],
  ] as [Page, Record<string, string>][])('answers 404 for an unknown facility or place (%#)', async (page, params) => {
    await expect(openPage(page, '/', params)).rejects.toMatchObject({ init: { status: 404 } })
  })

  it('lists the facilities within 25 miles and offers other places of the same name', async () => {
    const { html, loaderData } = await openPage(search, '/search?q=Atlanta')
    expect(loaderData.place.facilities.map((facility: Facility) => facility.path)).toEqual([
      '/storage-units/ga/atlanta/1-depot-street',
    ])
    expect(html).toContain('1 facility within 25\u00a0miles')
    expect(html).toContain('href="/search?q=Atlanta%2C+TX"')
  })

  it('says when the search radius had to be widened', async () => {
    const { html } = await openPage(search, '/search?q=Hilo')
    expect(html).toContain('There is no facility within 25\u00a0miles of Hilo, HI yet, so we looked within 250.')
    expect((await openPage(search, '/search?q=Hilo&miles=50')).html).toContain(
      'no facility within 50\u00a0miles of Hilo',
    )
    expect((await openPage(search, '/search?q=Boise')).html).toContain('Our nearest facilities')
  })

  it.each([
    ['', ''],
    ['?q=', 'Enter a city or a ZIP code.'],
    ['?q=%20%20', 'Enter a city or a ZIP code.'],
    ['?q=Paris, France', 'We rent storage in the United States only.'],
    ['?q=Qwxz', 'We do not know that place.'],
    ['?q=storm', 'We cannot look up places right now.'],
  ])('shows the error, if any, and lists the states for %j', async (query, sentence) => {
    const { html, head } = await openPage(search, `/search${query}`)
    expect(html).toContain(sentence)
    expect(html.includes('aria-invalid')).toBe(sentence !== '')
    expect(html).toContain('href="/storage-units/hi"')
    expect(String(head[0]?.title).startsWith('Error: ')).toBe(sentence !== '')
  })

  it('reports a failed geocoder', async () => {
    const before = reported.length
    await openPage(search, '/search?q=storm')
    expect(reported).toHaveLength(before + 1)
  })

  it('lists the text pages, states, cities and facilities once in the sitemap, but not the office', async () => {
    const xml = await sitemap(services)
    expect([...xml.matchAll(/<loc>https:\/\/rent\.example(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
      '/',
      '/storage-units',
      '/size-guide',
      '/privacy',
      '/contact',
      '/storage-units/ga',
      '/storage-units/ga/atlanta',
      '/storage-units/ga/atlanta/1-depot-street',
      '/storage-units/hi',
      '/storage-units/hi/honolulu',
      '/storage-units/hi/honolulu/2-pier-road',
    ])
  })

  it('dates facilities, cities and states in the sitemap by the facility’s last change', async () => {
    const loadDates = async () =>
      [
        ...(await sitemap(services)).matchAll(
          /<loc>[^<]*?(\/storage-units\/[^<]*)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?/g,
        ),
      ].map(([, path, day = '']) => [path, day])
    const at = Date.parse('2026-11-20T15:00:00Z')
    await changeFacility({ changed_at: at })
    await bumpContentVersion(services.db.write)
    const day = '2026-11-20T15:00:00.000Z'
    const inHonolulu = [
      ['/storage-units/hi', ''],
      ['/storage-units/hi/honolulu', ''],
      ['/storage-units/hi/honolulu/2-pier-road', ''],
    ]
    expect(await loadDates()).toEqual([
      ['/storage-units/ga', day],
      ['/storage-units/ga/atlanta', day],
      ['/storage-units/ga/atlanta/1-depot-street', day],
      ...inHonolulu,
    ])
    await changeFacility({ changed_at: null })
    await bumpContentVersion(services.db.write)
    expect((await loadDates()).every(([, day]) => day === '')).toBe(true)
  })

  it('hides the description’s section and omits the gate’s hours where a facility has neither', async () => {
    expect((await facility()).html).toContain('About this place')
    await changeFacility({ description: '', directions: '', features: '[]', gate_hours: '' })
    await bumpContentVersion(services.db.write)
    const { html } = await facility()
    expect(html).toContain('<section aria-labelledby="about" hidden="">')
    expect(html).not.toMatch(/<dt>Gate<\/dt>|Gate <\/li>/)
    expect(html).toContain('Units and prices')
  })
})

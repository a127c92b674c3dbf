import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadContentVersion } from '../../platform/database/content-version.ts'
import type { Database } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { GetFeesandCharges_V1 } from '../pricing/operations/get-fees-and-charges.ts'
import { GetInsuranceTerminology } from '../pricing/operations/get-insurance-coverage-texts.ts'
import { GetInsuranceSchemes } from '../pricing/operations/get-insurance-schemes.ts'
import { quoteFacilities } from '../pricing/views/unit-type-quotes.ts'
import { getProspect } from '../reservations/operations/locate-reservation-of-mailed-link.ts'
import { loadSupportPhoneDigits } from './choose-support-phone.ts'
import { loadSiteNotices } from './load-site-wide-notices.ts'
import { getSettings } from './operations/get-banner-or-maintenance-setting.ts'
import { getLocationContents } from './operations/get-completion-screen-and-access-fee.ts'
import { GetLocationDetails } from './operations/get-location-details.ts'
import { getLocations } from './operations/get-locations.ts'
import { getState, getStates } from './operations/get-states.ts'
import { GetAllUnits, GetUnitsList } from './operations/get-units.ts'
import { getLocationUnits } from './operations/get-units-on-location-map.ts'
import { completionHtml, sanitizedHtml } from './operator-html.ts'
import { loadBrand } from './operator-settings-and-brand.ts'
import { distanceMiles } from './rules/distance.ts'
import { loadFacility } from './views/facility-lookups.ts'
import { loadFacilityBySlug } from './views/facility-page-without-prices.ts'
import {
  loadCityFacilities,
  loadFacilitiesWithin,
  loadNearbyFacilities,
  loadNearestFacilities,
  loadStateFacilities,
  loadStatesWithFacilities,
} from './views/find-facilities-by-place-or-name.ts'

const atlanta = { lat: 33.749, lng: -84.388 }

describeOnBothEngines('Finding storage', (open) => {
  let db: Database
  let services: TestServices
  beforeAll(async () => {
    db = await open()
    services = await openTestServices(db)
    const { location_code: _, ...ga1 } = await db.read
      .selectFrom('locations')
      .selectAll()
      .where('location_code', '=', 'GA1')
      .executeTakeFirstOrThrow()
    // About 0.7 miles for each hundredth of a degree to the north.
    const north = (at: number) => ({
      ...ga1,
      location_code: `N${at}`,
      facility_id: 200 + at,
      slug: `north-${at}`,
      lat: 33.749 + at * 0.01,
      lng: -84.388,
      city: at > 14 ? 'Roswell' : 'Atlanta',
      city_slug: at > 14 ? 'roswell' : 'atlanta',
    })
    await db.write
      .insertInto('locations')
      .values([north(12), north(14), north(15)])
      .execute()
  })

  it('finds the nearest facilities within a radius in order of distance, never the office', async () => {
    const near = await loadFacilitiesWithin(services, atlanta, 10, 20)
    expect(near.map((facility) => facility.locationCode)).toEqual(['GA1', 'N12', 'N14'])
    for (const facility of near) expect(facility.miles).toBeCloseTo(distanceMiles(atlanta, facility), 9)
    expect((await loadNearbyFacilities(services, atlanta)).map((facility) => facility.locationCode)).toEqual([
      'GA1',
      'N12',
    ])
  })

  it('widens the radius until it holds a facility, and says so', async () => {
    expect(await loadNearestFacilities(services, atlanta)).toMatchObject({ radius: 25 })
    const macon = await loadNearestFacilities(services, { lat: 32.84, lng: -83.63 })
    expect(macon).toMatchObject({ radius: 100 })
    expect(macon.facilities[0]?.locationCode).toBe('GA1')
    const maui = await loadNearestFacilities(services, { lat: 20.88, lng: -156.5 })
    expect(maui).toMatchObject({ radius: 100, facilities: [{ locationCode: 'HI1' }] })
    expect(await loadNearestFacilities(services, { lat: -77, lng: 20 })).toMatchObject({ facilities: [] })
  })

  it('lists states with counts, a state’s cities, a city’s facilities', async () => {
    expect((await loadStatesWithFacilities(services)).map((state) => [state.shortName, state.facilities])).toEqual([
      ['GA', 4],
      ['HI', 1],
    ])
    const georgia = await loadStateFacilities(services, 'ga')
    expect(georgia?.cities).toEqual([
      { city: 'Atlanta', citySlug: 'atlanta', facilities: 3, path: '/storage-units/ga/atlanta', changedAt: null },
      { city: 'Roswell', citySlug: 'roswell', facilities: 1, path: '/storage-units/ga/roswell', changedAt: null },
    ])
    expect(georgia?.facilities).toHaveLength(4)
    expect(await loadStateFacilities(services, 'zz')).toBeNull()
    expect((await loadCityFacilities(services, 'GA', 'Roswell')).map((facility) => facility.locationCode)).toEqual([
      'N15',
    ])
    expect(await loadCityFacilities(services, 'GA', 'nowhere')).toEqual([])
  })

  it('finds a facility by its address and by its code', async () => {
    const found = await loadFacilityBySlug(services, { state: 'ga', city: 'Atlanta', slug: '1-Depot-Street' })
    expect(found?.facility).toMatchObject({
      locationCode: 'GA1',
      path: '/storage-units/ga/atlanta/1-depot-street',
      officeHours: [],
    })
    expect(await loadFacilityBySlug(services, { state: 'ga', city: 'atlanta', slug: 'office' })).toBeNull()
    expect(await loadFacility(services, 'HI1')).toMatchObject({ insuranceOffered: false, mapEnabled: false })
    expect(await loadFacility(services, 'HQ')).toBeNull()
  })

  it('prices the unit types of several facilities with all fees, and counts available units', async () => {
    const cheapestFree = async () =>
      new Map(
        [...(await quoteFacilities(services, ['GA1', 'HI1', 'N12']))].map(([code, { unitTypes }]) => [
          code,
          unitTypes.filter(({ free }) => free > 0).sort((a, b) => a.thenPerMonth - b.thenPerMonth)[0] ?? null,
        ]),
      )
    const prices = await cheapestFree()
    expect(prices.get('GA1')).toMatchObject({ unitTypeId: 3, thenPerMonth: 93_87 })
    expect(prices.get('HI1')).toMatchObject({ thenPerMonth: 139_00 })
    expect(prices.get('N12')).toBeNull()
    await db.write.updateTable('units').set({ status: 'off' }).where('unit_type_id', '=', 3).execute()
    expect((await cheapestFree()).get('GA1')).toMatchObject({ unitTypeId: 1 })
    await db.write.updateTable('units').set({ status: 'free' }).where('unit_type_id', '=', 3).execute()
  })

  it('finds the phone number of the location, else of its state, else of the operator', async () => {
    const phone = (location: { phone: string; state: string } | null) => loadSupportPhoneDigits(services, location)
    expect(await phone({ phone: '4045550199', state: 'GA' })).toBe('4045550199')
    expect(await phone({ phone: '', state: 'GA' })).toBe('4045550100')
    expect(await phone({ phone: '', state: 'HI' })).toBe('8885550100')
    expect(await phone(null)).toBe('8885550100')
    expect(await loadBrand(services)).toMatchObject({ name: 'Storage', tagline: 'Storage Made Simple.' })
  })
})

describeOnBothEngines('The site’s resources', (open) => {
  let services: TestServices
  beforeAll(async () => {
    services = await openTestServices(await open())
  })
  const ok = async <O>(outcome: Promise<{ ok: true; value: O } | { ok: false; status: number }>): Promise<O> => {
    const result = await outcome
    if (!result.ok) throw new Error(`refused with ${result.status}`)
    return result.value
  }

  it('lists locations without the office, and finds one by its code', async () => {
    const all = await ok(perform(services, getLocations, {}, visitor()))
    expect(all.map((location) => location.location_code)).toEqual(['GA1', 'HI1'])
    expect(await ok(perform(services, getLocations, { location_code: 'GA1' }, visitor()))).toMatchObject([
      { cc_fee: true, allow_ach: true, sboa: true, rent_tax_rate: '8.90', latest_move_in_date: '12/03/2026' },
    ])
    expect(await ok(perform(services, getLocations, { location_code: 'HQ' }, visitor()))).toEqual([])
    expect(await perform(services, GetLocationDetails, { location_code: 'HQ' }, visitor())).toMatchObject({
      status: 404,
    })
    expect(await ok(perform(services, GetLocationDetails, { location_code: 'HI1' }, visitor()))).toMatchObject({
      time_zone: 'Pacific/Honolulu',
    })
  })

  it('inserts the review link into the completion text and removes harmful HTML', async () => {
    expect(await ok(perform(services, getLocationContents, { code: 'GA1' }, visitor()))).toEqual({
      location_code: 'GA1',
      website_move_in_completion_screen:
        '<p>Hi <a href="https://reviews.example/ga1" rel="noopener noreferrer">review</a></p>',
      fee_for_24hr_access: '20.00',
    })
    expect(await ok(perform(services, getLocationContents, { code: 'HI1' }, visitor()))).toMatchObject({
      fee_for_24hr_access: '',
    })
    expect(await perform(services, getLocationContents, { code: 'HQ' }, visitor())).toMatchObject({ status: 404 })
  })

  it('shows the map with its fixtures, omits units without a place, and has none without a map', async () => {
    const units = await ok(perform(services, getLocationUnits, { location_code: 'GA1' }, visitor()))
    expect(units.map((unit) => unit.unit_no || unit.category_name)).toEqual([
      '101',
      '102',
      '201',
      'P1',
      '301',
      '302',
      'Gate',
    ])
    expect(units.at(-1)).toMatchObject({ system: true, system_rotation: 90 })
    expect(await ok(perform(services, getLocationUnits, { location_code: 'HI1' }, visitor()))).toEqual([])
  })

  it('caches the map until something on it changes, and then shows the change at once', async () => {
    const services = await openTestServices(await open())
    const loadUnitNumbers = async () =>
      (await ok(perform(services, getLocationUnits, { location_code: 'GA1' }, visitor()))).map((unit) => unit.unit_no)
    const before = await loadUnitNumbers()
    const version = () => loadContentVersion(services.db)
    const first = await version()
    // Renting a unit does not change the map.
    await sql`update units set status = 'rented' where location_code = 'GA1'`.execute(services.db.write)
    expect(await version()).toBe(first)
    await sql`update units set unit_number = '999' where location_code = 'GA1' and unit_number = '101'`.execute(
      services.db.write,
    )
    expect(await loadUnitNumbers()).toEqual(before.map((number) => (number === '101' ? '999' : number)))
    await sql`delete from map_fixtures where location_code = 'GA1'`.execute(services.db.write)
    expect(await loadUnitNumbers()).toHaveLength(before.length - 1)
    const units = await ok(perform(services, getLocationUnits, { location_code: 'GA1' }, visitor()))
    units.length = 0
    expect(await loadUnitNumbers()).toHaveLength(before.length - 1)
  })

  it('never reveals who rents a unit or how to open it', async () => {
    const lists = await Promise.all([
      perform(services, getLocationUnits, { location_code: 'GA1' }, visitor()),
      perform(services, GetAllUnits, { location_code: 'GA1' }, visitor()),
      perform(services, GetUnitsList, { location_code: 'GA1' }, visitor()),
    ])
    expect(JSON.stringify(lists)).not.toMatch(/Ada|Byrne|Elm|482917|4821|tenant|1001/)
    const [, all, free] = lists
    expect(all?.ok && 'Unit' in all.value && all.value.Unit).toHaveLength(7)
    expect(free?.ok && 'Unit' in free.value && free.value.Unit.map((unit) => unit.UnitNumber)).toEqual([
      '101',
      '102',
      '103',
      '201',
      'P1',
    ])
  })

  it('lists the fees of a unit type, and insurance if it is offered', async () => {
    const fees = await ok(perform(services, GetFeesandCharges_V1, { location_code: 'GA1', unit_type_id: 3 }, visitor()))
    expect(fees.Fee.map((fee) => [fee.Description, fee.Amount, fee.Charged])).toEqual([
      ['Administration Fee', '29.00', 'move_in'],
      ['24 Hour Access Fee', '20.00', 'on_choice'],
      ['Credit Card Processing Fee', '2.00', 'card'],
      ['Shore Power', '15.00', 'period'],
    ])
    const schemes = await ok(perform(services, GetInsuranceSchemes, { location_code: 'GA1' }, visitor()))
    expect(schemes.InsuranceScheme[1]).toEqual({
      SchemeId: 2,
      SchemeName: 'Cover $2,000',
      CoverageAmount: '2000.00',
      PremiumAmount: '12.00',
    })
    expect(await ok(perform(services, GetInsuranceSchemes, { location_code: 'HI1' }, visitor()))).toEqual({
      InsuranceScheme: [],
    })
    const words = await ok(perform(services, GetInsuranceTerminology, { location_code: 'GA1' }, visitor()))
    expect(words.InsuranceTerminology[0]?.Terminology).toBe('Fire and burglary.')
  })

  it('lists states, and finds one by code or name in any case', async () => {
    expect(await ok(perform(services, getStates, {}, visitor()))).toEqual([
      { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg' },
      { short_name: 'HI', full_name: 'Hawaii', map_img: 'hi.svg' },
    ])
    for (const region of ['ga', 'GA', 'georgia']) {
      expect(await ok(perform(services, getState, { region }, visitor()))).toMatchObject({
        general_contact_number: '4045550100',
      })
    }
    expect(await perform(services, getState, { region: 'Texas' }, visitor())).toMatchObject({ status: 404 })
  })

  it('shows only the public settings, with a sanitized banner', async () => {
    expect(await ok(perform(services, getSettings, { name: 'app_banner' }, visitor()))).toEqual({
      name: 'app_banner',
      value: '<b>Open</b>',
    })
    expect(await ok(perform(services, getSettings, { name: 'maintenance' }, visitor()))).toMatchObject({
      value: 'false',
    })
    const secret = await perform(services, getSettings, { name: 'secret' }, visitor())
    expect(secret).toMatchObject({ ok: false, status: 404 })
    expect(await perform(services, getSettings, { name: 'no-such' }, visitor())).toEqual(secret)
    expect(await loadSiteNotices(services)).toEqual({ banner: '<b>Open</b>', maintenance: false })
  })

  it('finds no prospect by a uuid that was never mailed, and refuses text that is no uuid', async () => {
    const uuid = '5f0f8c1e-6f0e-4c8b-9d55-3b8f6f0d2a11'
    expect(await perform(services, getProspect, { uuid }, visitor())).toMatchObject({ ok: false, status: 404 })
    expect(await perform(services, getProspect, { uuid: 'x' }, visitor())).toMatchObject({ ok: false, status: 400 })
  })
})

describe('The operator’s HTML', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg onload=alert(1)>x</svg>', 'x'],
    ['<a href="javascript:alert(1)">a</a>', '<a rel="noopener noreferrer">a</a>'],
    ['<a href="//evil.example">a</a>', '<a rel="noopener noreferrer">a</a>'],
    ['<script>alert(1)</script>ok', 'ok'],
    ['<a href="jAva&#115;cript&colon;alert(1)">a</a>', '<a rel="noopener noreferrer">a</a>'],
    ['<svg><a xlink:href="javascript:alert(1)">a</a></svg>', '<a rel="noopener noreferrer">a</a>'],
    ['<math><mi//xlink:href="data:x,<script>alert(4)</script>">', ''],
    ['<b onmouseover=alert(1) id=main>b</b><!-- --><base href=//evil.example>', '<b>b</b>'],
    ['<p style="position:fixed" onclick="x()">hi</p>', '<p>hi</p>'],
    ['<iframe src="https://evil.example"></iframe><h2>Hours</h2>', '<h2>Hours</h2>'],
  ])('%s becomes %s', (html, safe) => {
    expect(sanitizedHtml(html)).toBe(safe)
  })

  it('keeps a review link from ending its attribute, and drops one that would run a script', () => {
    const html = completionHtml('<a href="{review_link}">r</a>', 'https://x.example/"onmouseover="alert(1)')
    expect(html).not.toMatch(/"onmouseover/)
    expect(completionHtml('<a href="{review_link}">r</a>', 'javascript:alert(1)')).toBe(
      '<a rel="noopener noreferrer">r</a>',
    )
  })
})

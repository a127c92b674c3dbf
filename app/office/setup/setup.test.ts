import { beforeEach, expect, it } from 'vitest'
import { facilityPath } from '../../../modules/facilities/facility.ts'
import { siteNotices } from '../../../modules/facilities/settings-operations.ts'
import { ProposeRentChanges } from '../../../modules/leases/rent-changes/staff-operations.ts'
import { GetLocationUnitTypes } from '../../../modules/pricing/operations.ts'
import { perform } from '../../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { siteOver } from '../../../tests/support/site.ts'
import { openTestHouse, type TestHouse, visitor } from '../../../tests/support/small-operator.ts'
import { Browser, row, rows } from '../../testing.ts'
import { type OfficePerson, signedInStaff } from '../testing.ts'

describeOnBothEngines('Setup', (open) => {
  let services: TestHouse
  let district: OfficePerson

  beforeEach(async () => {
    services = { ...(await openTestHouse(await open())), anyFactor: true }
    district = await signedInStaff(services, 'district')
  })

  const ratesPage = '/office/setup/GA1'
  /** Every rate as it is, with what is different. */
  const rates = (more: Record<string, string> = {}) => ({
    ...{ 'before-1': '15000 13900 1', 'street-1': '150.00', 'web-1': '139.00', 'on-1': '1' },
    ...{ 'before-3': '6000 6000 1', 'street-3': '60.00', 'web-3': '60.00', 'on-3': '1' },
    ...{ intent: 'save', reason: 'Spring', key: services.random.uuid(), ...more },
  })
  const priceSeen = async () => {
    const answer = await perform(services, GetLocationUnitTypes, { location_code: 'GA1' }, visitor())
    return JSON.stringify(answer)
  }

  it('shows a rate before and after, saves it once, and a visitor sees it at once', async () => {
    const page = await district.get(ratesPage)
    expect(page.data.rates[0]).toMatchObject({ id: 1, street: 150_00, web: 139_00, onWeb: true })
    const place = await row(services, 'locations', { location_code: 'GA1' })
    const visited = async () => {
      const seen = await new Browser(services).get(facilityPath(place))
      return seen.html()
    }
    expect(await visited()).toContain('$139')
    const review = await district.post(ratesPage, rates({ 'web-1': '$144.00', intent: 'review' }))
    expect(page.html(review.data)).toContain('$139.00 to $144.00 (+3.6 %)')
    const form = rates({ 'web-1': '$144.00' })
    expect((await district.post(ratesPage, form)).to).toBe(`${ratesPage}?done=saved`)
    expect((await district.post(ratesPage, form)).to).toBe(`${ratesPage}?done=saved`)
    expect(await visited()).toContain('$144')
    expect(await priceSeen()).toContain('144.00')
    const events = await rows(services, 'audit_events', { kind: 'rates.saved' })
    expect(events).toHaveLength(1)
    expect(JSON.parse(events[0]?.changes ?? '')).toEqual({
      '10 × 10 Indoor': ['$150.00, on the web $139.00', '$150.00, on the web $144.00'],
    })
    // A lease keeps its rent.
    expect(await row(services, 'leases', { lease_number: 10001 })).toMatchObject({ rent: 139_00, next_rent: null })
  })

  it('refuses what is no rate, a stale form, and nothing new', async () => {
    for (const [name, typed] of [
      ['street-1', '0'],
      ['street-1', '-5'],
      ['web-1', '12.345'],
      ['web-1', ','],
      ['street-1', '1000000000'],
      ['web-1', '151'],
    ] as const) {
      const refused = await district.post(ratesPage, rates({ [name]: typed }))
      expect([typed, refused.status]).toEqual([typed, 400])
      expect(refused.data.fields[name]).toMatch(/\w+ .*\.$/)
    }
    expect((await district.post(ratesPage, rates())).data.fields).toEqual({
      form: 'Nothing is different from what it was.',
    })
    expect((await district.post(ratesPage, rates({ 'street-1': '155', reason: '' }))).data.fields).toEqual({
      reason: 'Say why.',
    })
    const two = await Promise.all([
      district.post(ratesPage, rates({ 'street-1': '155' })),
      district.post(ratesPage, rates({ 'street-1': '156' })),
    ])
    expect(two.map(({ status }) => status).sort()).toEqual([302, 409])
    const stale = await district.post(ratesPage, rates({ 'street-1': '160' }))
    expect(stale).toMatchObject({
      status: 409,
      data: { fields: { form: expect.stringContaining('changed this since') } },
    })
  })

  it('sets banner, maintenance and cap for the whole site', async () => {
    const save = (name: string, value: string, before: string, who = district) =>
      who.post('/office/setup', { name, value, before })
    expect(
      await save('app_banner', '<b>Closed on Thanksgiving</b>', '<b>Open</b><img src=x onerror=alert(1)>'),
    ).toMatchObject({
      to: '/office/setup',
    })
    expect((await siteNotices(services)).banner).toBe('<b>Closed on Thanksgiving</b>')
    expect(await save('app_banner', 'Late', '')).toMatchObject({ status: 409 })
    expect((await save('maintenance', 'true', 'false')).to).toBe('/office/setup')
    const app = siteOver(services)
    expect((await app.request('/api/states')).status).toBe(503)
    expect((await save('maintenance', 'false', 'true')).to).toBe('/office/setup')
    expect((await siteOver(services).request('/api/states')).status).toBe(200)
    expect((await save('maintenance', 'perhaps', 'false')).status).toBe(400)

    const { data } = await district.get('/office/setup')
    for (const cap of ['0', '101', 'many', '-1'])
      expect((await save('rent_rules', cap, data.site.rentRules)).data.fields.rent_rules).toMatch(/percent/)
    expect((await save('rent_rules', '5', data.site.rentRules)).to).toBe('/office/setup')
    const change = { location_code: 'GA1', lease_number: 10001, unit_number: '', new_rent: 149_00, rent_before: null }
    const input = { changes: [change], wanted_from: '', reason: 'Yearly' }
    const caller = { ...visitor(), staff: await district.caller() }
    expect(await perform(services, ProposeRentChanges, input, caller)).toMatchObject({ status: 409, code: 'above_cap' })
  })

  it('is for who may, at their facilities, and the whole site for who has all', async () => {
    const here = await signedInStaff(services, 'district', { scope: { facility: 'GA1' }, name: 'here' })
    const manager = await signedInStaff(services, 'manager')
    expect((await manager.get('/office/setup')).status).toBe(404)
    expect((await here.get('/office/setup/HI1')).status).toBe(404)
    expect((await here.get(ratesPage)).status).toBe(200)
    expect((await here.get('/office/setup')).data).toMatchObject({ facilities: [{ code: 'GA1' }], site: null })
    expect(await here.post('/office/setup', { name: 'maintenance', value: 'true', before: 'false' })).toMatchObject({
      status: 403,
    })
  })
})

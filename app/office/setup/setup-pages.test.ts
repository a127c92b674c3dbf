import { beforeEach, expect, it } from 'vitest'
import { runBilling } from '../../../modules/billing/run-billing.ts'
import { returnedCheckFee } from '../../../modules/cash-drawers/returned-check-fee-entries.ts'
import {
  type FacilityFacts,
  loadFacilityFacts,
  newRenterDiscount,
} from '../../../modules/facilities/facility-facts-for-pricing.ts'
import { loadSiteNotices } from '../../../modules/facilities/load-site-wide-notices.ts'
import { getLocationContents } from '../../../modules/facilities/operations/get-completion-screen-and-access-fee.ts'
import { getLocations } from '../../../modules/facilities/operations/get-locations.ts'
import { facilityPath } from '../../../modules/facilities/rules/facility-path.ts'
import { loadNearestFacilities } from '../../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { loadCurrentUnits } from '../../../modules/leases/views/facility-unit-list.ts'
import { GetInsuranceSchemes } from '../../../modules/pricing/operations/get-insurance-schemes.ts'
import { GetLocationUnitTypes } from '../../../modules/pricing/operations/get-location-unit-types.ts'
import { fullDayAccessFeeOf } from '../../../modules/pricing/rules/unit-type-fees.ts'
import { loadPrivacyTerms } from '../../../modules/privacy/load-retention-terms.ts'
import { loadBankRefundDays } from '../../../modules/refunds/record-refund.ts'
import { ProposeRentChanges } from '../../../modules/rent-changes/operations/propose-rent-changes.ts'
import { perform } from '../../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { createTestSite } from '../../../tests/support/site.ts'
import { openTestServices, type TestServices, visitor } from '../../../tests/support/small-operator.ts'
import { Browser, change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

describeOnBothEngines('Setup', (open) => {
  let services: TestServices
  let district: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    district = await signedInStaff(services, 'district')
  })

  const ratesPage = '/office/setup/GA1'
  /** Returns the rates form with the stored rates of unit types 1 and 3; `more` overrides fields. */
  const rates = (more: Record<string, string> = {}) => ({
    'before-1': '15000 13900 1',
    'street-1': '150.00',
    'web-1': '139.00',
    'on-1': '1',
    'before-3': '6000 6000 1',
    'street-3': '60.00',
    'web-3': '60.00',
    'on-3': '1',
    intent: 'save',
    reason: 'Spring',
    key: services.random.uuid(),
    ...more,
  })
  const priceSeen = async () => {
    const answer = await perform(services, GetLocationUnitTypes, { location_code: 'GA1' }, visitor())
    return JSON.stringify(answer)
  }

  it('previews a rate, saves it once and shows it to visitors at once', async () => {
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
    expect(page.html(review.data)).not.toContain('yes to yes')
    // A unit type that the form did not show, such as one offered since, does not change.
    expect(page.html(review.data)).not.toContain(' to $0.00')
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

  it('audits each changed unit type, also of the same size and category, and a rate without a web rate', async () => {
    const type = { location_code: 'GA1', unit_type_id: 2 }
    await change(services, 'unit_types', type, { breadth: 10, internet_price_available: 1 })
    const more = { 'before-2': '15000 13900 1', 'street-2': '155.00', 'web-2': '139.00', 'on-2': '' }
    const saved = await district.post(ratesPage, rates({ 'web-1': '144.00', ...more }))
    expect(saved.to).toBe(`${ratesPage}?done=saved`)
    const event = await row(services, 'audit_events', { kind: 'rates.saved' })
    expect(JSON.parse(event.details)).toEqual({ what: '2 rates at GA1' })
    expect(JSON.parse(event.changes)).toEqual({
      '10 × 10 Indoor, type 1': ['$150.00, on the web $139.00', '$150.00, on the web $144.00'],
      '10 × 10 Indoor, type 2': ['$150.00, on the web $139.00', '$155.00, without a web rate'],
    })
  })

  it('refuses an invalid rate, a stale form and an unchanged one', async () => {
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
      data: { fields: { form: expect.stringContaining('changed since') } },
    })
  })

  it('edits the footer’s pages safely and shows default text without edits', async () => {
    const guest = new Browser(services)
    await expect(guest.get('/terms')).rejects.toMatchObject({ init: { status: 404 } })
    const bare = await guest.get('/privacy')
    expect(bare.html()).toContain('7 years after your last lease ended')
    expect(bare.html()).toContain('90 days after it ended. Then it is erased without your asking.')
    expect(bare.html()).not.toContain('class="prose operator')
    expect((await guest.get('/contact')).status).toBe(200)
    const linkedPages = async () =>
      [...(await district.get('/office/setup')).html().matchAll(/href="\/([a-z]+)">See it/g)].map(([, name]) => name)
    expect(await linkedPages()).toEqual(['privacy', 'contact'])
    const text = '<h2>Fair use</h2><p>Be kind.</p><script>alert(1)</script>'
    const write = { name: 'page_terms', value: text, before: '' }
    expect((await district.post('/office/setup', write)).to).toBe('/office/setup')
    expect(await linkedPages()).toEqual(['privacy', 'terms', 'contact'])
    const written = (await guest.get('/terms')).html()
    expect(written).toContain('<p>Be kind.</p>')
    expect(written).not.toContain('script')
    expect((await district.post('/office/setup', { ...write, value: 'Other' })).status).toBe(409)
    expect((await district.post('/office/setup', { ...write, value: 'x'.repeat(60_001), before: text })).status).toBe(
      400,
    )
    const site = createTestSite(services)
    expect(await (await site.request('/sitemap.xml')).text()).toContain('/terms</loc>')
    const [event] = await rows(services, 'audit_events', { kind: 'setting.saved' })
    expect(event?.changes).toContain(`${text.length} characters`)
  })

  it('sets banner, maintenance, rent cap, refund days and retention for the whole site', async () => {
    const save = (name: string, value: string, before: string, more: Record<string, string> = {}) =>
      district.post('/office/setup', { name, value, before, ...more })
    expect(
      await save('app_banner', '<b>Closed on Thanksgiving</b>', '<b>Open</b><img src=x onerror=alert(1)>'),
    ).toMatchObject({
      to: '/office/setup',
    })
    expect((await loadSiteNotices(services)).banner).toBe('<b>Closed on Thanksgiving</b>')
    expect(await save('app_banner', 'Late', '')).toMatchObject({ status: 409 })
    // Of concurrent forms made from the same banner, one is saved.
    const texts = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
    const concurrent = await Promise.all(texts.map((text) => save('app_banner', text, '<b>Closed on Thanksgiving</b>')))
    expect(concurrent.map(({ status }) => status).sort()).toEqual([302, 409, 409, 409, 409, 409])
    const asked = await save('maintenance', 'true', 'false')
    expect([asked.status, asked.data.asks]).toEqual([200, true])
    expect((await createTestSite(services).request('/api/states')).status).toBe(200)
    expect((await save('maintenance', 'true', 'false', { sure: 'yes' })).to).toBe('/office/setup')
    const app = createTestSite(services)
    expect((await app.request('/api/states')).status).toBe(503)
    expect((await save('maintenance', 'false', 'true')).to).toBe('/office/setup')
    expect((await createTestSite(services).request('/api/states')).status).toBe(200)
    expect((await save('maintenance', 'perhaps', 'false')).status).toBe(400)

    const { data } = await district.get('/office/setup')
    for (const cap of ['0', '101', 'many', '-1'])
      expect((await save('rent_rules', cap, data.site.rentRules)).data.fields.rent_rules).toMatch(/percent/)
    expect((await save('rent_rules', '5', data.site.rentRules)).to).toBe('/office/setup')
    for (const days of ['', '-1', '366', '2.5'])
      expect((await save('bank_refund_days', days, '10')).data.fields.bank_refund_days).toMatch(/\w+ \w+/)
    expect((await save('bank_refund_days', '5', '10')).to).toBe('/office/setup')
    expect(await loadBankRefundDays(services.db.read)).toBe(5)
    const terms = {
      name: 'privacy',
      before: data.site.privacy,
      leaseYears: '7',
      disputeDays: '180',
      exportsPerDay: '20',
    }
    for (const years of ['0', '51', 'many', '-1', '7.5'])
      expect((await district.post('/office/setup', { ...terms, leaseYears: years })).data.fields).toMatchObject({
        leaseYears: /^\d+$/.test(years) ? 'From 1 to 50.' : 'Enter a whole number.',
      })
    expect((await district.post('/office/setup', terms)).to).toBe('/office/setup')
    expect(await loadPrivacyTerms(services.db.read)).toEqual({ leaseYears: 7, disputeDays: 180, exportsPerDay: 20 })
    expect((await district.post('/office/setup', { ...terms, leaseYears: '8' })).status).toBe(409)
    const change = { location_code: 'GA1', lease_number: 10001, unit_number: '', new_rent: 149_00, rent_before: null }
    const input = { changes: [change], wanted_from: '', reason: 'Yearly' }
    const caller = { ...visitor(), staff: await district.caller() }
    expect(await perform(services, ProposeRentChanges, input, caller)).toMatchObject({ status: 409, code: 'above_cap' })
  })

  it('sets the amounts of fees, plans and discounts and retires them for new renters', async () => {
    const at = '/office/setup/GA1/offers'
    const save = async (offer: string, intent: string, more: Record<string, string>) => {
      const { offers } = (await district.get(at)).data
      const was = offers.find((listed: { kind: string; id: number }) => `${listed.kind}/${listed.id}` === offer)
      const shown = { name: was?.name ?? 'None', was_named: was?.name ?? 'None', was_offered: '1' }
      return district.post(`${at}/${offer}`, { intent, reason: 'Price list', ...shown, ...more })
    }
    const seen = async () => {
      const [schemes, fees] = await Promise.all([
        perform(services, GetInsuranceSchemes, { location_code: 'GA1' }, visitor()),
        perform(services, getLocationContents, { code: 'GA1' }, visitor()),
      ])
      return JSON.stringify([schemes, fees])
    }
    expect((await district.get(at)).data.offers[0]).toMatchObject({
      kind: 'fee',
      name: 'Administration Fee',
      costs: '$29.00',
    })
    expect(await save('fee/1', 'save', { before: '2900', amount: '$31.50' })).toMatchObject({ to: at })
    expect(await row(services, 'fees', { location_code: 'GA1', fee_id: 1 })).toMatchObject({ amount: 31_50 })
    // Renters see the 24-hour access fee from `location_contents`, so saving must update that row too.
    expect(await save('fee/2', 'save', { before: '2000', amount: '22' })).toMatchObject({ to: at })
    expect(await seen()).toContain('22.00')
    expect(await save('fee/2', 'retire', { before: '2200' })).toMatchObject({ to: at })
    expect(await seen()).not.toContain('22.00')
    expect(await save('fee/2', 'offer', { before: '2200', was_offered: '0' })).toMatchObject({ to: at })
    expect(await seen()).toContain('22.00')

    // An imported facility may have no such row yet.
    await services.db.write.deleteFrom('location_contents').where('location_code', '=', 'GA1').execute()
    expect(await save('fee/2', 'save', { before: '2200', amount: '23' })).toMatchObject({ to: at })
    expect(await seen()).toContain('23.00')
    expect(await save('fee/2', 'save', { before: '2300', amount: '22' })).toMatchObject({ to: at })

    expect(await save('plan/1', 'save', { before: '2400', amount: '26' })).toMatchObject({ to: at })
    expect(await seen()).toContain('26.00')
    await change(
      services,
      'leases',
      { lease_number: 10001 },
      { insurance_status: 1, insurance_scheme_id: 1, insurance_premium: 24_00 },
    )
    expect(await save('plan/1', 'retire', { before: '2600' })).toMatchObject({ to: at })
    expect(await seen()).not.toContain('Cover $5,000')
    expect(await save('discount/2', 'retire', { before: '10000' })).toMatchObject({ to: at })
    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    expect(facts && newRenterDiscount(facts, 1)).toMatchObject({ discount_id: 3 })

    for (const [offer, more, status] of [
      ['fee/1', { before: '3150', amount: '0' }, 400],
      ['fee/1', { before: '3150', amount: '-1' }, 400],
      ['fee/1', { before: '3150', amount: '12.345' }, 400],
      ['fee/1', { before: '3150', amount: '1001' }, 400],
      ['fee/1', { before: '2900', amount: '33' }, 409],
      ['fee/1', { before: '3150', amount: '31.50' }, 409],
      ['discount/4', { before: '5000', amount: '40' }, 409],
      ['fee/99', { before: '1', amount: '2' }, 404],
    ] as const)
      expect([offer, more.amount, (await save(offer, 'save', more)).status]).toEqual([offer, more.amount, status])
    // The code recognizes the 24-hour access fee by its name, so a new name is refused. '50% Off' states its amount, so
    // name and amount change together.
    expect((await save('fee/2', 'save', { before: '2200', name: 'Night Fee' })).data.fields.name).toMatch(/Keep it/)
    expect(await save('discount/4', 'save', { before: '5000', amount: '40', name: '40% Off' })).toMatchObject({
      to: at,
    })
    const kinds = (await rows(services, 'audit_events')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('offer.'))).toHaveLength(10)
    // A lease with the plan keeps it, at the agreed premium and under its name.
    services.clock.set(Date.parse('2026-12-01T17:00:00Z'))
    await runBilling(services, { locationCode: 'GA1' })
    expect(await row(services, 'ledger_entries', { lease_number: 10001, kind: 'insurance' })).toMatchObject({
      cents: 24_00,
      description: 'Cover $5,000',
    })
  })

  it('charges one amount for 24-hour access at a facility, until the last unit type has none', async () => {
    const at = '/office/setup/GA1/offers'
    const fee = { name: '24 Hour Access Fee', charged: 'on_choice', unit_type_id: '2', reason: 'Price list' }
    const add = (amount: string) => district.post(`${at}/fee/new`, { ...fee, amount, key: services.random.uuid() })
    const accessFees = async () => {
      const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1') as FacilityFacts
      return [1, 2].map((type) => fullDayAccessFeeOf(facts, type)?.amount)
    }
    const retire = (id: number) =>
      district.post(`${at}/fee/${id}`, {
        intent: 'retire',
        reason: 'Price list',
        was_named: fee.name,
        was_offered: '1',
        before: '2000',
      })
    await change(services, 'fees', { location_code: 'GA1', fee_id: 2 }, { unit_type_id: 1 })
    expect((await add('25')).data.fields.amount).toContain('$20.00')
    expect((await add('20')).to).toBe(at)
    expect(await accessFees()).toEqual([20_00, 20_00])
    expect((await district.get(`${at}/fee/2`)).html()).toContain('counts for all unit types')
    expect((await retire(2)).to).toBe(at)
    expect(await accessFees()).toEqual([undefined, 20_00])
    const retired = { intent: 'save', reason: 'Price list', was_named: fee.name, was_offered: '0', before: '2000' }
    const raised = await district.post(`${at}/fee/2`, { ...retired, name: fee.name, amount: '25' })
    expect(raised.data.fields.amount).toContain('$20.00')
    expect((await retire(5)).to).toBe(at)
    expect(await accessFees()).toEqual([undefined, undefined])
    expect((await add('25')).to).toBe(at)
    expect(await accessFees()).toEqual([undefined, 25_00])
  })

  it('adds a fee, a plan and a discount once each', async () => {
    const at = '/office/setup/GA1/offers'
    const add = (kind: string, more: Record<string, string>) =>
      district.post(`${at}/${kind}/new`, {
        reason: 'Price list',
        unit_type_id: '',
        key: services.random.uuid(),
        ...more,
      })
    expect((await district.get(`${at}/fee/new`)).data.types).toHaveLength(3)
    const bounced = { name: 'Returned Check Fee', amount: '30', charged: 'returned', key: services.random.uuid() }
    expect((await add('fee', bounced)).to).toBe(at)
    expect((await add('fee', bounced)).to).toBe(at)
    const facts = async () => (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    expect(returnedCheckFee((await facts()) as FacilityFacts, 1)).toMatchObject({ amount: 30_00 })
    const plan = { name: 'Cover $9,000', amount: '30', coverage: '9,000', terminology: 'Pays for theft.' }
    expect((await add('plan', plan)).to).toBe(at)
    expect((await facts())?.schemes.at(-1)).toMatchObject({ coverage: 900_000, premium: 30_00, scheme_name: plan.name })
    expect((await add('discount', { name: 'Half off', amount: ' 50 % ', by: 'percent', unit_type_id: '1' })).to).toBe(
      at,
    )
    expect(await row(services, 'discounts', { description: 'Half off' })).toMatchObject({ amount: 50_00, type: 1 })
    for (const [kind, more, status] of [
      ['fee', { ...bounced, key: services.random.uuid(), name: 'Another' }, 409],
      // The fee of all unit types is already charged for this one.
      ['fee', { ...bounced, key: services.random.uuid(), name: 'Of one size', unit_type_id: '1' }, 409],
      ['fee', { name: 'Late, of one size', amount: '10', charged: 'late', unit_type_id: '1' }, 302],
      // Unit type 1 keeps its own late fee, which was added first; the late fee of all unit types is for the others.
      ['fee', { name: 'Late', amount: '20', charged: 'late' }, 302],
      ['fee', { ...bounced, key: services.random.uuid(), charged: '' }, 400],
      ['fee', { name: 'See https://x.example', amount: '1', charged: 'period' }, 400],
      ['fee', { name: '', amount: '1', charged: 'period' }, 400],
      ['fee', { name: 'Free', amount: '0', charged: 'period' }, 400],
      ['fee', { name: 'Wrong', amount: '12.345', charged: 'period' }, 400],
      ['fee', { name: 'Nowhere', amount: '1', charged: 'period', unit_type_id: '99' }, 404],
      ['fee', { name: 'Nowhere', amount: '1', charged: 'period', unit_type_id: '1e30' }, 400],
      ['plan', { ...plan, name: 'None', coverage: '0' }, 400],
      ['plan', { ...plan, name: plan.name.toUpperCase() }, 409],
      ['discount', { name: 'Too much', amount: '101', by: 'percent' }, 400],
      ['discount', { name: 'Neither', amount: '50' }, 400],
      ['thing', { name: 'No kind', amount: '50' }, 404],
    ] as const)
      expect([kind, more.name, (await add(kind, more)).status]).toEqual([kind, more.name, status])
  })

  it('responds 404 to an address whose unit or unit type id is malformed or unknown', async () => {
    for (const id of ['abc', '1.5', '1e30', 'Infinity', '-1', '0', '999999', '9'.repeat(19)])
      for (const kind of ['unit', 'unit_type']) {
        const path = `/office/setup/GA1/letting/${kind}/${id}`
        expect([path, (await district.get(path)).status]).toEqual([path, 404])
      }
  })

  it('retires what is no longer offered and offers it again', async () => {
    const at = '/office/setup/GA1/letting'
    const save = (path: string, intent: string, who = district) =>
      who.post(at + path, { intent, reason: 'Rebuilt', key: services.random.uuid() })
    const place = await row(services, 'locations', { location_code: 'GA1' })
    const visited = () => new Browser(services).get(facilityPath(place))
    const offered = async () =>
      JSON.stringify(await perform(services, GetLocationUnitTypes, { location_code: 'GA1' }, visitor()))

    // Rented units are listed, with links.
    const shown = await district.get(at)
    expect(shown.data.taken).toContainEqual({ id: 6, unit: '301' })
    expect(shown.html()).toContain('/office/units/GA1/6')
    for (const path of ['', '/unit_type/1', '/unit/6'])
      expect(await save(path, 'retire')).toMatchObject({ status: 409, data: { fields: { form: /^Still let: / } } })

    // Of two concurrent presses one retires the free unit. It leaves the office's list and cannot be returned to service.
    const free = await services.db.read
      .selectFrom('units')
      .selectAll()
      .where('status', '=', 'free')
      .where('location_code', '=', 'GA1')
      .where('unit_type_id', '=', 3)
      .executeTakeFirstOrThrow()
    const both = await Promise.all([save(`/unit/${free.unit_id}`, 'retire'), save(`/unit/${free.unit_id}`, 'retire')])
    expect(both.map(({ status }) => status).sort()).toEqual([302, 409])
    expect(await row(services, 'units', { unit_id: free.unit_id })).toMatchObject({
      status: 'off',
      retired_on: '2026-11-20',
    })
    const units = await loadCurrentUnits(services, 'GA1')
    expect(units.map((unit) => unit.unitId)).not.toContain(free.unit_id)
    expect((await district.get(`/office/units/GA1/${free.unit_id}`)).data.state).toBe('retired')
    const back = await district.post(`/office/units/GA1/${free.unit_id}`, { intent: 'back' })
    expect(back.status).toBe(409)

    // A unit type or facility is retired only while none of its units is rented or held, so all are freed first.
    await change(services, 'units', { location_code: 'GA1', status: 'rented' }, { status: 'free' })
    await change(services, 'units', { location_code: 'GA1', status: 'held' }, { status: 'free', held_by: null })
    expect((await save('/unit_type/3', 'retire')).to).toBe(`${at}/unit_type/3`)
    expect(await offered()).not.toContain('"UnitTypeId":3')
    expect(await save(`/unit/${free.unit_id}`, 'restore')).toMatchObject({ status: 409 })
    expect((await save('', 'retire')).to).toBe(at)
    await expect(visited()).rejects.toMatchObject({ init: { status: 410 } })
    expect(await offered()).toContain('404')
    expect(await perform(services, getLocations, {}, visitor())).toMatchObject({
      value: expect.not.arrayContaining([expect.objectContaining({ location_code: 'GA1' })]),
    })
    expect(
      (await loadNearestFacilities(services, place)).facilities.map((facility) => facility.locationCode),
    ).not.toContain('GA1')
    expect((await new Browser(services).get('/rent/GA1/1')).status).toBe(404)
    expect((await district.get('/office/setup')).data.facilities[0].name).toMatch(/\(retired\)$/)

    expect((await save('', 'restore')).to).toBe(at)
    expect((await visited()).status).toBe(200)
    // A unit type retired before the facility stays retired, and its units with it.
    expect(await offered()).not.toContain('"UnitTypeId":3')
    const ofType = await rows(services, 'units', { location_code: 'GA1', unit_type_id: 3 })
    expect(ofType.map(({ retired_on }) => retired_on)).toEqual(ofType.map(() => '2026-11-20'))
    expect(ofType.length).toBeGreaterThan(0)
    expect((await rows(services, 'audit_events', { kind: 'letting.retired' })).length).toBe(3)
  })

  it('leaves a unit retired that was retired by itself on the day of its type or facility', async () => {
    const save = (path: string, intent: string) =>
      district.post(`/office/setup/GA1/letting${path}`, { intent, reason: 'Rebuilt', key: services.random.uuid() })
    const retiredUnits = async () =>
      (await rows(services, 'units', { location_code: 'GA1' }))
        .filter(({ retired_on }) => retired_on !== null)
        .map(({ unit_number }) => unit_number)
    await change(services, 'units', { location_code: 'GA1' }, { status: 'free', held_by: null, held_until: null })
    await save('/unit/2', 'retire')
    for (const path of ['/unit_type/1', '']) {
      await save(path, 'retire')
      expect((await retiredUnits()).length).toBeGreaterThan(4)
      await save(path, 'restore')
      expect(await retiredUnits()).toEqual(['102'])
    }
    await save('/unit/2', 'restore')
    expect(await retiredUnits()).toEqual([])
    // The units of a unit type that is retired after its facility stay retired when the facility is restored.
    await save('', 'retire')
    services.clock.advance(86_400_000)
    district = await signedInStaff(services, 'district', { name: 'tomorrow' })
    await save('/unit_type/1', 'retire')
    await save('', 'restore')
    expect((await retiredUnits()).length).toBeGreaterThan(4)
    await save('/unit_type/1', 'restore')
    expect(await retiredUnits()).toEqual([])
    // A unit that was restored is again retired and restored with its type.
    await save('/unit_type/1', 'retire')
    await save('/unit_type/1', 'restore')
    expect(await retiredUnits()).toEqual([])
  })

  it.each([
    ['that awaits its inspection', 'move-out', 'to verify'],
    ['that an import took out of service', null, 'out of service'],
  ])('restores a unit %s in the same state', async (_, held_by, state) => {
    const unit = { location_code: 'GA1', unit_id: 6 }
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-11-19' })
    await change(services, 'units', unit, { status: 'off', held_by })
    const field = await signedInStaff(services, 'field')
    const save = (intent: string) =>
      district.post('/office/setup/GA1/letting/unit/6', { intent, reason: 'Rebuilt', key: services.random.uuid() })
    const stateNow = async () => (await district.get('/office/units/GA1/6')).data.state
    const verify = () =>
      field.post('/office/field/GA1/10001', { intent: 'verify', found: 'clean', key: services.random.uuid() })

    expect((await save('retire')).status).toBe(302)
    expect(await stateNow()).toBe('retired')
    expect((await field.get('/office/field')).html()).not.toContain('GA1/10001')
    expect((await verify()).status).toBe(409)
    expect((await district.post('/office/units/GA1/6', { intent: 'back' })).status).toBe(409)
    expect((await save('restore')).status).toBe(302)
    expect(await stateNow()).toBe(state)
    expect((await verify()).status).toBe(held_by === null ? 409 : 302)
    expect(await stateNow()).toBe(held_by === null ? 'out of service' : 'free')
  })

  it('sets hours, texts and rules and shows concurrent changes of others', async () => {
    const at = '/office/setup/GA1/facility'
    const forms = async () =>
      (await district.get(at)).data.forms.map((form: { form: string; fields: { name: string }[] }) => [
        form.form,
        Object.fromEntries(form.fields.map((field) => [field.name, field])),
      ])
    const shown = Object.fromEntries(await forms())
    const save = (form: string, typed: Record<string, string>, made = shown) =>
      district.post(at, {
        intent: form,
        reason: 'Summer',
        key: services.random.uuid(),
        ...Object.fromEntries(Object.entries(typed).map(([name, text]) => [`is-${name}`, text])),
        ...Object.fromEntries(Object.keys(typed).map((name) => [`was-${name}`, made[form][name].before])),
      })
    const place = await row(services, 'locations', { location_code: 'GA1' })
    const visited = async () => (await new Browser(services).get(facilityPath(place))).html()
    const hours = {
      gate_hours: '4 AM to 11 PM every day',
      office_hours: 'Mon–Fri: 8 AM to 8 PM\r\nSat: 9 AM to 1 PM; not in May\r\n',
    }
    expect((await save('hours', hours)).to).toBe(`${at}?done=saved#hours`)
    expect(await visited()).toContain('4 AM to 11 PM every day')
    expect(JSON.parse((await row(services, 'locations', { location_code: 'GA1' })).office_hours)).toEqual([
      { days: 'Mon–Fri', hours: '8 AM to 8 PM' },
      { days: 'Sat', hours: '9 AM to 1 PM; not in May' },
    ])
    // The form was made from older values: the refusal names the current ones, and a form made from those is saved.
    const stale = await save('hours', { gate_hours: '6 AM to 6 PM every day' })
    expect(stale).toMatchObject({ status: 409, data: { fields: { 'hours-gate_hours': /4 AM to 11 PM/ } } })
    const again = Object.fromEntries(await forms())
    expect((await save('hours', { gate_hours: '6 AM to 6 PM every day' }, again)).status).toBe(302)
    const events = await rows(services, 'audit_events', { kind: 'facility.saved' })
    expect(events.map(({ changes }) => JSON.parse(changes))).toContainEqual({
      'Gate hours': ['4 AM to 11 PM every day', '6 AM to 6 PM every day'],
    })

    expect(
      (await save('texts', { description: 'A brick mill.', features: 'Elevators\nDrive-up; no steps' })).status,
    ).toBe(302)
    expect(await visited()).toMatch(/A brick mill\.[\s\S]*Drive-up; no steps/)
    // A line with ';' stays one feature, although ';' separates features in an imported CSV file.
    expect(JSON.parse((await row(services, 'locations', { location_code: 'GA1' })).features)).toEqual([
      'Elevators',
      'Drive-up; no steps',
    ])
    expect((await district.get(at)).html()).toContain('Elevators\nDrive-up; no steps</textarea>')
    const screen = '<h2>Welcome</h2><script>alert(1)</script><img src=x> <a href="{review_link}">Say so</a>'
    const completed = { website_move_in_completion_screen: screen, feedback_link: 'https://reviews.example/ga1' }
    expect((await save('completed', completed)).status).toBe(302)
    expect(await perform(services, getLocationContents, { code: 'GA1' }, visitor())).toMatchObject({
      value: { website_move_in_completion_screen: expect.not.stringMatching(/script|img/) },
    })
    expect((await save('rules', { coming_soon: 'yes', auction_after_days: '90' })).status).toBe(302)
    expect((await save('taxes', { rent_tax_rate: '7.25 %' })).status).toBe(302)
    expect((await save('contact', { phone: '(404) 555-0177', address: '2 New Street' })).status).toBe(302)
    expect(await row(services, 'locations', { location_code: 'GA1' })).toMatchObject({
      coming_soon: 1,
      auction_after_days: 90,
      rent_tax_rate: 725,
      phone: '4045550177',
      slug: place.slug,
    })

    for (const [form, typed, status] of [
      ['hours', { office_hours: 'always' }, 400],
      ['contact', { name: '' }, 400],
      ['contact', { phone: '12' }, 400],
      ['contact', { lat: '91' }, 400],
      ['contact', { reservation_email: 'nobody' }, 400],
      ['rules', { reservation_window: '0' }, 400],
      ['rules', { cc_fee: 'perhaps' }, 400],
      ['taxes', { rent_tax_rate: '101' }, 400],
      ['taxes', { rent_tax_rate: '-1' }, 400],
      ['texts', { directions: 'See https://elsewhere.example' }, 400],
      ['texts', { description: 'x'.repeat(4001) }, 400],
    ] as const)
      expect([form, (await save(form, typed, Object.fromEntries(await forms()))).status]).toEqual([form, status])
    const ticked = (codes: readonly string[], made: Record<string, Record<string, { before: string }>>) =>
      district.post(at, {
        intent: 'security',
        reason: 'New fence',
        key: services.random.uuid(),
        'is-security': '',
        'was-security': made.security?.security?.before ?? '',
        ...Object.fromEntries(codes.map((code) => [`tick-security/${code}`, '1'])),
      })
    expect((await ticked(['fence', 'moat'], Object.fromEntries(await forms()))).data.fields).toEqual({
      'security-security': expect.stringContaining('own-code'),
    })
    expect((await ticked(['fence', 'own-code'], Object.fromEntries(await forms()))).status).toBe(302)
    expect((await row(services, 'locations', { location_code: 'GA1' })).security).toBe('["own-code","fence"]')
    expect(await visited()).toMatch(/Security here[\s\S]*A gate code of your own[\s\S]*Fenced all round/)
    expect((await ticked([], Object.fromEntries(await forms()))).status).toBe(302)
    expect(await visited()).not.toContain('Security here')
    const same = Object.fromEntries(await forms())
    expect((await save('taxes', { rent_tax_rate: '7.25' }, same)).data.fields).toEqual({
      form: 'Nothing is different from what it was.',
    })
    expect((await district.post(at, { intent: 'slug', 'is-slug': 'x', reason: 'No' })).status).toBe(404)
  })

  it('is open to permitted staff at their facilities, and site-wide only to staff of all facilities', async () => {
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

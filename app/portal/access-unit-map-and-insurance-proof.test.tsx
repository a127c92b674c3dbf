import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { policyExpired } from '../../modules/move-in/texts/move-in.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, tenant } from '../../tests/support/small-operator.ts'
import { textsByCode } from '../request/alert-texts-by-code.ts'
import { Browser, createSignInToken, withReadCounter } from '../testing.ts'
import { floorPicture } from '../ui/floor-plan-svg.ts'
import { action } from './proof-of-insurance.tsx'

const folder = mkdtempSync(join(tmpdir(), 'tenant-pages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = openerForTests()
let services: TestServices
let ada: Browser
let cy: Browser

beforeEach(async () => {
  services = await openTestServices(await open())
  services.files = folderFiles(join(folder, services.random.hex(6)))
  ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
  cy = new Browser(services, { token: await createSignInToken(services, 'cy') })
})

async function takeFacilityOut(): Promise<void> {
  const become = (code: string, facility_id: number) =>
    services.db.write.updateTable('locations').set({ facility_id }).where('location_code', '=', code).execute()
  await become('HQ', 999)
  await become('GA1', 1)
}

const hiding = (table: 'accounts' | 'locations', key: string, gone: string): TestServices =>
  Object.assign(Object.create(services), {
    db: Object.create(services.db, {
      read: {
        value: new Proxy(services.db.read, {
          get(read, name) {
            const value = Reflect.get(read, name)
            if (name !== 'selectFrom') return typeof value === 'function' ? value.bind(read) : value
            return (from: never) => {
              const query = read.selectFrom(from)
              return from === table ? query.where(key as never, '!=', gone as never) : query
            }
          },
        }),
      },
    }),
  })

describe('database queries of a page', () => {
  // Three statements of each page read the sign-in with its tenants, the account's header and the content version.
  it.each([
    // Two of its statements ask what the gate has acknowledged and for the tenant's last visit; another asks for the offer
    // of a passkey. The facility's map is cached.
    ['/my-units', 11],
    ['/unit-lease-details', 10],
    ['/recent-activity', 5],
    ['/schedule-move-out', 4],
    // Includes the choice about text messages.
    ['/account-profile', 10],
  ])('%s runs %i statements once the facility is cached, and needs a sign-in', async (path, statements) => {
    const { counted, readStatements } = withReadCounter(services)
    const browser = new Browser(counted, ada.ids)
    const countStatements = async () => {
      const before = readStatements()
      const { status } = await browser.get(`${path}?lease=10001`)
      expect(status).toBe(200)
      // The tests' browser queries the operator's brand for each page; the server caches it.
      return readStatements() - before - 1
    }
    // The first visit reads the facility's facts, which are then cached.
    expect(await countStatements()).toBeGreaterThan(statements)
    expect(await countStatements()).toBe(statements)
    await services.db.write.updateTable('sign_ins').set({ ended_at: services.clock.now() }).execute()
    expect((await browser.get(path)).to).toMatch(/^\/(login.*)?$/)
  })

  it('show a changed facility at once', async () => {
    const facilityName = async () => (await ada.get('/my-units')).data.chrome.facility.name
    expect(await facilityName()).toBe('Storage GA1')
    await services.db.write.updateTable('locations').set({ name: 'Peach' }).where('location_code', '=', 'GA1').execute()
    expect(await facilityName()).toBe('Peach')
  })
})

describe('another tenant’s', () => {
  it.each(['GA1:1002', 'HI1:1001', 'GA1:01001', "GA1:1002' or 1=1", '//evil', 'GA1:1001:10002', ''])(
    'facility and tenant ‘%s’ in the address open the signed-in tenant’s own pages and no other tenant’s lease',
    async (at) => {
      const query = `?at=${encodeURIComponent(at)}`
      for (const path of ['/my-units', '/recent-activity', '/unit-map', '/proof-of-insurance', '/account-profile']) {
        const { status, data } = await ada.get(path + query)
        expect(status).toBe(200)
        expect(data.chrome).toMatchObject({ name: 'Ada Byrne', facility: { locationCode: 'GA1' } })
        // The drawing of a floor shows the numbers of all units.
        const { plan: _, way: __, ...own } = data
        expect(JSON.stringify(own)).not.toMatch(/302|10002|591734|Dorn/)
      }
      for (const path of ['/unit-lease-details', '/schedule-move-out', '/move-out-receipt']) {
        ada.alert = ''
        expect((await ada.get(`${path}${query}&lease=10002`)).to).toBe('/my-units')
        expect(ada.alert).toBe('noLeaseFound')
      }
      expect(ada.ids.lease).toBeUndefined()
    },
  )

  it('lease in a form remains unchanged, whatever the form submits', async () => {
    const before = await recordsOf(services, 'leases', { lease_number: 10002 })
    for (const intent of ['pay', 'autopay_off', 'cancel_move_out', '']) {
      ada.alert = ''
      const form = { intent, lease: '10002', at: 'GA1:1002', periods: '1', autopay: '1', restore_autopay: '1' }
      expect((await ada.post('/unit-lease-details', form)).to).toBe('/my-units')
      expect(ada.alert).toBe('noLeaseFound')
    }
    const leave = { lease: '10002', at: 'GA1:1002', star_rating: '1', comment: 'x' }
    expect((await ada.post('/schedule-move-out', leave)).to).toBe('/my-units')
    expect(await recordsOf(services, 'leases', { lease_number: 10002 })).toEqual(before)
    expect(await recordsOf(services, 'move_outs')).toEqual([])
    expect(ada.ids.checkout).toBeUndefined()
  })
})

describe('/unit-map', () => {
  const map = (browser = ada, query = '') => browser.get(`/unit-map${query}`)
  const place = (unit_number: string, set: object) =>
    change(services, 'units', { location_code: 'GA1', unit_number }, set)

  it('shows the first floor, then the selected one, and finds the tenant’s unit on any floor', async () => {
    await place('101', { floor_no: 3 })
    await place('301', { floor_no: 2 })
    const page = await map()
    const first = page.data
    expect(first).toMatchObject({ facility: 'Storage GA1', mine: ['301'] })
    expect(first.plan).toMatchObject({
      floors: [1, 2, 3],
      shown: 1,
      elsewhere: [{ unit: '301', floor: 2 }],
      unplaced: [],
    })
    expect(JSON.parse(first.plan.floor).units.map((unit: { unit_no: string }) => unit.unit_no)).toEqual([
      '102',
      '201',
      'P1',
      '302',
    ])
    const second = (await map(ada, '?floor=2')).data.plan
    expect({ ...second, floor: JSON.parse(second.floor) }).toMatchObject({
      shown: 2,
      elsewhere: [],
      floor: { units: [{ unit_no: '301' }] },
    })
    for (const floor of ['9', '-1', 'x', '', '1e9', 'NaN', '2.5', '%00'])
      expect((await map(ada, `?floor=${floor}`)).data.plan.shown, floor).toBe(1)
    expect((await map(cy)).data.mine).toEqual(['302'])
    const html = page.html()
    expect(html).toContain('Facility Map')
    expect(html.match(/type="radio"/g)).toHaveLength(3)
    expect(html).toContain('Your unit 301 is on')
    expect(html).toContain('href="/unit-map?floor=2"')
    expect(html).toContain('The map as a list')
  })

  it('leads from the gate to the tenant’s unit and lists it as the tenant’s', async () => {
    const { data, html: page } = await map()
    const { way } = JSON.parse(data.plan.floor)
    expect(way.length).toBeGreaterThan(1)
    // The way begins at the center of the gate, which measures 20 × 2 at [0, 0], and ends to its right and below it.
    expect(way[0]).toEqual([10, 1])
    expect(way.at(-1)[0]).toBeGreaterThan(60)
    expect(way.at(-1)[1]).toBeGreaterThan(10)
    const html = page()
    expect(html).toContain('301 (yours)')
    expect(html).toContain('map-way')
    expect(html).toContain('map-mine')
  })

  it('takes the floor of the gate for the ground floor where there is a basement', async () => {
    await place('201', { floor_no: -1 })
    const steps = async () => (await map(undefined, '?unit=301')).data.plan.steps
    await place('301', { floor_no: 1 })
    expect((await steps())[0]).toMatch(/^From the gate, walk \d+ ft\.$/)
    const gate = await recordOf(services, 'map_fixtures', { location_code: 'GA1' })
    for (const [floor_no, first] of [
      [-1, 'Go down to floor -1.'],
      [2, 'Go up to floor 2.'],
    ] as const) {
      await addRecord(services, 'map_fixtures', {
        ...gate,
        fixture_id: floor_no + 9,
        floor_no,
        category_name: 'Stairs',
      })
      await place('301', { floor_no })
      expect((await steps())[0]).toBe(first)
    }
  })

  it.each([
    ['one above the other', { left_coordinate: 70, top_coordinate: 0 }],
    ['all around each other', { left_coordinate: 0, top_coordinate: -40, length: 200, width: 200 }],
    ['far left of and far above the others', { left_coordinate: -5000, top_coordinate: -3000 }],
    ['far away', { left_coordinate: 2_000_000, top_coordinate: 2_000_000 }],
    ['without any size', { length: 0, width: 0 }],
    ['turned by odd degrees', { rotate: -725 }],
    ['at the gate', { left_coordinate: 0, top_coordinate: 0 }],
  ])('draws units that are placed %s', async (_, set) => {
    await place('301', set)
    const { status, data, html } = await map()
    expect(status).toBe(200)
    const { box, markup } = floorPicture(JSON.parse(data.plan.floor), new Set(['301']))
    expect(box.every(Number.isFinite)).toBe(true)
    expect(box[2]).toBeGreaterThan(0)
    expect(box[3]).toBeGreaterThan(0)
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
    expect(markup).toContain('map-mine')
    expect(html()).toContain('301')
  })

  it('says when the tenant’s unit is on no plan', async () => {
    await place('301', { left_coordinate: null })
    const { data, html } = await map()
    expect(data.plan).toMatchObject({ unplaced: ['301'], elsewhere: [] })
    expect(html()).toMatch(/does not show.*your unit.*301.*\(404\) 555-0199/s)
  })

  it("says 'Map is not available for this location.' without a map or with an empty one", async () => {
    await change(services, 'units', { location_code: 'GA1' }, { left_coordinate: null })
    const nothing = await map()
    expect(nothing.data.plan).toBeNull()
    expect(nothing.html()).toContain('Map is not available for this location.')
    await change(services, 'units', { location_code: 'GA1' }, { left_coordinate: 1 })
    expect((await map()).data.plan).not.toBeNull()
    await change(services, 'locations', { location_code: 'GA1' }, { facility_map_enabled: 0 })
    const dataWithoutMap = (await map()).data
    expect(dataWithoutMap.plan).toBeNull()
    expect(dataWithoutMap.chrome.menu.map((entry: { href: string }) => entry.href)).not.toContain('/unit-map')
  })
})

describe('/proof-of-insurance', () => {
  const files = { pdf: '%PDF-1.7\na policy', eps: '%!PS-Adobe-3.0 EPSF-3.0\n' }
  const formOf = (content: BlobPart | null, change: Record<string, string | string[]> = {}, name = 'policy.pdf') => {
    const form = new FormData()
    const fields = {
      policy_number: 'HO-1',
      insurance_carrier: 'Old Harbor',
      expiration_date: '06/30/2027',
      unit_numbers: '301',
      ...change,
    }
    for (const [field, value] of Object.entries(fields)) for (const text of [value].flat()) form.append(field, text)
    if (content !== null) form.append('file', new Blob([content]), name)
    return form
  }
  const send = (form: FormData, browser = ada) => browser.post('/proof-of-insurance', form)
  const page = (browser = ada, query = '') => browser.get(`/proof-of-insurance${query}`)
  const file = (browser: Browser, proofId: string) => browser.get(`/proof-of-insurance/${encodeURIComponent(proofId)}`)

  it.each(Object.entries(files))(
    'accepts a real %s, lists it and returns it only as a download',
    async (kind, content) => {
      expect(await send(formOf(content, {}, '../../page.html'))).toMatchObject({ to: '/proof-of-insurance?sent=1' })
      const { proofs, sent } = (await page(ada, '?sent=1')).data
      expect(sent).toBe(true)
      expect(proofs).toMatchObject([
        { units: '301', carrier: 'Old Harbor', expires: '06/30/2027', name: `proof-of-insurance-301.${kind}` },
      ])
      const { response } = await file(ada, proofs[0].id)
      expect(response?.status).toBe(200)
      expect(Buffer.from(await response!.arrayBuffer())).toEqual(Buffer.from(content))
      expect(Object.fromEntries(response!.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="proof-of-insurance-301.${kind}"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      // Another tenant's file gets the same response as an unknown one.
      expect((await page(cy)).data.proofs).toEqual([])
      for (const [browser, id] of [
        [cy, proofs[0].id],
        [ada, '00000000-0000-4000-8000-000000000000'],
        [ada, '../../etc/passwd'],
      ] as const)
        expect((await file(browser, id)).status).toBe(404)
    },
  )

  it('covers several units at once and asks which of them', async () => {
    await services.db.write.updateTable('leases').set({ tenant_id: 1001 }).where('lease_number', '=', 10002).execute()
    const before = await page()
    expect(before.data.units).toEqual(['301', '302'])
    expect(before.html().match(/type="checkbox"[^>]*checked/g)).toBeNull()
    const { data } = await send(formOf(null, { unit_numbers: ['302'] }))
    expect(before.html(data).match(/value="\d+"(?=[^>]* checked)|checked[^>]*value="\d+"/g)).toEqual([
      expect.stringContaining('"302"'),
    ])
    expect((await send(formOf(files.pdf, { unit_numbers: ['301', '302', '301'] }))).to).toBe(
      '/proof-of-insurance?sent=1',
    )
    expect((await page()).data.proofs).toMatchObject([{ units: '301, 302' }])
  })

  it.each([
    ['a page called a PDF', '<html>%PDF-</html>', {}, 'file', 'The file must be a JPEG, GIF, PNG, PDF or EPS.'],
    ['another’s unit', files.pdf, { unit_numbers: ['302'] }, 'unit_numbers', 'Choose units that you rent here.'],
    ['a policy that ended yesterday', files.pdf, { expiration_date: '11/19/2026' }, 'expiration_date', policyExpired],
  ] as const)('%s is refused at its field, and what was typed stays', async (_, content, change, field, sentence) => {
    const { status, data } = await send(formOf(content, change as Record<string, string | string[]>))
    expect(status).toBe(400)
    expect(data.fields).toEqual({ [field]: sentence })
    expect(data.values).toMatchObject({ policy_number: 'HO-1' })
    const again = await page()
    expect(again.data.proofs).toEqual([])
    expect(await recordsOf(services, 'jobs')).toEqual([])
    const html = again.html(data)
    expect(html).toContain(sentence)
    expect(html).toContain('value="HO-1"')
    expect(html).toContain('data-unsent="/proof-of-insurance GA1:1001"')
  })

  it('reports an interrupted upload and stores nothing of it', async () => {
    const complete = new Request('https://rent.example/x', { method: 'POST', body: formOf(files.pdf) })
    const bodyText = await complete.text()
    const request = new Request('https://rent.example/x', {
      method: 'POST',
      headers: { 'content-type': complete.headers.get('content-type') ?? '' },
      body: bodyText.slice(0, bodyText.length - 60),
    })
    const cutOff = (args: { context: unknown }) => action({ ...args, request } as never)
    const { status, data } = await ada.ask(cutOff, { path: '/x' })
    expect(status).toBe(400)
    expect(data.fields).toEqual({ form: formUnreadable })
    expect((await page()).data.proofs).toEqual([])
  })

  it('is stored for the signed-in tenant, not for the ids in the form', async () => {
    const form = formOf(files.pdf, {
      location_code: 'HI1',
      tenant_id: '1002',
      tenant_name: 'Eve',
      tenant_email: 'e@x.example',
    })
    expect((await send(form)).to).toBe('/proof-of-insurance?sent=1')
    expect(
      await services.db.read
        .selectFrom('insurance_proofs')
        .select(['location_code', 'tenant_id', 'tenant_name', 'tenant_email'])
        .execute(),
    ).toEqual([{ location_code: 'GA1', tenant_id: 1001, tenant_name: 'Ada Byrne', tenant_email: 'ada@example.com' }])
  })

  it('offers no upload without a lease', async () => {
    expect((await page()).html()).toContain('type="file"')
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).execute()
    const html = (await page()).html()
    expect(html).not.toContain('type="file"')
    expect(html).toContain('You rent no unit at this facility')
  })
})

describe('the messages of spec 2 §8 for a missing record', () => {
  async function tenantElsewhere() {
    const elsewhere = { location_code: 'HI1', tenant_id: 1 }
    const name = { first: 'Ada', last: 'Byrne', account_id: 'ada', grant_online_access: 1 as const }
    await addRecord(services, 'tenants', tenant({ ...elsewhere, ...name }))
    return elsewhere
  }

  it('facility of a tenant: ‘Location information not found.’ on the tenant’s pages', async () => {
    await takeFacilityOut()
    for (const path of [
      '/my-units',
      '/unit-lease-details',
      '/recent-activity',
      '/schedule-move-out',
      '/unit-map',
      '/proof-of-insurance',
      '/account-profile',
    ]) {
      ada.alert = ''
      expect((await ada.get(`${path}?lease=10001`)).to).toBe('/')
      expect(ada.alert).toBe('sessionLocationMissing')
    }
  })

  it('shows one of two facilities when the other is missing', async () => {
    await tenantElsewhere()
    await takeFacilityOut()
    expect((await ada.get('/my-units')).to).toBe('/')
    expect(ada.alert).toBe('sessionLocationMissing')
    const next = await ada.get('/my-units')
    expect(next.data.chrome.facility.locationCode).toBe('HI1')
  })

  it('account that is deleted while its page is read: ‘Account information not found.’', async () => {
    // The account is deleted after the access check and before the page reads it.
    const browser = new Browser(hiding('accounts', 'account_id', 'ada'), ada.ids)
    expect((await browser.get('/account-profile')).to).toBe('/')
    expect(browser.alert).toBe('sessionAccountMissing')
  })

  it('settlement above the amount due, paid without a payment, or without its facility: a redirect with an alert', async () => {
    const link = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
    if (!link.ok) throw new Error(link.why)
    const payer = new Browser(services, { settlement: link.uuid })
    const change = (set: object) =>
      services.db.write.updateTable('settlements').set(set).where('uuid', '=', link.uuid).execute()
    await change({ settlement_amount: 9_000_00 })
    expect((await payer.get('/past-due-payment-process')).to).toBe('/')
    expect(payer.alert).toBe('invalidSettlementData')
    await change({ settlement_amount: 90_00, state: 'paid', order_id: null })
    expect((await payer.get('/past-due-payment-completed')).to).toBe('/login')
    expect(payer.alert).toBe('accountInformationNotFound')
    await takeFacilityOut()
    payer.alert = ''
    expect((await payer.get('/past-due-payment-process')).to).toBe('/login')
    expect(payer.alert).toBe('accountInformationNotFound')
  })

  it('new terms of a lease whose facility is missing: ‘Failed to load location data, please try again later.’', async () => {
    const elsewhere = await tenantElsewhere()
    const pendingLease = { ...elsewhere, lease_number: 7, unit_id: 1, unit_number: '0001', terms_required: 1 as const }
    await addRecord(services, 'leases', lease(pendingLease))
    expect((await ada.get('/complete-lease')).data.unitNumber).toBe('0001')
    const browser = new Browser(hiding('locations', 'locations.location_code', 'HI1'), ada.ids)
    for (const request of [
      () => browser.get('/complete-lease'),
      () => browser.post('/complete-lease', { hash: 'x' }),
    ]) {
      browser.alert = ''
      expect((await request()).to).toBe('/')
      expect(textsByCode[browser.alert as 'locationDataFailed']).toBe(
        'Failed to load location data, please try again later.',
      )
    }
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { AcceptTerms } from '../../modules/agreements/operations/accept-terms.ts'
import { setAutopay } from '../../modules/leases/autopay-mandate.ts'
import { detailsContext } from '../../modules/leases/lease.ts'
import { moveOutDayPassed } from '../../modules/leases/texts/portal.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { postCharge, postPayment } from '../../modules/standing/post-entries.ts'
import { reversePayment } from '../../modules/standing/reverse-payment.ts'
import { changeIdentity } from '../../modules/tenants/identity-data.ts'
import { refuse } from '../../platform/operations/outcome.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, tenant, today } from '../../tests/support/small-operator.ts'
import { Browser, createSignInToken, withReadCounter } from '../testing.ts'
import { historyCsv } from './load-payment-history.ts'

class Tenant extends Browser {
  units = (query = '') => this.get(`/my-units${query}`)
  unit = (query: string) => this.get(`/unit-lease-details${query}`)
  press = (form: Record<string, string>) => this.post('/unit-lease-details', { lease: '10001', ...form })
  history = (query = '') => this.get(`/recent-activity${query}`)
  leaving = (query = '?lease=10001') => this.get(`/schedule-move-out${query}`)
  leave = (form: Record<string, string>) =>
    this.post('/schedule-move-out', { lease: '10001', day: addDays(today, 1), ...form })
  terms = (query = '') => this.get(`/complete-lease${query}`)
  accept = (hash: string) => this.post('/complete-lease', { hash })
}

const folder = mkdtempSync(join(tmpdir(), 'units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = openerForTests()
let services: TestServices
let ada: Tenant
let cy: Tenant

beforeEach(async () => {
  services = await openTestServices(await open())
  services.files = folderFiles(join(folder, services.random.hex(6)))
  ada = new Tenant(services, { token: await createSignInToken(services, 'ada') })
  cy = new Tenant(services, { token: await createSignInToken(services, 'cy') })
})

const changeLease = (set: object, lease_number = 10001) => change(services, 'leases', { lease_number }, set)
const leaseNow = (number = 10001) => recordOf(services, 'leases', { lease_number: number })
const notes = async () => (await recordsOf(services, 'tenant_notes')).map((note) => note.note)
const card = {
  method: 'CC' as const,
  party: { alias: 'ALIAS0001' },
  label: 'VI **** 1111',
  consentText: 'I agree to autopay.',
  consentAt: Date.parse('2026-11-03T17:00:00Z'),
}
const charge = (entry: Parameters<typeof postCharge>[2]) =>
  services.db.transaction((tx) => postCharge(tx, services, entry))
const autopayOn = (number = 10001) =>
  services.db.transaction((tx) => setAutopay(tx, services, { location_code: 'GA1', lease_number: number }, card))

describe('/my-units', () => {
  it('shows each unit with its numbers and amount due and links to its page', async () => {
    expect((await ada.units()).data.units).toMatchObject([
      {
        unitNumber: '301',
        leaseNumber: 10001,
        status: 'Current',
        balance: 0,
        what: '10 × 10, Indoor',
        paidThrough: '11/30/2026',
        next: { on: '12/01/2026', cents: 151_37 },
        href: '/unit-lease-details?lease=10001&at=GA1%3A1001',
        moveOut: null,
        autopay: false,
      },
    ])
    expect((await cy.units()).data.units).toMatchObject([{ unitNumber: '302', balance: 151_37, status: 'Past Due' }])
  })

  it('deducts a credit from the next payment and postpones it where the credit covers a period', async () => {
    for (const [credit, on, cents] of [
      [-25_00, '12/01/2026', 126_37],
      [-126_37, '12/31/2026', 151_37],
      [-73_63, '12/31/2026', 77_74],
    ] as const) {
      await charge({
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'credit',
        cents: credit,
        description: 'Goodwill',
        once: `credit:${credit}`,
      })
      const [unit] = (await ada.units()).data.units
      expect(unit).toMatchObject({ next: { on, cents } })
    }
  })

  it('shows no unit once the tenant’s only lease has ended', async () => {
    await changeLease({ status: 'Closed' })
    expect((await ada.units()).data.units).toEqual([])
  })

  it('shows one facility of an account with two, and the other when selected', async () => {
    await addRecord(
      services,
      'tenants',
      tenant({
        tenant_id: 1001,
        first: 'Ada',
        last: 'Byrne',
        location_code: 'HI1',
        account_id: 'ada',
        grant_online_access: 1,
      }),
    )
    await addRecord(
      services,
      'leases',
      lease({ lease_number: 10001, tenant_id: 1001, unit_id: 1, unit_number: '0001', location_code: 'HI1' }),
    )
    const here = (await ada.units()).data
    expect(here.chrome.facilities).toHaveLength(2)
    expect(here.units).toMatchObject([{ unitNumber: '301' }])
    expect((await ada.units('?at=HI1:1001')).data.units).toMatchObject([{ unitNumber: '0001' }])
    // Both leases have the same number: the current facility's is shown unless a tenant is named.
    expect((await ada.unit('?lease=10001')).data.unit.unitNumber).toBe('0001')
    expect((await ada.unit('?lease=10001&at=GA1:1001')).data.unit.unitNumber).toBe('301')
    expect((await ada.unit('?lease=10001')).data.unit.unitNumber).toBe('301')
    await ada.press({ at: 'HI1:1001', intent: 'pay', autopay: '1' })
    expect(await loadCheckout(services, ada.ids.checkout)).toMatchObject({ locationCode: 'HI1', unitNumber: '0001' })
    // A payment returns with the lease number alone; the page then shows the facility it was for.
    expect((await ada.unit('?lease=10001')).to).toBe('/unit-lease-details?lease=10001&at=HI1%3A1001')
    expect((await ada.unit('?lease=10001&at=GA1:1002')).to).toBe('/my-units')
  })

  it('runs no more database queries for 41 units than for one, like the other pages, and sorts the units', async () => {
    await addRecord(
      services,
      'units',
      Array.from({ length: 40 }, (_, n) => ({
        location_code: 'GA1',
        unit_id: 100 + n,
        unit_number: `9${n}`,
        unit_type_id: 1,
        status: 'rented',
        held_by: null,
        held_until: null,
        floor_no: 1,
        left_coordinate: null,
        top_coordinate: null,
        length: 10,
        width: 10,
        rotate: 0,
      })),
    )
    const { counted, readStatements } = withReadCounter(services)
    const countedTenant = new Tenant(counted, ada.ids)
    const count = async () => {
      const counts: number[] = []
      for (const path of ['/my-units', '/unit-lease-details', '/recent-activity', '/schedule-move-out']) {
        const before = readStatements()
        expect((await countedTenant.get(`${path}?lease=10001`)).status).toBe(200)
        counts.push(readStatements() - before)
      }
      return counts
    }
    await count()
    const [lone = 0, ...pagesWithOneUnit] = await count()
    await addRecord(
      services,
      'leases',
      Array.from({ length: 40 }, (_, n) =>
        lease({ lease_number: 20_000 + n, tenant_id: 1001, unit_id: 100 + n, unit_number: `9${n}` }),
      ),
    )
    const [many = 0, ...pagesWithManyUnits] = await count()
    // A lone unit has its way drawn, which asks for its floor.
    expect(many).toBeLessThan(lone)
    expect(pagesWithManyUnits).toEqual(pagesWithOneUnit)
    await charge({
      locationCode: 'GA1',
      leaseNumber: 20_035,
      kind: 'fee',
      cents: 700,
      description: 'Fee',
      once: 'fee',
    })
    const numbers = (data: { units: { unitNumber: string }[] }) => data.units.map((unit) => unit.unitNumber)
    const { data } = await countedTenant.units()
    expect(data).toMatchObject({ count: 41, due: 700, page: 1, pages: 1, found: 41 })
    // Units with a balance come first, then the rest by number.
    expect(numbers(data).slice(0, 4)).toEqual(['935', '90', '91', '92'])
    expect(numbers(data)).toHaveLength(41)
    const list = async (query: string) => (await countedTenant.units(query)).data
    expect(numbers(await list('?sort=unit')).slice(0, 3)).toEqual(['90', '91', '92'])
    expect(numbers(await list('?sort=-unit')).slice(0, 3)).toEqual(['939', '938', '937'])
    expect(await list('?q=PAST due')).toMatchObject({ found: 1, units: [{ unitNumber: '935' }] })
    expect(numbers(await list('?q=93&sort=-unit'))).toHaveLength(11)
    expect(await list('?q=10 x 10')).toMatchObject({ found: 41 })
    expect(await list("?q=' or 1=1")).toMatchObject({ found: 0, count: 41, units: [] })
    expect((await countedTenant.units('?page=2')).to).toBe('/my-units')
    expect((await list('?page=-3')).page).toBe(1)
    const sorted = (await countedTenant.units('?q=93&sort=-unit')).html()
    expect(sorted).toMatch(/aria-sort="descending"><a href="\/my-units\?q=93&amp;sort=unit"[^>]*>Unit</)
    // The search keeps the sorting.
    expect(sorted).toContain('<input type="hidden" name="sort" value="-unit"/>')
  })
})

describe('/unit-lease-details', () => {
  it('runs one query more where the session has an order that does not exist', async () => {
    const { counted, readStatements } = withReadCounter(services)
    const countVisit = async (browser: Tenant) => {
      const before = readStatements()
      expect((await browser.unit('?lease=10001')).status).toBe(200)
      return readStatements() - before
    }
    await countVisit(new Tenant(counted, ada.ids))
    const withoutOrder = await countVisit(new Tenant(counted, ada.ids))
    expect(await countVisit(new Tenant(counted, { ...ada.ids, orderId: 'unknown-order' }))).toBe(withoutOrder + 1)
  })

  it('shows codes, status, balance, paid-through date and the price of the next periods', async () => {
    const { data } = await ada.unit('?lease=10001')
    expect(data.unit).toMatchObject({
      unitNumber: '301',
      leaseNumber: 10001,
      gateCode: '482917',
      comboCode: '4821',
      status: 'Current',
      balance: 0,
      paidThrough: '11/30/2026',
      overlocked: false,
    })
    expect(data.offer).toMatchObject({ pays: 'prepay', blocked: '', periods: 1, cardFee: 2_14, numericUnit: true })
    expect(data.offer.quotes[0]).toMatchObject({
      rent: 139_00,
      insurance: 0,
      discount: 0,
      tax: 12_37,
      total: 151_37,
    })
    expect(data.offer.quotes.map((quote: { total: number }) => quote.total)).toEqual(
      Array.from({ length: 12 }, (_, n) => 151_37 * (n + 1)),
    )
    expect(ada.ids.lease).toBe('GA1:1001:10001')
    expect((await cy.unit('?lease=10002')).data.unit.comboCode).toBeNull()
    expect((await ada.unit('')).data.unit.leaseNumber).toBe(10001)
    expect((await ada.unit('?lease=10001&periods=3&ask=1')).data).toMatchObject({
      ask: 'autopay',
      offer: { periods: 3 },
    })
    for (const periods of ['0', '13', '-1', 'x', '1e1']) {
      expect((await ada.unit(`?lease=10001&periods=${periods}`)).data.offer.periods).toBe(1)
    }
  })

  it('responds alike to another tenant’s, an ended or an unknown lease and explains an invalid number', async () => {
    await changeLease({ status: 'Closed' }, 10001)
    for (const number of ['10002', '10001', '99999']) {
      expect(await ada.unit(`?lease=${number}`)).toMatchObject({ status: 302, to: '/my-units' })
      expect(ada.alert).toBe('noLeaseFound')
      ada.alert = ''
      expect((await ada.press({ lease: number, intent: 'pay' })).to).toBe('/my-units')
      expect(ada.alert).toBe('noLeaseFound')
    }
    for (const number of ['abc', '10001;drop', '-1', '1e4', '1'.repeat(30)]) {
      expect((await ada.unit(`?lease=${encodeURIComponent(number)}`)).to).toBe('/my-units')
      expect(ada.alert).toBe('invalidLeaseNumber')
      ada.alert = ''
    }
    const fresh = new Tenant(services, { token: ada.ids.token ?? '' })
    expect((await fresh.unit('')).to).toBe('/my-units')
    expect(fresh.alert).toBe('')
    expect(ada.ids.checkout).toBeUndefined()
  })

  it.each([
    ['1', true],
    ['0', false],
  ])('Pay Now with the autopay answer %s goes to the payment methods with what was agreed', async (autopay, on) => {
    expect(await ada.press({ intent: 'pay', periods: '3', autopay })).toMatchObject({ to: '/online-payment-method' })
    expect(await loadCheckout(services, ada.ids.checkout)).toMatchObject({
      payer: 'tenant',
      locationCode: 'GA1',
      tenantId: 1001,
      leaseNumber: 10001,
      pays: 'prepay',
      periods: 3,
      autopay: on,
      price: { CC: { total: on ? 454_11 : 456_25 }, ACH: { total: 454_11 } },
    })
  })

  it('offers the amount due as dues and continues with them', async () => {
    const { data } = await cy.unit('?lease=10002')
    expect(data.offer).toMatchObject({ pays: 'dues', balance: 151_37, quotes: [] })
    expect(await cy.press({ lease: '10002', intent: 'pay', autopay: '0' })).toMatchObject({
      to: '/online-payment-method',
    })
    expect(await loadCheckout(services, cy.ids.checkout)).toMatchObject({
      pays: 'dues',
      price: { ACH: { total: 151_37 } },
    })
  })

  it('explains in the specified words that a unit in auction or over 70 days late cannot be paid', async () => {
    await changeLease({ auction_prepped: 1 }, 10002)
    const auction = 'Please contact customer service to make a payment - (404) 555-0199'
    expect((await cy.unit('?lease=10002')).data.offer.blocked).toBe(auction)
    expect(await cy.press({ lease: '10002', intent: 'pay' })).toMatchObject({ status: 409, data: { message: auction } })
    const other = (await cy.get('/change-size?lease=10002')).html()
    expect(other).toMatch(/prepared for auction\. Call us[^<]*<\/p><p>Nothing has changed\.<\/p>/)
    expect(other).toMatch(/<a href="tel:[^"]+"[^>]*>Call <span[^>]*>\(404\) 555-0199<\/span><\/a>/)
    await changeLease({ auction_prepped: 0, paid_through: addDays(today, -71) }, 10002)
    const late =
      'Your account is over 70 days delinquent, please call (404) 555-0199 and select option 3 to get more details on your account.'
    expect((await cy.unit('?lease=10002')).data.offer.blocked).toBe(late)
    expect(await cy.press({ lease: '10002', intent: 'pay' })).toMatchObject({ status: 409, data: { message: late } })
    expect(cy.ids.checkout).toBeUndefined()
    await changeLease({ paid_through: addDays(today, -70) }, 10002)
    expect((await cy.unit('?lease=10002')).data.offer.blocked).toBe('')
    expect((await cy.press({ lease: '10002', intent: 'pay' })).to).toBe('/online-payment-method')
  })

  it('shows autopay with its card and terms, without card fee, and turns it off', async () => {
    await autopayOn()
    const { data } = await ada.unit('?lease=10001')
    expect(data.autopay).toEqual({
      label: 'Visa ending 1111',
      next: 'on 12/01/2026',
      consent: 'I agree to autopay.',
      since: '11/03/2026, 12:00 PM',
    })
    expect(data.offer).toMatchObject({ asksAutopay: false, cardFee: null })
    expect(JSON.stringify(data)).not.toContain('ALIAS0001')
    expect((await ada.unit('?lease=10001&ask=autopay_off')).data.ask).toBe('autopay_off')
    expect(await ada.press({ intent: 'autopay_off' })).toMatchObject({
      to: '/unit-lease-details?lease=10001&at=GA1%3A1001',
    })
    expect(ada.alert).toBe('autopayIsOff')
    expect((await leaseNow()).autopay).toBe(0)
    expect((await ada.unit('?lease=10001')).data.autopay).toBeNull()
    await autopayOn(10002)
    expect((await ada.press({ lease: '10002', intent: 'autopay_off' })).to).toBe('/my-units')
    expect((await leaseNow(10002)).autopay).toBe(1)
  })

  it('shows the next attempt of a failed autopay and never a past date', async () => {
    await autopayOn()
    const next = async () => {
      const signedIn = new Tenant(services, { token: await createSignInToken(services, 'ada') })
      return (await signedIn.unit('?lease=10001')).data.autopay.next
    }
    const refusedOn = async (date: string) => {
      services.clock.set(Date.parse(`${date}T17:00:00Z`))
      await addRecord(services, 'payments', {
        order_id: `REFUSED${date}`,
        location_code: 'GA1',
        tenant_id: 1001,
        lease_number: 10001,
        payer: 'autopay',
        state: 'declined',
        amount: 151_37,
        autopay: 0,
        method: 'CC',
        plan: '',
        autopay_period: '2026-12-01',
        autopay_try: Number(date.slice(-2)),
        created_at: services.clock.now(),
        updated_at: services.clock.now(),
      })
    }
    services.clock.set(Date.parse('2026-12-01T17:00:00Z'))
    expect(await next()).toBe('today')
    await refusedOn('2026-12-01')
    expect(await next()).toBe('on 12/03/2026')
    await refusedOn('2026-12-03')
    expect(await next()).toBe('on 12/07/2026')
    await refusedOn('2026-12-07')
    expect(await next()).toBeNull()
  })

  it('says that the gate refuses the code while another unit with the code is locked', async () => {
    const note = async () => (await ada.unit('?lease=10001')).data.unit.gate.says
    expect(await note()).toBe('The gate takes this code in its hours.')
    const other = { tenant_id: 1001, gate_code: '482917', overlocked: 1 as const }
    await addRecord(services, 'leases', lease({ ...other, lease_number: 10003, unit_id: 1, unit_number: '101' }))
    expect(await note()).toBe('Not accepted while unit 101 is past due.')
    await addRecord(services, 'leases', lease({ ...other, lease_number: 10004, unit_id: 2, unit_number: '102' }))
    expect(await note()).toBe('Not accepted while units 101, 102 are past due.')
    await changeLease({ overlocked: 1 })
    expect(await note()).toBe('Not accepted while the unit is past due.')
    expect((await cy.unit('?lease=10002')).data.unit.gate.opens).toBeNull()
  })

  it('shows the same alert of a late unit on the page and on the card', async () => {
    const page = (await cy.unit('?lease=10002')).data.unit
    expect(page.alert).toMatchObject({ is: 'late', call: false, what: expect.stringContaining('$151.37 is due') })
    const [card] = (await cy.units()).data.units
    expect(card.alert).toEqual(page.alert)
    await changeLease({ overlocked: 1 }, 10002)
    expect((await cy.unit('?lease=10002')).data.unit).toMatchObject({
      alert: { is: 'locked' },
      overlocked: true,
      gate: { opens: false, says: 'Not accepted while the unit is past due.' },
    })
    expect((await ada.unit('?lease=10001')).data.unit.alert).toBeNull()
  })

  it('keeps accepted terms as a document of the lease for its tenant only', async () => {
    await changeLease({ terms_required: 1 })
    await ada.accept((await ada.terms()).data.hash)
    const { rows } = (await ada.unit('?lease=10001')).data
    const agreements = rows.filter(({ label }: { label: string }) => label.endsWith('(PDF)'))
    expect(agreements).toMatchObject([
      { href: expect.stringMatching(/^\/agreements\//), label: 'Updated agreement (PDF)', text: expect.any(String) },
    ])
    const { response } = await ada.get(agreements[0].href)
    expect(response?.headers.get('content-type')).toBe('application/pdf')
    expect((await cy.get(agreements[0].href)).status).toBe(404)
    await services.db.write.updateTable('lease_documents').set({ void: 1 }).execute()
    expect((await ada.get(agreements[0].href)).status).toBe(404)
    expect((await ada.get('/agreements/..%2Fx')).status).toBe(404)
  })

  it('refuses a form without a known intent and starts no payment', async () => {
    for (const form of [{}, { intent: '' }, { intent: 'prepay' }, { intent: 'PAY', autopay: '1' }])
      expect(await ada.press(form as Record<string, string>)).toMatchObject({
        status: 400,
        data: { message: 'We could not read this form. Please try again.' },
      })
    expect(ada.ids.checkout).toBeUndefined()
  })

  it('turns on autopay or changes its card without a payment, or with one where an amount is due', async () => {
    for (const on of [false, true]) {
      if (on) await autopayOn()
      expect(await ada.press({ intent: 'autopay_on' })).toMatchObject({ to: '/online-payment-method' })
      expect(await loadCheckout(services, ada.ids.checkout)).toMatchObject({
        leaseNumber: 10001,
        pays: 'autopay',
        autopay: true,
        price: { CC: { total: 0 }, ACH: { total: 0 } },
        autopayConsent:
          'I agree that what is due for unit 301 is charged automatically every 30 days, next $151.37 on Tuesday, 12/01/2026, until I turn autopay off in my account.',
      })
    }
    expect((await cy.press({ lease: '10002', intent: 'autopay_on' })).to).toBe('/online-payment-method')
    expect(await loadCheckout(services, cy.ids.checkout)).toMatchObject({
      leaseNumber: 10002,
      pays: 'dues',
      autopay: true,
      price: { ACH: { total: 151_37 } },
    })
    const before = ada.ids.checkout
    expect((await ada.press({ lease: '10002', intent: 'autopay_on' })).to).toBe('/my-units')
    expect(ada.ids.checkout).toBe(before)
  })

  it('marks a parking space’s number as not numeric and omits a card fee that the facility does not charge', async () => {
    await changeLease({ unit_number: 'P1', unit_type_id: 3 })
    await change(services, 'locations', { location_code: 'GA1' }, { cc_fee: 0 })
    expect((await ada.unit('?lease=10001')).data.offer).toMatchObject({ numericUnit: false, cardFee: null })
  })
})

describe('moving out', () => {
  it('warns that prepaid periods are not refunded automatically', async () => {
    expect((await ada.leaving()).data.paidAhead).toBeNull()
    const through = async (days: number) => {
      const paid_through = addDays(today, 1 + days)
      await changeLease({ paid_through })
      return (await ada.leaving()).data.paidAhead
    }
    expect(await through(29)).toBeNull()
    expect(await through(30)).toBe('12/21/2026')
  })

  it('is confirmed once, mailed once, shown with the unit and cancelled with autopay restored', async () => {
    await autopayOn()
    expect((await ada.leaving()).data).toMatchObject({
      unitNumber: '301',
      date: '11/21/2026',
      autopay: true,
      terms: {
        cleaningFeeUpTo: 500_00,
        towingFeeMinimum: 200_00,
        unpaidVehicleDays: 60,
        verifiedIn: '2-3 business days',
      },
    })
    expect(await ada.leave({ star_rating: '2', reasons: 'Rates', comment: 'Too dear.' })).toMatchObject({
      to: '/my-units',
    })
    expect(ada.alert).toBe('moveOutIsScheduled')
    expect(await leaseNow()).toMatchObject({ scheduled_move_out: '2026-11-21', autopay: 0 })
    expect(await notes()).toEqual([
      'Move-out scheduled online for 11/21/2026. 2 of 5 stars. Reasons: Rates. Comment: Too dear.',
    ])
    expect((await ada.leave({})).to).toBe('/unit-lease-details?lease=10001&at=GA1%3A1001')
    expect((await ada.leaving()).to).toBe('/unit-lease-details?lease=10001&at=GA1%3A1001')
    expect(await services.db.read.selectFrom('jobs').select('kind').execute()).toEqual([{ kind: 'move_out_scheduled' }])
    const { data } = await ada.unit('?lease=10001')
    expect(data).toMatchObject({ moveOut: { on: '11/21/2026', restorable: true }, offer: null })
    const home = await ada.units()
    expect(home.data.units).toMatchObject([{ moveOut: '11/21/2026', isChoosable: false }])
    expect(home.html()).toMatch(/Move Out Scheduled[\s\S]*Last day 11\/21\/2026/)
    const receipt = await ada.get('/move-out-receipt?lease=10001')
    expect(receipt.data).toMatchObject({
      unitNumber: '301',
      on: '11/21/2026',
      scheduledAt: '11/20/2026, 12:00 PM',
      balance: 0,
      autopayOff: true,
      done: false,
    })
    expect(await ada.press({ intent: 'cancel_move_out', restore_autopay: '1' })).toMatchObject({ to: '/my-units' })
    expect(ada.alert).toBe('moveOutIsCancelled')
    expect(await leaseNow()).toMatchObject({ scheduled_move_out: null, autopay: 1 })
    expect(await ada.press({ intent: 'cancel_move_out' })).toMatchObject({ to: '/my-units' })
    expect(ada.alert).toBe('moveOutCannotBeCancelled')
    expect((await ada.get('/move-out-receipt?lease=10001')).to).toBe('/my-units')
  })

  it('makes feedback optional and keeps invalid feedback in the form', async () => {
    const comment = 'x'.repeat(501)
    expect(await ada.leave({ star_rating: '4', comment })).toMatchObject({
      status: 400,
      data: { fields: { comment: 'Comment must be 500 characters or fewer' }, values: { star_rating: '4', comment } },
    })
    expect(await ada.leave({ star_rating: '6' })).toMatchObject({
      data: { fields: { star_rating: 'Choose from 1 to 5 stars' } },
    })
    expect(await ada.leave({ star_rating: '1', reasons: 'Because' })).toMatchObject({
      data: { fields: { reasons: 'Please choose from the reasons.' } },
    })
    expect((await leaseNow()).scheduled_move_out).toBeNull()
    expect((await ada.leave({ comment: '' })).to).toBe('/my-units')
    expect(await notes()).toEqual(['Move-out scheduled online for 11/21/2026.'])
  })

  it('reports a database failure and saves nothing', async () => {
    const reported: unknown[] = []
    const broken = Object.assign(Object.create(services), {
      errors: { report: (error: unknown) => reported.push(error) },
      db: Object.create(services.db, { transaction: { value: () => Promise.reject(new Error('the disk is full')) } }),
    })
    const page = new Tenant(broken, ada.ids)
    expect(await page.leave({ star_rating: '5', comment: 'Thanks' })).toMatchObject({
      status: 503,
      data: { fields: { form: 'Something went wrong. Failed to schedule move out.' }, values: { comment: 'Thanks' } },
    })
    expect(reported).toHaveLength(1)
    expect((await leaseNow()).scheduled_move_out).toBeNull()
  })

  it('requires the dues to be paid first', async () => {
    expect((await cy.leaving('?lease=10002')).to).toBe('/unit-lease-details?lease=10002&at=GA1%3A1002')
    expect(cy.alert).toBe('payBeforeMoveOut')
    expect((await cy.leave({ lease: '10002' })).to).toBe('/unit-lease-details?lease=10002&at=GA1%3A1002')
    expect((await leaseNow(10002)).scheduled_move_out).toBeNull()
    expect((await ada.leaving('?lease=10002')).to).toBe('/my-units')
  })

  it('counts tomorrow by the facility’s clock', async () => {
    services.clock.advance(Date.parse('2026-11-21T04:59:00Z') - services.clock.now())
    expect((await ada.leaving()).data.date).toBe('11/21/2026')
    services.clock.advance(60_000)
    expect((await ada.leaving()).data.date).toBe('11/22/2026')
  })

  it('schedules nothing when pressed after midnight on an older page, and shows the new date', async () => {
    services.clock.advance(Date.parse('2026-11-21T04:59:00Z') - services.clock.now())
    const { day } = (await ada.leaving()).data
    services.clock.advance(60_000)
    const late = await ada.leave({ day, star_rating: '5', comment: 'Thanks' })
    expect(late).toMatchObject({ status: 409, data: { values: { star_rating: '5', comment: 'Thanks' } } })
    expect(late.data.fields.form).toBe(moveOutDayPassed('11/22/2026'))
    expect((await leaseNow()).scheduled_move_out).toBeNull()
    // A form without a day is refused like one with a day that has passed.
    expect((await ada.leave({ day: '' })).status).toBe(409)
    expect((await ada.leave({ day: (await ada.leaving()).data.day })).to).toBe('/my-units')
    expect((await leaseNow()).scheduled_move_out).toBe('2026-11-22')
  })
})

describe('/recent-activity', () => {
  const pay = async (n: number, orderId = `ORDER${n}`) => {
    services.clock.advance(60_000)
    await services.db.transaction(async (tx) => {
      const leaseKey = { locationCode: 'GA1', leaseNumber: 10001 }
      await postCharge(tx, services, { ...leaseKey, kind: 'fee', cents: n * 100, description: 'Fee', once: `fee:${n}` })
      await postPayment(tx, services, { ...leaseKey, cents: n * 100, orderId, description: 'Payment by VI **** 1111' })
    })
  }

  it('shows the 12 newest entries with their orders, a returned payment as a negative one', async () => {
    expect((await ada.history()).data.payments).toEqual([])
    for (let n = 1; n <= 13; n += 1) await pay(n)
    services.clock.advance(60_000)
    await services.db.transaction((tx) =>
      reversePayment(tx, services, { orderId: 'ORDER13', code: 'R01', description: 'Returned by the bank' }),
    )
    const { payments } = (await ada.history()).data
    expect(payments).toHaveLength(12)
    expect(payments[0]).toMatchObject({
      amount: '-13.00',
      unitNumber: '301',
      description: 'Returned by the bank (R01)',
    })
    expect((await ada.history()).html().match(/>Returned</g)).toHaveLength(1)
    // The history describes the method in the receipt's words.
    expect(payments[1]).toMatchObject({ description: 'Payment by Visa ending 1111' })
    expect(payments[1]).toMatchObject({ amount: '13.00', orderId: 'ORDER13', dateTime: '11/20/2026 12:13 PM' })
    expect(payments.at(-1)).toMatchObject({ amount: '3.00' })
    expect((await cy.history()).data.payments).toEqual([])
  })

  it('exports a file in which no spreadsheet runs formulas', async () => {
    await pay(5)
    const { response } = await ada.get('/recent-activity.csv')
    expect(response?.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response?.headers.get('Content-Disposition')).toBe('attachment; filename="payments-ga1.csv"')
    expect(await response?.text()).toBe(
      'Date,Unit,Lease,Description,Amount,Order,What for\r\n11/20/2026 12:01 PM,301,10001,Payment by Visa ending 1111,5.00,ORDER5,\r\n',
    )
    const row = { dateTime: '', unitNumber: '@SUM(A1)', leaseNumber: 1, amount: '-5.00', orderId: '', whatFor: '' }
    expect(
      historyCsv([
        { ...row, inReview: false, isReturned: false, description: '=HYPERLINK("http://x","y"), then' },
      ]).split('\r\n')[1],
    ).toBe(`,'@SUM(A1),1,"'=HYPERLINK(""http://x"",""y""), then",-5.00,,`)
  })
})

describe('/complete-lease', () => {
  beforeEach(() => changeLease({ terms_required: 1 }))

  it('comes before other pages, shows the lease’s agreement and returns to the requested page', async () => {
    expect((await ada.unit('?lease=10001')).to).toBe('/complete-lease')
    expect(ada.ids.next).toBe('/unit-lease-details?lease=10001')
    expect((await ada.leave({})).to).toBe('/complete-lease')
    const { data } = await ada.terms()
    expect(data).toMatchObject({ leaseNumber: 10001, unitNumber: '301', effective: 'March 1, 2025' })
    const text = JSON.stringify(data.sections)
    for (const words of ['Ada Byrne', '301', '10001', 'March 1, 2025', '151.37']) expect(text).toContain(words)
    expect(text).not.toContain('482917')
    const { response } = await ada.get('/complete-lease/agreement')
    expect(response?.headers.get('Content-Type')).toBe('application/pdf')
    expect(
      Buffer.from(await response!.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')

    await ada.unit('?lease=10001')
    expect(await ada.accept(data.hash)).toMatchObject({ to: '/unit-lease-details?lease=10001' })
    expect(ada.ids.next).toBeUndefined()
    expect(await leaseNow()).toMatchObject({ terms_required: 0, terms_accepted_at: services.clock.now() })
    const [note] = await notes()
    expect(note).toContain('effective 3/1/2025 for unit 301')
    expect(note).toContain(data.hash)
    expect((await ada.terms()).to).toBe('/')
    expect((await ada.accept(data.hash)).to).toBe('/')
    expect((await ada.get('/complete-lease/agreement')).status).toBe(404)
    expect(await notes()).toHaveLength(1)
    expect((await cy.terms()).to).toBe('/')
  })

  it('accepts one agreement after the other, each only in the shown version', async () => {
    await addRecord(
      services,
      'leases',
      lease({
        lease_number: 10003,
        tenant_id: 1001,
        unit_id: 4,
        unit_number: '201',
        unit_type_id: 2,
        terms_required: 1,
      }),
    )
    const first = (await ada.terms()).data
    ada.ids = { ...ada.ids, next: '//evil.example' }
    expect((await ada.accept(first.hash)).to).toBe('/complete-lease')
    const second = (await ada.terms()).data
    expect(second.unitNumber).toBe('201')
    expect((await ada.accept(first.hash)).to).toBe('/complete-lease')
    expect(ada.alert).toBe('changedElsewhere')
    expect((await leaseNow(10003)).terms_required).toBe(1)
    expect((await ada.accept(second.hash)).to).toBe('/my-units')
  })

  it('says why an acceptance was refused', async () => {
    const { hash } = (await ada.terms()).data
    vi.spyOn(AcceptTerms, 'run').mockResolvedValueOnce(refuse(503, 'unavailable', 'Please try again later.'))
    const refused = await ada.accept(hash)
    expect(refused).toMatchObject({ status: 503, data: { fields: { form: 'Please try again later.' } } })
    expect((await ada.terms()).html(refused.data)).toContain('Please try again later.')
    expect((await ada.accept(hash)).to).toBe('/my-units')
  })

  it('states the goods and the military service stored with the lease, not those of the tenant’s record', async () => {
    const answers = {
      identity: { brief_description: 'A piano' },
      military: { active: true, details: null },
    }
    const sealed = services.sealer.seal(JSON.stringify(answers), detailsContext('GA1', 10001))
    const military = { military_branch: 'Navy', military_base: 'Mayport', commanding_officer: 'Cmdr. Ellen Strom' }
    await changeLease({ details: JSON.stringify({ military, sealed }) })
    await services.db.transaction((tx) =>
      changeIdentity(tx, services, 'GA1', 1001, { brief_description: 'Of another unit' }),
    )
    const text = JSON.stringify((await ada.terms()).data.sections)
    for (const words of ['A piano', 'Mayport', 'You are on active military duty']) expect(text).toContain(words)
    expect(text).not.toContain('Of another unit')
  })

  it('redirects to / with an error where the agreement cannot be shown', async () => {
    for (const [query, code] of [
      ['?lease=abc', 'invalidLeaseNumber'],
      ['?lease=10002', 'noLeaseFound'],
    ] as const) {
      expect((await ada.terms(query)).to).toBe('/')
      expect(ada.alert).toBe(code)
    }
    // The unit type was deleted, so no agreement can be built.
    await changeLease({ unit_type_id: 99 })
    expect((await ada.terms()).to).toBe('/')
    expect(ada.alert).toBe('noLeaseFound')
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { duesFirst, paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { openPayingServices, type PayingServices, payAtCounter } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { chooseUnits, severalUnits } from '../../modules/payments/texts/several-units.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease } from '../../tests/support/small-operator.ts'
import type { Browser } from '../testing.ts'
import { bankAccount, chooseCard, signInTenantBrowser } from './testing.ts'

const { till, folder } = sandboxForTests('several-units')

/**
 * Builds the form data that My Units sends to pay for several units.
 * @param more further fields, such as the pressed button's `pays`
 */
function boxes(leases: (number | string)[], more: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  for (const lease of leases) form.append('lease', String(lease))
  return form
}

describe('The pages of one payment for several units', () => {
  const open = openerForTests()
  let services: PayingServices
  let cy: Browser
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    await change(services, 'units', { location_code: 'GA1', unit_id: 3 }, { status: 'rented' })
    await addRecord(services, 'ledger_entries', {
      entry_id: 'e9',
      location_code: 'GA1',
      lease_number: 10003,
      kind: 'rent',
      cents: 80_00,
      description: 'Rent',
      once: 'period:9',
      order_id: null,
      period_start: null,
      period_end: null,
      posted_on: '2026-11-20',
      created_at: 0,
    })
    cy = await signInTenantBrowser(services, 'cy')
  })
  afterEach(() => services.db.close())

  const units = async () => (await cy.get('/my-units')).data
  const press = async (leases: (number | string)[], more: Record<string, string> = {}) =>
    cy.post(String((await units()).payAt), boxes(leases, more))
  const choose = async (...leases: (number | string)[]) => press(leases)
  async function atTheCard() {
    expect((await choose(10002, 10003)).to).toBe('/pay-for-units')
    expect((await chooseCard(cy, 'units')).to).toBe('/pay-for-units/card')
    return (await cy.get('/pay-for-units/card')).data.card as { orderId: string; payPageUrl: string; amount: number }
  }

  it('lead from selected units to a receipt with each unit, without scripts', async () => {
    const page = await cy.get('/my-units')
    const html = page.html()
    expect(html).toContain(severalUnits)
    expect(html.match(/type="checkbox"[^>]*name="lease"/g)).toHaveLength(2)
    expect(page.html({ fields: { lease: chooseUnits } })).toMatch(/href="#lease".*type="checkbox" id="lease"/s)
    const card = await atTheCard()
    await payAtHostedPage(card.payPageUrl, 'visa')
    const done = await cy.get(`/pay-for-units/completed?order=${card.orderId}`)
    expect(done.to).toBe(`/receipt/${card.orderId}`)
    const receipt = (await cy.get(`/receipt/${card.orderId}`)).html()
    for (const text of ['Unit 302', '$151.37', 'Unit 103', '$80.00', '302, 103']) expect(receipt).toContain(text)
    const unitsAfter = (await units()).units as { payable: boolean }[]
    expect(unitsAfter.map(({ payable }) => payable)).toEqual([false, false])
    expect((await recordOf(services, 'payments', { payer: 'units' })).state).toBe('posted')
    expect((await cy.get('/pay-for-units')).to).toBe(`/pay-for-units/completed?order=${card.orderId}`)
    const ada = await signInTenantBrowser(services, 'ada')
    await ada.get(`/receipt/${card.orderId}`)
    expect(ada.alert).toBe('paymentNotFound')
  })

  it('prepay chosen units, and keep a card for their autopay, with each unit’s periods and price', async () => {
    expect((await press([10002, 10003], { pays: 'prepay', periods: '2' })).data).toMatchObject({
      fields: { form: `Unit 302: ${duesFirst}` },
    })
    await payAtCounter(services, 10002, 151_37)
    await payAtCounter(services, 10003, 80_00, 'COUNTER0002')
    expect((await press([10002, 10003], { pays: 'prepay', periods: '2' })).to).toBe('/pay-for-units')
    const { summary } = (await cy.get('/pay-for-units')).data
    expect(summary.subtitle).toContain('Pays 2 periods of 30 days ahead for each unit.')
    expect(summary.lines.slice(0, 2)).toMatchObject([
      { label: 'Unit 302', explain: expect.stringContaining('Rent, 12/01/2026 to') },
      { label: 'Unit 103', explain: expect.stringMatching(/; .*[Tt]ax.*: \$/) },
    ])
    await chooseCard(cy, 'units')
    const { card } = (await cy.get('/pay-for-units/card')).data
    await payAtHostedPage(card.payPageUrl, 'visa')
    expect((await cy.get(`/pay-for-units/completed?order=${card.orderId}`)).to).toBe(`/receipt/${card.orderId}`)
    const receipt = (await cy.get(`/receipt/${card.orderId}`)).html()
    for (const text of ['Unit 302: Rent, 12/01/2026 to', 'Unit 103: Rent, ']) expect(receipt).toContain(text)
    expect((await cy.get('/recent-activity')).html()).toContain('2 periods ahead, 12/01/2026 to')
    await press([10002, 10003], { pays: 'autopay', periods: '1' })
    expect((await cy.get('/pay-for-units')).data).toMatchObject({
      keeps: true,
      consent: expect.stringContaining('unit 302, next $'),
    })
    await chooseCard(cy, 'units')
    const cardPage = (await cy.get('/pay-for-units/card')).data.card
    await payAtHostedPage(cardPage.payPageUrl, 'visa')
    expect((await cy.get(`/pay-for-units/completed?order=${cardPage.orderId}`)).to).toBe('/my-units')
    expect(cy.alert).toBe('autopayIsOn')
    for (const lease_number of [10002, 10003])
      expect((await recordOf(services, 'leases', { lease_number })).autopay).toBe(1)
  })

  it('pay the dues of the chosen units that owed when the page was shown', async () => {
    await payAtCounter(services, 10003, 80_00)
    const page = (await cy.get('/my-units')).html()
    expect(page.match(/name="due" value="\d+"/g)).toEqual(['name="due" value="10002"'])
    expect((await press([10002, 10003], { pays: 'dues', due: '10002' })).to).toBe('/pay-for-units')
    expect((await cy.get('/pay-for-units')).data.summary.lines[0]).toMatchObject({ label: 'Unit 302', cents: 151_37 })
  })

  it('offer the units as a file', async () => {
    const { response } = await cy.get('/my-units.csv')
    expect(response?.headers.get('Content-Disposition')).toBe('attachment; filename="units-ga1.csv"')
    const [head, first, ...more] = (await response?.text())?.trim().split('\r\n') ?? []
    expect(head).toContain('Unit,Lease,Size,Status,Autopay,Due now')
    expect(first).toMatch(/^103,10003,.*,80\.00,/)
    expect(first?.match(/\d+[-/]\d+[-/]\d+/g)).toEqual(['12/01/2026', '11/30/2026'])
    expect(more).toHaveLength(1)
  })

  it('take a bank account too', async () => {
    await choose(10002, 10003)
    const { checkout } = cy.ids
    const paid = await cy.post('/pay-for-units/bank', { ...bankAccount, checkout: checkout ?? '' })
    expect(paid.to).toMatch(/^\/pay-for-units\/completed/)
    const [order] = await recordsOf(services, 'payments', { payer: 'units' })
    expect(order).toMatchObject({ method: 'ACH', state: 'posted', amount: 231_37 })
    expect(JSON.parse(order?.authorisation ?? '{}').text).toContain('$231.37')
  })

  it('name missing fields and refuse units of other tenants or that cannot be paid', async () => {
    expect(await choose()).toMatchObject({ status: 400, data: { fields: { lease: chooseUnits } } })
    expect(await choose('10002', 'x')).toMatchObject({ status: 400 })
    expect((await choose(10001, 10002)).status).toBe(409)
    const { payAt } = await units()
    await payAtCounter(services, 10003, 80_00)
    const stale = await cy.post(String(payAt), boxes([10002, 10003]))
    expect(stale).toMatchObject({ status: 409, data: { fields: { form: `Unit 103: ${paymentAlreadyProcessed}` } } })
  })

  it('show what changed when a unit was paid for meanwhile, and pay the rest', async () => {
    await choose(10002, 10003)
    await payAtCounter(services, 10003, 80_00)
    expect((await chooseCard(cy, 'units')).to).toMatch(/^\/pay-for-units\/card\?agreed=/)
    const changedPage = await cy.get(`/pay-for-units/card?agreed=${cy.ids.checkout}`)
    expect(changedPage.data).toMatchObject({ card: null, changed: { changes: [{ label: 'Unit 103', now: null }] } })
    await cy.post('/pay-for-units/card', { checkout: cy.ids.checkout ?? '' })
    const { card } = (await cy.get('/pay-for-units/card')).data
    await payAtHostedPage(card.payPageUrl, 'visa')
    expect((await cy.get(`/pay-for-units/completed?order=${card.orderId}`)).to).toBe(`/receipt/${card.orderId}`)
    expect(await recordsOf(services, 'payment_shares', { order_id: card.orderId })).toMatchObject([
      { lease_number: 10002 },
    ])
  })

  it('explain a declined card and the refund of a late payment', async () => {
    const card = await atTheCard()
    await payAtHostedPage(card.payPageUrl, 'declined')
    expect((await cy.get(`/pay-for-units/completed?order=${card.orderId}`)).to).toBe('/pay-for-units/card?retry=true')
    const again = (await cy.get('/pay-for-units/card?retry=true')).data
    expect(again.failure).not.toBeNull()
    await payAtHostedPage(again.card.payPageUrl, 'visa')
    await payAtCounter(services, 10002, 151_37)
    const late = await cy.get(`/pay-for-units/completed?order=${again.card.orderId}`)
    expect(late.data).toMatchObject({ state: 'refund', refundNotice: { title: 'This payment could not be counted' } })
    // One of the two units is still due, so the page must not say that it is paid.
    expect(late.html()).toContain('One of the units had been paid for meanwhile')
    expect((await recordOf(services, 'leases', { lease_number: 10003 })).balance).toBe(80_00)
  })
})

import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { asAda, openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { contactFormValues, Renter } from './testing.ts'

const firstType = { location_code: 'GA1', unit_type_id: 1 }
const changed = 'The price has changed'

describeOnBothEngines('A price that changes while its page is open', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const rates = (internet_price: number) => change(services, 'unit_types', firstType, { internet_price })
  const rents = async () => (await recordsOf(services, 'reservations', { status: 'active' })).map(({ rent }) => rent)

  async function atDetails(browser = new Renter(services)) {
    await browser.startRental()
    await browser.post('/reservation-date', { move_in_date: '11/22/2026' })
    expect((await browser.post('/add-contact', contactFormValues)).to).toBe('/reservation-details')
    return browser
  }

  it('reserves nothing when the rent has changed since the summary, and asks with the new rent', async () => {
    const browser = await atDetails()
    const { data: summaryData } = await browser.get('/reservation-details')
    expect(JSON.stringify(summaryData.rows)).toContain('$139.00 per month')
    await rates(117_00)
    const refused = await browser.post('/reservation-details', { unit: summaryData.unit, quote: summaryData.quoteId })
    expect(refused).toMatchObject({
      status: 409,
      data: { changes: expect.arrayContaining([expect.objectContaining({ before: 139_00, now: 117_00 })]) },
    })
    expect(await rents()).toEqual([])
    const again = await browser.get('/reservation-details')
    const page = again.html(refused.data)
    expect(page).toContain(changed)
    expect(page).toContain('$117.00 instead of $139.00')
    expect(page).toContain('At move-\u2060in, 11/22/2026')
    const { unit, quoteId } = again.data
    expect((await browser.post('/reservation-details', { unit, quote: quoteId })).to).toBe('/reservation-confirmed')
    expect(await rents()).toEqual([117_00])
  })

  it('reserves a valid price however long the page was open', async () => {
    const browser = await atDetails()
    const { unit, quoteId } = (await browser.get('/reservation-details')).data
    services.clock.advance(3_600_000)
    expect((await browser.post('/reservation-details', { unit, quote: quoteId })).to).toBe('/reservation-confirmed')
    expect(await rents()).toEqual([139_00])
  })

  it('previews a price for days on which a move-in is offered, and none for others', async () => {
    const browser = new Renter(services)
    await browser.startRental()
    const preview = async (date: string) =>
      (await browser.get(`/price-beside/reservation-date?move_in_date=${date}`)).data.summary
    expect(await preview('11/22/2026')).toMatchObject({ totalLabel: 'At move-\u2060in, 11/22/2026' })
    expect(await preview('12/31/9999')).toBeNull()
  })

  it('asks again when the quote belongs to another rental', async () => {
    const other = (await (await atDetails()).get('/reservation-details')).data.quoteId
    const browser = await atDetails()
    expect((await browser.post('/reservation-details', { quote: other })).status).toBe(409)
    expect(await rents()).toEqual([])
  })

  it('asks again on the rent-now contact form, which holds the unit, and keeps the input', async () => {
    const browser = new Renter(services)
    await browser.startRental('?rentNow=1')
    const { data: formData } = await browser.get('/add-contact?rentNow=1')
    await rates(117_00)
    const form = { ...contactFormValues, unit: formData.unit, texts: '1' }
    const refused = await browser.post('/add-contact?rentNow=1', { ...form, quote: formData.quoteId })
    expect(refused).toMatchObject({ status: 409, data: { values: { last: contactFormValues.last } } })
    expect(await rents()).toEqual([])
    const again = await browser.get('/add-contact?rentNow=1')
    const page = again.html(refused.data)
    expect(page).toContain(changed)
    expect(page).toContain('Due today')
    expect(/<input[^>]*name="texts"[^>]*>/.exec(page)?.[0]).toContain('checked')
    expect((await browser.post('/add-contact?rentNow=1', { ...form, quote: again.data.quoteId })).to).toBe('/vehicle')
    expect(await rents()).toEqual([117_00])
  })

  it('keeps the agreed rent when a reservation is only edited', async () => {
    const browser = await atDetails()
    const first = (await browser.get('/reservation-details')).data
    await browser.post('/reservation-details', { quote: first.quoteId })
    await rates(117_00)
    await browser.post('/reservation-date', { move_in_date: '11/23/2026' })
    const { data: edited } = await browser.get('/reservation-details')
    expect(JSON.stringify(edited.rows)).toContain('$139.00 per month')
    expect((await browser.post('/reservation-details', { quote: edited.quoteId })).to).toBe('/reservation-confirmed')
    expect(await rents()).toEqual([139_00])
  })

  it('holds no transfer unit at a price other than the one shown', async () => {
    const browser = new Renter(services, {}, asAda)
    const path = '/change-size?lease=10001&unit_type_id=2&transfer_date=11/22/2026'
    const { data: quoteData } = await browser.get(path)
    const hidden = (pageData: { preview: { dueAtSigning: number; thenPerPeriod: number }; balance: number }) => ({
      intent: 'change',
      lease: '10001',
      at: quoteData.leaseReference.at,
      unit_type_id: '2',
      transfer_date: '11/22/2026',
      overlap_days: '2',
      balance: String(pageData.balance),
      due_at_signing: String(pageData.preview.dueAtSigning),
      then_per_period: String(pageData.preview.thenPerPeriod),
    })
    await change(services, 'unit_types', { location_code: 'GA1', unit_type_id: 2 }, { rent: 199_00 })
    const refused = await browser.post('/change-size', hidden(quoteData))
    expect(refused.status).toBe(409)
    expect(await recordsOf(services, 'transfers')).toEqual([])
    const again = await browser.get(path)
    expect(again.html(refused.data)).toContain(changed)
    expect((await browser.post('/change-size', hidden(again.data))).to).toBe('/vehicle')
    expect(await rents()).toEqual([199_00])
  })
})

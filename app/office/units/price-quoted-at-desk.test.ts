import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { change, recordsOf } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const desk = '/office/units/GA1/move-in'
const caller = { first: 'Rae', last: 'Ortiz', email: 'rae@example.com', cell_phone: '(404) 555-0147' }

describeOnBothEngines('The price at the desk', (open) => {
  let services: TestServices
  let agent: StaffBrowser
  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    agent = await signedInStaff(services, 'agent')
  })
  const rates = (internet_price: number) =>
    change(services, 'unit_types', { location_code: 'GA1', unit_type_id: 1 }, { internet_price })
  const rents = async () => (await recordsOf(services, 'reservations', { status: 'active' })).map(({ rent }) => rent)
  const hiddenOf = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((found) => found.slice(1)),
    )
  const open_ = async (unit: number) => {
    const page = await agent.get(`${desk}?unit=${unit}`)
    return { page, hidden: hiddenOf(page.html()) }
  }
  const hold = (hidden: Record<string, string>, more: Record<string, string> = {}) =>
    agent.post(`${desk}?unit=1`, { ...hidden, ...caller, move_in_date: '2026-11-22', intent: 'hold', ...more })

  it('is the price at which the unit is reserved', async () => {
    const { page, hidden } = await open_(1)
    const html = page.html()
    expect(html).toMatch(/101 · [^<]+Indoor · \$139\.00/)
    expect(html).toContain('$139.00</strong> for 30 days')
    expect(html).toContain('First Month Free')
    expect(html).not.toMatch(/101 [^<]+\$150\.00/)
    expect((await hold(hidden)).to).toBe('/office/units/GA1/1?done=held')
    expect(await rents()).toEqual([139_00])
  })

  it('is confirmed again with the input kept when rates have changed', async () => {
    const { hidden } = await open_(1)
    await rates(117_00)
    const refused = await hold(hidden)
    expect(refused).toMatchObject({ status: 409, data: { values: { email: caller.email } } })
    expect(await rents()).toEqual([])
    const again = await open_(1)
    const html = again.page.html(refused.data)
    expect(html).toContain('The price has changed since this page showed it')
    expect(html).toContain('Rent, every 30 days: $117.00 instead of $139.00')
    expect(html).toContain('$117.00</strong> for 30 days')
    expect(html).toContain(`value="${caller.email}"`)
    expect((await hold({ ...again.hidden, key: refused.data.key })).to).toBe('/office/units/GA1/1?done=held')
    expect(await rents()).toEqual([117_00])
  })

  it('remains valid however long the page is open, past midnight too', async () => {
    services.clock.set(Date.parse('2026-11-20T23:30:00-05:00'))
    agent = await signedInStaff(services, 'agent', { name: 'late agent' })
    const { hidden } = await open_(1)
    services.clock.advance(20 * 60_000)
    await agent.get('/office/units/GA1')
    services.clock.advance(20 * 60_000)
    expect((await hold(hidden)).to).toBe('/office/units/GA1/1?done=held')
  })

  it('is confirmed again for another type, and nothing is held without a price', async () => {
    const other = (await open_(4)).hidden.quote ?? ''
    const { hidden } = await open_(1)
    for (const quote of [other, 'x', '']) expect((await hold({ ...hidden, quote })).status).not.toBe(302)
    expect(await rents()).toEqual([])
  })

  it('omits plans where the facility offers none', async () => {
    const html = (await agent.get('/office/units/HI1/move-in?unit=1')).html()
    expect(html).not.toContain('Not offered')
  })
})

import { beforeEach, expect, it } from 'vitest'
import { SaveReservationDetails_WEB } from '../../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import {
  anotherUnitHeld,
  nothingReserved,
  unitsNotAvailable,
  unitTaken,
} from '../../modules/reservations/texts/reserve.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { contact, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { contactFormValues, Renter } from './testing.ts'

/**
 * Units of GA1 in these tests. Type 1: 101 (id 1), 102 (2) and 103 (3, not on the plan) are
 * free, 301 (6) and 302 (7) rented. 201 (4) is of type 2, P1 (5) of type 3.
 */
describeOnBothEngines('Picking a unit of one’s own', (open) => {
  let services: TestServices
  let browser: Renter
  beforeEach(async () => {
    services = await openTestServices(await open())
    browser = new Renter(services, {}, visitor())
  })
  const choose = (query = '') => new Renter(services).get(`/choose/GA1/1${query}`)
  const active = () => recordsOf(services, 'reservations', { status: 'active' })
  const unit = async (id: number) => (await recordsOf(services, 'units', { location_code: 'GA1', unit_id: id }))[0]

  async function toDetails(renter: Renter, email = contactFormValues.email ?? '') {
    await renter.post('/reservation-date', { move_in_date: '11/22/2026' })
    expect((await renter.post('/add-contact', { ...contactFormValues, email })).to).toBe('/reservation-details')
  }

  it('lists available units with their distance from the gate, chooses the nearest and links them on the plan', async () => {
    const page = await choose()
    // The unit nearest to the gate is chosen at first.
    expect(page.data).toMatchObject({
      free: 3,
      chosen: { number: '101' },
      nearestTo: 'gate',
      gone: '',
      floors: [{ current: true }],
    })
    expect(page.data.floorView.listed.map((unit: { number: string; far: string }) => [unit.number, unit.far])).toEqual([
      ['101', expect.stringMatching(/^\d+ ft from the gate$/)],
      ['102', expect.stringMatching(/^\d+ ft from the gate$/)],
      ['103', ''],
    ])
    const html = page.html()
    expect(html).toContain('href="/choose/GA1/1?unit=2#chosen"')
    // Free units are links on the plan too, rented ones are not.
    expect(html).toContain('<a class="free" href="/choose/GA1/1?unit=2#units" tabindex="-1">')
    expect(html).not.toContain('unit=6#')
    expect(html).toContain('We picked the one nearest to the gate')
    expect(html).toContain('href="/rent/GA1/1?rentNow=1&amp;unit=1"')
    const chosen = (await choose('?unit=2')).html()
    expect(chosen).not.toContain('We picked')
    expect(chosen).toContain('href="/rent/GA1/1?rentNow=1&amp;unit=2"')
    expect(chosen).toContain('href="/rent/GA1/1?unit=2"')
  })

  it('says “Walk in” for units on the gate’s floor, and leads down to a basement', async () => {
    await change(services, 'units', { unit_id: 2 }, { floor_no: -1 })
    const gate = await recordOf(services, 'map_fixtures', { location_code: 'GA1' })
    await addRecord(services, 'map_fixtures', { ...gate, fixture_id: 9, floor_no: -1, category_name: 'Stairs' })
    const ways = async (query: string) =>
      (await choose(query)).data.floorView.listed.map((unit: { number: string; way: string }) => [
        unit.number,
        unit.way,
      ])
    expect(await ways('?floor=1')).toContainEqual(['101', 'Walk in'])
    expect(await ways('?floor=-1')).toEqual([['102', 'Down by stairs']])
  })

  it('offers the nearest unit when the chosen one is taken, and reports an unknown unit', async () => {
    const taken = await choose('?unit=6')
    expect(taken.data).toMatchObject({ gone: unitTaken('301', '102'), chosen: { number: '102' } })
    expect(taken.html()).toContain(`${nothingReserved} <a href="#chosen">Take unit 102</a>`)
    for (const unit of ['4', '99', '0x1', '-1', '1e0', '', '1;drop table units', '9'.repeat(400)]) {
      const page = await choose(`?unit=${encodeURIComponent(unit)}`)
      expect([page.status, page.data.chosen.number, page.data.gone !== ''], unit).toEqual([200, '101', true])
      expect((await new Renter(services).startRental(`?unit=${encodeURIComponent(unit)}`)).to, unit).toBe(
        `/choose/GA1/1?unit=${encodeURIComponent(unit)}`,
      )
    }
    for (const at of ['GA1/99', 'HQ/1', 'NOPE/1', 'GA1/x'])
      await expect(new Renter(services).get(`/choose/${at}`), at).rejects.toMatchObject({ init: { status: 404 } })
    await change(services, 'units', { location_code: 'GA1', unit_type_id: 1 }, { status: 'off' })
    expect((await choose('?unit=2')).data).toMatchObject({ free: 0, chosen: null, gone: unitTaken('102', null) })
  })

  it('reserves the chosen unit and shows it on the following pages', async () => {
    expect((await browser.startRental('?unit=2')).to).toBe('/reservation-date')
    expect((await browser.get('/reservation-date')).data.chrome.summary.title).toBe('10 × 10, unit 102')
    await toDetails(browser)
    const summary = await browser.get('/reservation-details')
    expect(summary.data.rows[0]).toMatchObject({
      value: expect.stringMatching(/, unit 102$/),
      change: '/choose/GA1/1?unit=2',
    })
    // The visitor picks another unit, so the summary of the first one is refused.
    await browser.startRental('?unit=3')
    expect((await browser.get('/reservation-details')).data.rows[0].value).toMatch(/, unit 103$/)
    expect((await browser.post('/reservation-details', { unit: summary.data.unit })).to).toBe('/reservation-details')
    expect(browser.alert).toBe('changedElsewhere')
    expect((await browser.post('/reservation-details')).to).toBe('/reservation-confirmed')
    expect((await browser.get('/reservation-confirmed')).data.unit).toBe('103')
    // A held unit is not replaced by a new pick.
    expect((await browser.startRental('?unit=1')).to).toBe('/reservation-confirmed')
    expect(browser.alert).toBe('anotherUnitHeld')
    expect(anotherUnitHeld).toContain('cancel that reservation first')
    expect(await active()).toMatchObject([{ unit_number: '103' }])

    const other = new Renter(services, {}, visitor('203.0.113.8'))
    await other.startRental('?unit=1')
    await other.startRental()
    expect((await other.get('/reservation-date')).data.chrome.summary.title).toBe('10 × 10')
  })

  it('holds the chosen unit when it is rented now', async () => {
    expect((await browser.startRental('?rentNow=1&unit=2')).to).toBe('/add-contact?rentNow=1')
    expect((await browser.post('/add-contact?rentNow=1', contactFormValues)).to).toBe('/vehicle')
    expect(await unit(2)).toMatchObject({ status: 'held' })
  })

  it('gives the unit to one of two visitors and offers the other the next without losing input', async () => {
    const visitors = ['203.0.113.1', '203.0.113.2'].map((address) => new Renter(services, {}, visitor(address)))
    for (const [index, renter] of visitors.entries()) {
      await renter.startRental('?unit=2')
      await toDetails(renter, `visitor${index}@example.com`)
    }
    const answers = await Promise.all(visitors.map((visitor) => visitor.post('/reservation-details')))
    expect(answers.map((answer) => answer.to).sort()).toEqual(['/choose/GA1/1?unit=2', '/reservation-confirmed'])
    expect(await active()).toMatchObject([{ unit_number: '102' }])
    const second = visitors[answers.findIndex((answer) => answer.to !== '/reservation-confirmed')] as Renter
    expect((await second.get('/choose/GA1/1?unit=2')).data).toMatchObject({
      gone: unitTaken('102', '101'),
      chosen: { unitId: 1 },
    })
    expect((await second.startRental('?unit=1')).to).toBe('/reservation-date')
    expect((await second.get('/reservation-date')).data.chosen).toBe('2026-11-22')
    expect((await second.post('/reservation-details')).to).toBe('/reservation-confirmed')
    expect((await active()).map((reservation) => reservation.unit_number).sort()).toEqual(['101', '102'])
  })

  const form = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact }
  const save = async (input: object, from = visitor()) => {
    const outcome = await perform(services, SaveReservationDetails_WEB, { ...form, ...input }, from)
    return outcome.ok ? outcome.value : outcome
  }

  it('accepts the unit as a field of the operation, of that facility and type only', async () => {
    expect(await save({ unit_id: 3 })).toMatchObject({ ErrorMessage: '', unitNumber: '103' })
    expect(await save({ unit_id: 3 }, visitor('203.0.113.9'))).toMatchObject({
      ErrorMessage: unitTaken('103', '101'),
      NearestUnitId: 1,
      reservationCode: '',
    })
    for (const unit_id of [4, 8, 999, 0])
      expect(await save({ unit_id }), String(unit_id)).toMatchObject({
        status: 400,
        fields: { unit_id: expect.any(String) },
      })
    expect(await save({ unit_id: "1' or 1=1" })).toMatchObject({ status: 400 })
    // Holds of visitors without proof never take the last of several units, so the hold on unit 103 becomes a proven one.
    await change(services, 'reservations', { unit_number: '103' }, { unproven_from: null })
    // The unit is rented, then out of service, then the last one is rented too.
    expect(await save({ unit_id: 7 })).toMatchObject({ ErrorMessage: unitTaken('302', '102') })
    await change(services, 'units', { location_code: 'GA1', unit_id: 1 }, { status: 'off', held_by: 'office' })
    expect(await save({ unit_id: 1 })).toMatchObject({ ErrorMessage: unitTaken('101', '102'), NearestUnitId: 2 })
    await change(services, 'units', { location_code: 'GA1', unit_id: 2 }, { status: 'rented' })
    expect(await save({ unit_id: 1 })).toEqual(expect.objectContaining({ ErrorMessage: unitsNotAvailable }))
  })

  it('gives one unit to one of ten concurrent requests', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        save({ unit_id: 2, email: `r${index}@example.com` }, visitor(`203.0.113.${index}`)),
      ),
    )
    const numbers = outcomes.map((outcome) => ('unitNumber' in outcome ? outcome.unitNumber : outcome))
    expect(numbers.filter((number) => number === '102')).toHaveLength(1)
    expect(numbers.filter((number) => number === '')).toHaveLength(9)
    expect(await active()).toHaveLength(1)
  })
})

import { beforeEach, expect, it } from 'vitest'
import { addDays, formatUs } from '../../domain/plain-date.ts'
import { returnDayInPast } from '../../domain/texts/office-refusals.ts'
import { completeMoveOut } from '../../modules/move-outs/vacate.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const file = '/office/tenants/GA1/1001'
const lease = `${file}/leases/10001`

/** Pages where dates are typed, and the names of their date fields. */
const pages: [path: string, ...fields: string[]][] = [
  [`${lease}/move-out`, 'move_out_date'],
  [`${lease}/transfer`, 'transfer_date'],
  [`${lease}/rent`, 'wanted_from'],
  [`${file}/gate`, 'until'],
  ['/office/units/GA1/1', 'back_on'],
  ['/office/units/GA1/move-in?unit=1', 'move_in_date'],
  ['/office/units/GA1/appointment', 'day'],
  ['/office/rent-changes/new', 'wanted_from'],
  ['/office/audit', 'from', 'through'],
  ['/office/field/GA1/10002', 'back_on'],
]

const open = openerForTests()
let services: TestServices
let owner: StaffBrowser
beforeEach(async () => {
  services = Object.assign(await openTestServices(await open()), { allowsAnyFactor: true as const })
  // The move-out of lease 10002 leaves its unit to be looked at, a task whose page has a date field.
  const left = await recordOf(services, 'leases', { lease_number: 10002 })
  await services.db.transaction((tx) => completeMoveOut(tx, services, left, today))
  owner = await signedInStaff(services, 'owner')
})

it.each(pages)('%s has numeric text inputs for dates, empty or filled in as mm/dd/yyyy', async (path, ...fields) => {
  const page = await owner.get(path)
  expect(page.status, page.to).toBe(200)
  const inputs = page.html().match(/<input[^>]*>/g) ?? []
  expect(inputs.filter((input) => input.includes('type="date"'))).toEqual([])
  for (const field of fields) {
    const [input = ''] = inputs.filter((tag) => tag.includes(`name="${field}"`))
    expect(input, field).toMatch(/inputMode="numeric"/i)
    expect(input, field).toMatch(/value="(\d\d\/\d\d\/\d{4})?"|^(?!.* value=)/)
  }
})

it('proposes an appointment on a typed date and refuses an invalid one', async () => {
  const path = '/office/units/GA1/appointment'
  const form = { intent: 'propose', name: 'Ida Cole', email: 'ida@example.com', phone: '', time: '10:00' }
  for (const day of ['', 'soon', '02/30/2027', '11/19/2026'])
    expect(await owner.post(path, { ...form, key: day, day })).toMatchObject({
      status: 400,
      data: { fields: { day: expect.any(String) }, values: { day } },
    })
  expect(await owner.post(path, { ...form, key: 'k', day: '11/23/2026' })).toMatchObject({ status: 302 })
  expect(await recordOf(services, 'appointments', { email: 'ida@example.com' })).toMatchObject({
    starts_at: Date.parse('2026-11-23T15:00:00Z'),
  })
})

it('takes a unit out of service until a future date, and refuses past and invalid dates', async () => {
  const path = '/office/units/GA1/1'
  const form = { intent: 'off', reason: 'Door spring broken' }
  for (const day of [formatUs(addDays(today, -1)), '11/2026', '13/01/2026'])
    expect(await owner.post(path, { ...form, key: day, back_on: day })).toMatchObject({
      status: 400,
      data: { fields: { back_on: expect.any(String) } },
    })
  const past = await owner.post(path, { ...form, key: 'past', back_on: '11/19/2026' })
  expect(past.data.fields).toEqual({ back_on: returnDayInPast })
  expect(await owner.post(path, { ...form, key: 'k', back_on: '12/01/2026' })).toMatchObject({ status: 302 })
  expect(await recordOf(services, 'units', { location_code: 'GA1', unit_id: 1 })).toMatchObject({ status: 'off' })
})

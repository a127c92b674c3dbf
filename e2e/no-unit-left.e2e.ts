/** The last unit: another renter was quicker, and the page says so before any money moves (case 1). */
import { expect, test } from './fixtures.ts'
import {
  arrive,
  button,
  dialog,
  facilityOf,
  fillContact,
  locationPath,
  newRenter,
  unitTypeId,
  walk,
} from './journey.ts'
import { look } from './records.ts'

const formatted = (phone: string) => `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`

const gone = (code: string) =>
  `We're sorry, the last unit of that type has been rented. Please select another or call us at ${formatted(facilityOf(code).phone)} for assistance.`

test('another renter takes the last unit while we are filling in: reserving', async ({ page, site, playwright }) => {
  const code = 'CLT01'
  const type = unitTypeId(code, 'CC1015')
  await page.goto(`/rent/${code}/${type}`)
  await walk(page, '/reservation-details', { facility: code })

  const other = await playwright.request.newContext({ baseURL: site.url })
  const taken = await other.post('/api/ssm/SaveReservationDetails_WEB', { data: wish(code, type) })
  expect((await taken.json()).ErrorMessage).toBe('')

  await button(page, 'Confirm Reservation').click()
  const failed = dialog(page, 'Failed to save reservation')
  await expect(failed).toContainText(gone(code))
  await failed.getByRole('link', { name: 'OK' }).click()
  await arrive(page, locationPath(code))

  // Over the API a third renter gets the specified ErrorMessage.
  const third = await playwright.request.newContext({ baseURL: site.url })
  const refused = await third.post('/api/ssm/SaveReservationDetails_WEB', { data: wish(code, type) })
  expect((await refused.json()).ErrorMessage).toBe('Units Not Available')
  await other.dispose()
  await third.dispose()
})

test('another renter takes the last unit while we are filling in: rent now', async ({ page, site, playwright }) => {
  const code = 'SAV01'
  const type = unitTypeId(code, 'DU1030')
  const renter = newRenter()
  await page.goto(`/rent/${code}/${type}?rentNow=1`)
  await arrive(page, '/add-contact')
  await fillContact(page, renter)
  const other = await playwright.request.newContext({ baseURL: site.url })
  await other.post('/api/ssm/SaveReservationDetails_WEB', { data: wish(code, type) })
  await button(page, 'Rental Information').click()
  const failed = dialog(page, 'Failed to save reservation')
  await expect(failed).toContainText(gone(code))
  // Closed another way, what was typed is still there.
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(renter.email)
  await other.dispose()
  expect(
    await look(site, (db) => db.selectFrom('tenants').select('tenant_id').where('email', '=', renter.email).execute()),
  ).toEqual([])
})

test('a unit type that is sold out: Not available, and back to the facility', async ({ page }) => {
  const code = 'DEN01'
  await page.goto(`/rent/${code}/${unitTypeId(code, 'CC1030')}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not available')
  await expect(page.getByRole('main')).toContainText('No units available for this unit type. Please check again.')
  await page.getByRole('link', { name: 'See other units' }).click()
  await arrive(page, locationPath(code))
})

test('a unit type that there is not, at a facility that there is not', async ({ page }) => {
  for (const path of ['/rent/DEN01/99', '/rent/XX99/1', '/rent/HQ01/1', '/rent/DEN01/x']) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not available')
  }
})

test('case 1: 60 browsers go for the last unit at once: one has it, the others read the sentence', async ({
  site,
  playwright,
}) => {
  const code = 'PHX01'
  const type = unitTypeId(code, 'DU1025')
  const answers = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const visitor = await playwright.request.newContext({ baseURL: site.url })
      const answer = await visitor.post('/api/ssm/SaveReservationDetails_WEB', { data: wish(code, type) })
      const { ErrorMessage } = await answer.json()
      await visitor.dispose()
      return ErrorMessage as string
    }),
  )
  expect(answers.filter((said) => said === '')).toHaveLength(1)
  expect(answers.filter((said) => said === 'Units Not Available')).toHaveLength(59)
})

const wish = (code: string, type: number) => {
  const { first, last, email, phone, address, city, state, zip } = newRenter({ first: 'Quick', last: 'Other' })
  return {
    location_code: code,
    unit_type_id: type,
    rent_now: 1,
    first,
    last,
    email,
    cell_phone: phone,
    address,
    city,
    state,
    zip,
    company: '',
    active_military: '0',
    designated_agent: '0',
  }
}

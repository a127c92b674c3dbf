import { formatPhone } from '../domain/phone.ts'
import { expect, expectPageSound, test } from './fixtures.ts'
import { expectPaidOnce, waitForMail } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  button,
  dialog,
  dueToday,
  expectMovedIn,
  facilityOf,
  fillContact,
  locationPath,
  main,
  newRenter,
  payWithCard,
  rentPath,
  rentQuickly,
  rentUntil,
  textOf,
  unitTypeId,
  unitTypeName,
  waitForPath,
} from './renter-actions-and-locators.ts'

test('the price on the facility’s page stays the same in reservation, move-in, payment and mails', async ({
  page,
  site,
}) => {
  const code = 'DEN01'
  const renter = newRenter({ city: 'Denver', state: 'CO', zip: '80216', phone: '720-555-0155' })
  await page.goto('/')
  const search = main(page).getByRole('textbox', { name: 'City or ZIP code' }).first()
  await search.fill('Denver')
  await button(page, 'Search').first().click()
  await waitForPath(page, '/search')
  await page.getByRole('link', { name: facilityOf(code).name, exact: true }).click()
  await waitForPath(page, locationPath(code))

  const name = unitTypeName('CC1015').replace(/^(\d+ × \d+) /, '^$1 (feet, )?')
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(name) }) })
  const figure = (label: string) => textOf(card.locator('dl div', { hasText: label }).locator('.price'))
  const due = await figure('due today')
  const then = await figure('then')
  await card.getByRole('link', { name: /^Reserve/ }).click()

  // Before a choice, the price assumes the cheapest plan, autopay and no 24-hour access, which are chosen below.
  const expectSamePrice = async () => {
    expect(await dueToday(page), `due today on ${page.url()}`).toBe(due)
    await expect(page.locator('aside[aria-label="Price summary"]')).toContainText(`Then ${then} per month`)
  }
  await answerStepsUntil(page, '/reservation-confirmed', { facility: code, renter, inDays: 3, onPage: expectSamePrice })
  const codes = page.locator('p.figure')
  await expect(codes).toHaveCount(2)
  const [reservation = '', unit = ''] = await codes.allTextContents()
  const confirmation = await waitForMail(site, renter.email, /is reserved for you$/)
  for (const words of [reservation, due]) expect(confirmation).toContain(words)

  await answerStepsUntil(page, '/payment-method', { facility: code, renter, onPage: expectSamePrice })
  await expectSamePrice()
  await button(page, `Pay ${due} by card`).click()
  await payWithCard(page, 'visa')
  const done = await expectMovedIn(page)
  expect(done.unit).toBe(unit)
  await expect(page.locator('tfoot td')).toHaveText(due)
  const completed = await waitForMail(site, renter.email, /^You're moved in/)
  for (const words of [done.gateCode, due]) expect(completed).toContain(words)
  expect(await waitForMail(site, renter.email, /^Receipt /)).toContain(due)
  const { lease, cents } = await expectPaidOnce(site, renter.email)
  expect(cents).toBe(Math.round(Number(due.slice(1)) * 100))
  expect(lease).toMatchObject({ unit_number: unit, gate_code: done.gateCode.replace(' ', ''), autopay: 1 })
})

test('a search by state, location, last name and 4 digits finds the reservation or offers two ways on', async ({
  page,
}) => {
  await page.goto('/find-reservation')
  await page.getByRole('link', { name: /^Georgia/ }).click()
  await page.getByRole('link', { name: /^Latchkey Ralston Mill/ }).click()
  const name = page.getByLabel('Last name')
  const digits = page.getByLabel('Last 4 digits of your phone number')
  const search = button(page, 'Search')
  await expect(search).toBeDisabled()
  await expect(page.getByText('Enter your last name and the last 4 digits of your phone number.')).toBeVisible()
  await name.fill('Nobody')
  await expect(search).toBeDisabled()
  await digits.pressSequentially('00001')
  await expect(digits).toHaveValue('0000')
  await search.click()
  await waitForPath(page, '/reservation-not-found')
  await expect(main(page)).toContainText('A reservation ends with its move-in day.')
  await expect(page.getByRole('link', { name: 'Browse Availability' })).toBeVisible()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await name.fill('KESSLER')
  await digits.fill('0147')
  await name.press('Enter')
  await waitForPath(page, '/reservation-confirmed')
  await expect(main(page)).toContainText('d***@e***')
})

test('the mailed link continues in another browser and cancels without scripts', async ({
  page,
  site,
  elsewhere,
  plain,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'DEN01', 'CC1010', '/reservation-confirmed', { renter, reserve: true })
  const link = /https?:\/\/\S+\/reservation\/[0-9a-f-]{36}/.exec(
    await waitForMail(site, renter.email, /is reserved for you$/),
  )?.[0]
  // The page shows that it is loading, and continues by itself.
  await elsewhere.goto(link ?? '')
  await waitForPath(elsewhere, '/reservation-confirmed')
  await expect(main(elsewhere)).not.toContainText(renter.email)
  await plain.goto(`${link}/cancel?open=1`)
  await waitForPath(plain, '/cancel-reservation')
  await button(plain, 'Cancel reservation').click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Your reservation was cancelled')
  await waitForMail(site, renter.email, /^Your reservation was cancelled$/)
})

test('an existing tenant’s e-mail: No keeps the form; Yes with another name gives a lease in that name and reveals nothing', async ({
  page,
}) => {
  const renter = newRenter({ first: 'Somebody', last: 'Else', email: 'marcus.tilley@example.com', phone: '4045550177' })
  await page.goto(rentPath('ATL01', 'CC0510', true))
  await fillContact(page, renter)
  await button(page, 'Rental Information').click()
  const question = dialog(page, 'A tenant with this email address already exists.')
  await expectPageSound(page)
  await question.getByRole('button', { name: 'No' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveValue('Somebody')
  await button(page, 'Rental Information').click()
  await question.getByRole('button', { name: 'Yes' }).click()
  await waitForPath(page, '/vehicle')
  await answerStepsUntil(page, '/lease', { facility: 'ATL01' })
  const lease = page.getByRole('region', { name: 'Lease', exact: true })
  await expect(lease).toContainText('Somebody Else')
  await expect(lease).not.toContainText(/Tilley|Linden Shoals/)
})

test('a visitor learns before paying that another renter has taken the last unit', async ({ page, site }) => {
  const code = 'SAV01'
  const renter = newRenter()
  await page.goto(rentPath(code, 'DU1030', true))
  await fillContact(page, renter)
  const { phone, ...other } = newRenter({ first: 'Quick', last: 'Other' })
  const response = await fetch(`${site.url}/api/ssm/SaveReservationDetails_WEB`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      location_code: code,
      unit_type_id: unitTypeId(code, 'DU1030'),
      rent_now: 1,
      cell_phone: phone,
      ...other,
      company: '',
      active_military: '0',
      designated_agent: '0',
    }),
  })
  expect(await response.json()).toMatchObject({ ErrorMessage: '' })
  await button(page, 'Rental Information').click()
  const failed = dialog(page, 'Failed to save reservation')
  await expect(failed).toContainText(
    `We're sorry, the last unit of that type has been rented. Please select another or call us at ${formatPhone(facilityOf(code).phone)} for assistance.`,
  )
  // When the dialog is closed by Close instead of OK, the form keeps the typed values.
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(renter.email)
  await button(page, 'Rental Information').click()
  await failed.getByRole('link', { name: 'OK' }).click()
  await waitForPath(page, locationPath(code))
})

test('reloading, Back and a second tab lose nothing', async ({ page, context }) => {
  await rentUntil(page, 'JAX01', 'CC0510', '/insurance-schemes')
  await page.reload()
  await waitForPath(page, '/insurance-schemes')
  await page.goBack()
  await waitForPath(page, '/lien-holder')
  await expect(page.getByRole('radio', { name: /^No/ })).toBeChecked()
  const second = await context.newPage()
  await second.goto('/insurance-schemes')
  await answerStepsUntil(second, '/customer-info', { facility: 'JAX01' })
  // The first tab, which still shows an older page, comes to the same page as the second tab.
  await answerStepsUntil(page, '/customer-info', { facility: 'JAX01' })
})

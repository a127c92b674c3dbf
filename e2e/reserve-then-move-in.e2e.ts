/** The whole way of a visitor: from the home page over a reservation to the gate code, with one price on every page of it. */
import { expect, test } from './fixtures.ts'
import {
  arrive,
  button,
  cardFrame,
  day,
  dueToday,
  facilityOf,
  locationPath,
  movedIn,
  newRenter,
  payWithCard,
  textOf,
  unitTypeName,
  walk,
} from './journey.ts'
import { charged, leasesOf, ledgerOf, letter, look, mailTo, paymentsOf } from './records.ts'

test('home, search, location, reservation, move-in, card, gate code: one price all the way', async ({ page, site }) => {
  const code = 'DEN01'
  const type = 'CC1015'
  const renter = newRenter({ city: 'Denver', state: 'CO', zip: '80216', phone: '720-555-0155' })

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Storage Made Simple.')
  const search = page.getByRole('main').getByRole('textbox', { name: 'City or ZIP code' }).first()
  await expect(search).toHaveAttribute('placeholder', 'City, Zip Code...')
  await search.fill('Denver')
  await page.getByRole('main').getByRole('button', { name: 'Search' }).first().click()
  await arrive(page, '/search')
  await page.getByRole('link', { name: facilityOf(code).name }).click()
  await arrive(page, locationPath(code))

  const name = unitTypeName(type).replace(/^(\d+ × \d+) /, '^$1 (feet, )?')
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(name) }) })
  const figure = (label: string) => card.locator('dl div', { hasText: label }).locator('dd')
  const due = await textOf(figure('Due today'))
  const then = await textOf(figure('Then per month'))
  expect(due).toMatch(/^\$\d+\.\d\d$/)
  await card.getByRole('link', { name: /^Reserve/ }).click()

  // Before a coverage is chosen the price takes the cheapest plan, autopay and no 24-hour access; they are chosen below.
  const onEachPage = async () => {
    expect(await dueToday(page), `due today on ${page.url()}`).toBe(due)
    await expect(page.locator('aside[aria-label="Price summary"]')).toContainText(`Then ${then} per month`)
  }
  const wishes = { facility: code, renter, inDays: 3, at: onEachPage }
  await walk(page, '/reservation-details', wishes)
  await expect(page.getByRole('main')).toContainText(renter.email)
  await walk(page, '/reservation-confirmed', wishes)
  const unit = await textOf(page.locator('p.figure').nth(1))
  const reservationCode = await textOf(page.locator('p.figure').first())
  expect(reservationCode).toMatch(/^[2-9A-Z]{10}$/)

  const confirmation = await letter(site, renter.email, /is reserved for you$/)
  expect(confirmation.text).toContain(reservationCode)
  expect(confirmation.text).toMatch(/\/reservation\/[0-9a-f-]{36}/)
  expect(confirmation.text).toContain(due)

  await walk(page, '/payment-method', wishes)
  await onEachPage()
  await button(page, `Pay ${due} by card`).click()
  await arrive(page, '/process-payment')
  const frame = cardFrame(page)
  await expect(frame.getByRole('button', { name: `Pay ${due}` })).toBeVisible()
  await payWithCard(page, 'visa')

  const done = await movedIn(page)
  expect(done.unit).toBe(unit)
  expect(done.gateCode).toMatch(/^\d{6}$/)
  await expect(page.getByRole('main')).toContainText('Active now')
  await expect(page.locator('tfoot td')).toHaveText(due)
  await expect(page.getByRole('link', { name: 'Create My Online Account' })).toBeVisible()

  // What the renter is sent: each mail once, with the same figures.
  const completed = await letter(site, renter.email, /^You're moved in/)
  expect(completed.text).toContain(done.gateCode)
  expect(completed.text).toContain(due)
  expect(completed.attachments.map(({ content_type }) => content_type)).toEqual(['application/pdf'])
  const receipt = await letter(site, renter.email, /^Receipt /)
  expect(receipt.text).toContain(due)
  expect(await mailTo(site, renter.email)).toHaveLength(3)

  // What is in the books.
  const [payment, ...morePayments] = await paymentsOf(site, renter.email)
  const [lease, ...moreLeases] = await leasesOf(site, renter.email)
  expect(morePayments).toEqual([])
  expect(moreLeases).toEqual([])
  const cents = Math.round(Number(due.slice(1)) * 100)
  expect(payment).toMatchObject({ state: 'posted', amount: cents, approved_amount: cents })
  expect(await charged(site, payment?.order_id ?? '')).toEqual([cents])
  expect(lease).toMatchObject({ unit_number: unit, gate_code: done.gateCode, autopay: 1, status: 'Current' })
  const ledger = await ledgerOf(site, lease as NonNullable<typeof lease>)
  expect(ledger.reduce((sum, entry) => sum + entry.cents, 0)).toBe(0)
  const [prospect] = await look(site, (db) =>
    db.selectFrom('prospects').selectAll().where('res_code', '=', reservationCode).execute(),
  )
  expect(prospect).toMatchObject({ res_status: 'completed', location_code: code })

  // The signed copy can be fetched, and is a PDF.
  const signed = await page.request.get('/lease-document/signed')
  expect(signed.headers()['content-type']).toBe('application/pdf')
  expect((await signed.body()).subarray(0, 5).toString()).toBe('%PDF-')
})

test('the mailbox page shows what was sent', async ({ page, site }) => {
  const renter = newRenter()
  await page.goto('/rent/BHM01/4')
  await walk(page, '/reservation-confirmed', { facility: 'BHM01', renter })
  const { subject } = await letter(site, renter.email, /is reserved for you$/)
  await page.goto('/dev/mailbox')
  const row = page.getByRole('row', { name: renter.email })
  await row.getByRole('link', { name: subject }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(renter.email)
})

test('reserving for another day keeps the unit to the end of that day and starts the lease today', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await page.goto('/rent/JAX01/2')
  await arrive(page, '/reservation-date')
  await walk(page, '/reservation-confirmed', { facility: 'JAX01', renter, inDays: 13 })
  const rows = await look(site, (db) =>
    db
      .selectFrom('reservations')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'reservations.tenant_id')
          .onRef('tenants.location_code', '=', 'reservations.location_code'),
      )
      .select(['required_date', 'status'])
      .where('email', '=', renter.email)
      .execute(),
  )
  expect(rows).toHaveLength(1)
  const [month, date, year] = day('JAX01', 13).split('/')
  expect(rows[0]).toEqual({ required_date: `${year}-${month}-${date}`, status: 'active' })
})

test('the day before today and the day after the window are refused with the window', async ({ page }) => {
  await page.goto('/rent/CLT01/2')
  await arrive(page, '/reservation-date')
  const sentence = `Choose a date from ${day('CLT01', 0)} to ${day('CLT01', 6)}.`
  for (const days of [-1, 7]) {
    await page.getByLabel('Move-in date').fill(day('CLT01', days))
    await button(page, 'Next').click()
    await expect(page.getByRole('alert')).toContainText(sentence)
    await expect(page).toHaveTitle(/^Error: /)
    await expect(page).toHaveURL(/\/reservation-date$/)
  }
  await page.getByLabel('Move-in date').fill(day('CLT01', 6))
  await button(page, 'Next').click()
  await arrive(page, '/add-contact')
})

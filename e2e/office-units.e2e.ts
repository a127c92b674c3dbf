/** Doors and desk: a move-out verified on a phone in three taps, and a move-in for somebody on the phone up to the paid lease. */
import type { Locator } from '@playwright/test'
import { expect, lookAt, markLeft, shown, test } from './fixtures.ts'
import { arrive, button, heading, main, movedIn, newRenter, pathOf, payWithCard, walk } from './journey.ts'
import { signInToOffice } from './office.ts'
import { expectPaidOnce, letter, look } from './records.ts'

test('an empty unit is verified on a phone in three taps, and a lock is set in two', async ({
  browser,
  baseURL,
  site,
}) => {
  const phone = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.addInitScript(markLeft)
  const page = await phone.newPage()
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.tap()
  }
  await signInToOffice(page, 'field')
  await page.goto('/office/field')
  const doors = main(page).getByRole('link', { name: /(Look at|Set our|Take our)/ })
  const count = await doors.count()
  await lookAt(page)

  const first = doors.filter({ hasText: 'Look at the empty unit' }).first()
  const unit = (await first.locator('strong').textContent()) ?? ''
  await tap(first)
  await expect(heading(page)).toHaveText(`Unit ${unit}`)
  await lookAt(page)
  await tap(page.getByText('Empty and clean'))
  await tap(button(page, 'Done'))
  await expect(heading(page)).toHaveText(/^Field/)
  expect(taps).toBe(3)
  await expect(doors).toHaveCount(count - 1)
  const now = await look(site, (db) =>
    db
      .selectFrom('units')
      .select('status')
      .where('location_code', '=', 'ATL01')
      .where('unit_number', '=', unit)
      .executeTakeFirst(),
  )
  expect(now?.status).toBe('free')

  taps = 0
  await tap(doors.filter({ hasText: 'Set our lock' }).first())
  await tap(button(page, 'The lock is on'))
  await expect(heading(page)).toHaveText(/^Field/)
  expect(taps).toBe(2)
  await expect(doors).toHaveCount(count - 2)
  await phone.close()
})

test('a desk move-in holds the unit in five clicks; by the link the renter signs and pays', async ({
  page,
  elsewhere,
  site,
}) => {
  const renter = newRenter()
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
    await shown(page)
  }
  await signInToOffice(page, 'agent')
  await click(page.getByRole('link', { name: 'Units', exact: true }))
  await click(main(page).getByRole('link', { name: /^Free/ }))
  await lookAt(page)
  const unit = main(page).locator('tbody th a').first()
  const number = (await unit.textContent()) ?? ''
  await click(unit)
  await click(main(page).getByRole('link', { name: 'Desk move-in' }))
  await expect(main(page)).toContainText('to move in, then')
  await main(page).getByLabel('First name').fill(renter.first)
  await main(page).getByLabel('Last name').fill(renter.last)
  await main(page).getByLabel('E-mail').fill(renter.email)
  await main(page).getByLabel('Phone').fill(renter.phone)
  await lookAt(page)
  await click(button(page, 'Hold the unit and send the link'))
  await expect(main(page)).toContainText(`the link is on its way to ${renter.first} ${renter.last}`)
  expect(clicks).toBe(5)

  const mail = await letter(site, renter.email, /is reserved for you/)
  const link = /\/reservation\/[0-9a-f-]{36}(?=\s|$)/m.exec(mail)?.[0] ?? ''
  await elsewhere.goto(link)
  await elsewhere.waitForURL((url) => !url.pathname.startsWith('/reservation/'))
  await shown(elsewhere)
  if (pathOf(elsewhere) === '/reservation-confirmed') await button(elsewhere, 'Move-in Now').click()
  await arrive(elsewhere, '/add-contact')
  // The office knows name, e-mail and phone; the address is the renter's to give.
  await expect(main(elsewhere).getByLabel('First name', { exact: true })).toHaveCount(0)
  await main(elsewhere).getByLabel('Address', { exact: true }).fill(renter.address)
  await main(elsewhere).getByLabel('City', { exact: true }).fill(renter.city)
  await main(elsewhere).getByLabel('State', { exact: true }).selectOption(renter.state)
  await main(elsewhere).getByLabel('Zip code', { exact: true }).fill(renter.zip)
  await button(elsewhere, /^(Next|Submit Reservation|Rental Information)$/).click()
  await elsewhere.waitForURL((url) => url.pathname !== '/add-contact')
  await walk(elsewhere, '/process-payment', { renter })
  await payWithCard(elsewhere, 'visa')
  expect((await movedIn(elsewhere)).unit).toBe(number)
  expect((await expectPaidOnce(site, renter.email)).lease).toMatchObject({ unit_number: number })
  await page.reload()
  await expect(main(page)).toContainText('Rented')
})

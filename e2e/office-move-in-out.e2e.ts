/** Field and desk: a move-out verified and a lock set on a phone, and a caller's move-in and later request to move out. */
import { expect, expectPageSound, markLeft, test, waitForPageShown } from './fixtures.ts'
import { Presses, signInToOffice } from './office.ts'
import { expectPaidOnce, readRecords, waitForMail } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  button,
  expectMovedIn,
  heading,
  main,
  newRenter,
  pathOf,
  payWithCard,
  waitForPath,
} from './renter-actions-and-locators.ts'

test('staff verify an empty unit on a phone in three taps and set a lock in two', async ({
  browser,
  baseURL,
  site,
}) => {
  const phone = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.addInitScript(markLeft)
  const page = await phone.newPage()
  const taps = new Presses(page)
  await signInToOffice(page, 'field')
  await page.goto('/office/field')
  const doors = main(page).getByRole('link', { name: /(Look at|Set our|Take our)/ })
  const count = await doors.count()
  await expectPageSound(page)

  const first = doors.filter({ hasText: 'Look at the empty unit' }).first()
  const unit = (await first.locator('strong').textContent()) ?? ''
  await taps.tap(first)
  await expect(heading(page)).toHaveText(`Unit ${unit}`)
  await expectPageSound(page)
  await taps.tap(page.getByText('Empty and clean'))
  await taps.tap(button(page, 'Done'))
  await expect(heading(page)).toHaveText(/^Field/)
  taps.done('verify a move-out')
  await expect(doors).toHaveCount(count - 1)
  const unitRow = await readRecords(site, (db) =>
    db
      .selectFrom('units')
      .select('status')
      .where('location_code', '=', 'ATL01')
      .where('unit_number', '=', unit)
      .executeTakeFirst(),
  )
  expect(unitRow?.status).toBe('free')

  await taps.tap(doors.filter({ hasText: 'Set our lock' }).first())
  await taps.tap(button(page, 'The lock is on'))
  await expect(heading(page)).toHaveText(/^Field/)
  taps.done('set a lock')
  await expect(doors).toHaveCount(count - 2)
  await phone.close()
})

test('a desk move-in holds the unit, the renter signs and pays by the link, and staff schedule the move-out', async ({
  page,
  elsewhere,
  site,
}) => {
  const renter = newRenter()
  const presses = new Presses(page)
  await signInToOffice(page, 'agent')
  await presses.click(page.getByRole('link', { name: 'Units', exact: true }))
  await presses.click(main(page).getByRole('link', { name: 'Desk move-in' }))
  const units = main(page).getByLabel('Unit', { exact: true })
  await presses.choose(units, { index: 1 })
  await expect(main(page)).toContainText('to move in, then')
  const number = /^\S+/.exec((await units.locator('option:checked').textContent()) ?? '')?.[0] ?? ''
  await presses.fill(main(page).getByLabel('First name'), renter.first)
  await presses.fill(main(page).getByLabel('Last name'), renter.last)
  await presses.fill(main(page).getByLabel('E-mail'), renter.email)
  await presses.fill(main(page).getByLabel('Phone'), renter.phone)
  await expectPageSound(page)
  await presses.click(button(page, 'Hold the unit and send the link'))
  await expect(main(page)).toContainText(`the link is on its way to ${renter.first} ${renter.last}`)
  presses.done('hold a unit at the desk')

  const mail = await waitForMail(site, renter.email, /is reserved for you/)
  const link = /\/reservation\/[0-9a-f-]{36}(?=\s|$)/m.exec(mail)?.[0] ?? ''
  await elsewhere.goto(link)
  await expect.poll(() => pathOf(elsewhere)).not.toMatch(/^\/reservation\//)
  await waitForPageShown(elsewhere)
  if (pathOf(elsewhere) === '/reservation-confirmed') await button(elsewhere, 'Move-in Now').click()
  await waitForPath(elsewhere, '/add-contact')
  // The office entered name, e-mail and phone; the renter enters the address.
  await expect(main(elsewhere).getByLabel('First name', { exact: true })).toHaveCount(0)
  await main(elsewhere).getByLabel('Address', { exact: true }).fill(renter.address)
  await main(elsewhere).getByLabel('City', { exact: true }).fill(renter.city)
  await main(elsewhere).getByLabel('State', { exact: true }).selectOption(renter.state)
  await main(elsewhere).getByLabel('Zip code', { exact: true }).fill(renter.zip)
  await button(elsewhere, /^(Next|Submit Reservation|Rental Information)$/).click()
  await expect.poll(() => pathOf(elsewhere)).not.toBe('/add-contact')
  await answerStepsUntil(elsewhere, '/process-payment', { renter })
  await payWithCard(elsewhere, 'visa')
  expect((await expectMovedIn(elsewhere)).unit).toBe(number)
  expect((await expectPaidOnce(site, renter.email)).lease).toMatchObject({ unit_number: number })
  await page.reload()
  await expect(main(page)).toContainText('Rented')

  // The renter calls again to move out on the displayed day.
  await page.goto(`/office/find?q=${renter.email}`)
  await expect(heading(page)).toHaveText(`${renter.first} ${renter.last}`)
  await waitForPageShown(page)
  await presses.key('m')
  await expect(heading(page)).toHaveText(`Move-out of ${number}`)
  await waitForPageShown(page)
  await presses.fill(page.getByLabel('Why'), 'Called: needs it no longer')
  await presses.press('Enter')
  await expect(button(page, 'Cancel the move-out')).toBeVisible()
  presses.done('schedule a move-out')
})

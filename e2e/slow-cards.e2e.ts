import { expect, expectPageSound, test } from './fixtures.ts'
import { readRecords } from './read-and-change-site-database.ts'
import {
  button,
  expectMovedIn,
  heading,
  main,
  newRenter,
  payWithCard,
  rentQuickly,
  waitForPath,
} from './renter-actions-and-locators.ts'

test('reloading during a charge of half a minute shows the pending payment until the unit is rented', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter })
  await button(page, /^Pay \$/).click()
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().startsWith(site.sandboxUrl),
  )
  await payWithCard(page, 'slow')
  await sent
  const loadPayments = () => readRecords(site, (db) => db.selectFrom('payments').select('form_entered_at').execute())
  await expect.poll(async () => (await loadPayments()).some((payment) => payment.form_entered_at !== null)).toBe(true)
  await page.reload()
  await waitForPath(page, '/confirm-rental-payment')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await expect(page.locator('iframe')).toHaveCount(0)
  await expectPageSound(page)
  await expect(page).toHaveURL(/\/rental-completed$/, { timeout: 60_000 })
  await expectMovedIn(page)
})

test('the page continues without the frame when the connection is cut after the charge', async ({ page }) => {
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter: newRenter() })
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'late')
  await expect(page).toHaveURL(/\/rental-completed$/, { timeout: 40_000 })
  await expectMovedIn(page)
})

test('the form opens again and pays when the connection is cut before the charge', async ({ page }) => {
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter: newRenter() })
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'lost')
  await main(page).getByRole('link', { name: 'See what became of it' }).click()
  await waitForPath(page, '/confirm-rental-payment')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await button(page, 'Open the card form again').click()
  await payWithCard(page, 'visa')
  await expectMovedIn(page)
})

import { expect, expectAccessible, lookAt, test } from './fixtures.ts'
import { arrive, button, heading, main, movedIn, newRenter, payWithCard, rentQuickly } from './journey.ts'
import { look } from './records.ts'

test('reloaded while a card is charged for half a minute, the page checks the payment until the unit is rented', async ({
  page,
  site,
}) => {
  test.setTimeout(120_000)
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter })
  await button(page, /^Pay \$/).click()
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().startsWith(site.sandboxUrl))
  await payWithCard(page, 'slow')
  await sent
  const noted = () => look(site, (db) => db.selectFrom('payments').select('form_entered_at').execute())
  await expect.poll(async () => (await noted()).some((one) => one.form_entered_at !== null)).toBe(true)
  await page.reload()
  await arrive(page, '/confirm-rental-payment')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await expect(page.locator('iframe')).toHaveCount(0)
  await expectAccessible(page)
  await lookAt(page)
  await expect(page).toHaveURL(/\/rental-completed$/, { timeout: 60_000 })
  await movedIn(page)
})

test('a connection cut after the card was charged: the page goes on without the frame', async ({ page }) => {
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter: newRenter() })
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'late')
  await expect(page).toHaveURL(/\/rental-completed$/, { timeout: 40_000 })
  await movedIn(page)
})

test('a connection cut before the card was charged: the form is opened again and pays', async ({ page }) => {
  await rentQuickly(page, 'SAV01', 'CC1010', '/payment-method', { renter: newRenter() })
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'lost')
  await main(page).getByRole('link', { name: 'See what became of it' }).click()
  await arrive(page, '/confirm-rental-payment')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await button(page, 'Open the card form again').click()
  await payWithCard(page, 'visa')
  await movedIn(page)
})

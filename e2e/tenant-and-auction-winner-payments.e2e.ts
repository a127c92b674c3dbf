import { demoLinks } from '../demo/links-and-appointments.ts'
import { expect, expectAccessible, expectPageSound, test } from './fixtures.ts'
import { expectTabbedUncovered } from './inspect.ts'
import { change, loadPaymentsOf, readRecords, waitForMail } from './read-and-change-site-database.ts'
import {
  button,
  cancelCardPage,
  dialog,
  heading,
  main,
  payWithCard,
  textOf,
  waitForPath,
} from './renter-actions-and-locators.ts'
import { payUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

const retryNotice =
  'Unfortunately we have been unable to process your payment. You were not charged, and what is due has not changed.'

test('a tenant pays for three of forty units by keyboard alone, and gets one receipt', async ({
  page,
  context,
  site,
}) => {
  const leases = await readRecords(site, (db) =>
    db
      .selectFrom('leases')
      .select(['location_code', 'lease_number', 'unit_number'])
      .where('location_code', '=', 'DEN01')
      .where('tenant_id', 'in', (eb) =>
        eb.selectFrom('tenants').select('tenant_id').where('company', '=', 'Marlow Cabinet Works'),
      )
      .orderBy('lease_number')
      .limit(4)
      .execute(),
  )
  await change(site, (tx) =>
    tx
      .insertInto('ledger_entries')
      .values(
        leases.map(({ location_code, lease_number }, index) => ({
          entry_id: `several-${index}`,
          location_code,
          lease_number,
          kind: 'fee' as const,
          cents: 1000 * (index + 1),
          description: 'Lock cut',
          once: 'several',
          order_id: null,
          period_start: null,
          period_end: null,
          posted_on: '2026-01-02',
          created_at: 0,
        })),
      )
      .execute(),
  )
  await signInByToken(context, site, 'edith@marlow-cabinets.example')
  await page.goto('/my-units')
  await expect(button(page, 'Pay $100.00')).toBeVisible()
  await expectPageSound(page)
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(button(page, 'Pay $100.00')).toBeInViewport({ ratio: 1 })
  await expectTabbedUncovered(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  const last = page.getByRole('checkbox', { name: `Choose unit ${leases[3]?.unit_number}` })
  await last.focus()
  await page.keyboard.press('Space')
  await expect(button(page, 'Pay $60.00')).toBeVisible()
  await page.keyboard.press('Enter')
  await waitForPath(page, '/pay-for-units')
  await expectPageSound(page)
  await expect(main(page)).toContainText('$60.00')
  await button(page, /^(Pay \$|Continue)/).focus()
  await page.keyboard.press('Enter')
  await waitForPath(page, '/pay-for-units/card')
  await payWithCard(page, 'visa', '/pay-for-units/card')
  await expect(page).toHaveURL(/\/receipt\/[^/]+$/)
  await expect(heading(page)).toHaveText('We received $60.00')
  for (const { unit_number } of leases.slice(0, 3)) await expect(main(page)).toContainText(`Unit ${unit_number}`)
  await expectPageSound(page)
})

test('a tenant prepays three of forty units on a phone, with one payment', async ({ page, context, site }) => {
  await signInByToken(context, site, 'edith@marlow-cabinets.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my-units')
  const more = main(page).locator('summary', { hasText: 'More' })
  await more.click()
  // One of the two buttons shows once the page's scripts run.
  await button(page, /^Choose (all|none)$/).waitFor()
  const none = button(page, 'Choose none')
  if (await none.isVisible()) await none.click()
  await expect(main(page)).toContainText('No unit chosen')
  await more.click()
  const boxes = page.getByRole('checkbox', { name: /^Choose unit/ })
  const names: string[] = []
  for (const index of [10, 11, 12]) {
    await boxes.nth(index).check()
    names.push(((await boxes.nth(index).locator('xpath=..').textContent()) ?? '').replace('Choose unit ', 'Unit '))
  }
  await expect(main(page)).toContainText('3 units chosen')
  await expect(more).toBeInViewport({ ratio: 1 })
  await more.click()
  await expect(page.getByRole('link', { name: 'Download (CSV)' })).toBeInViewport({ ratio: 1 })
  await expectPageSound(page)
  await expectTabbedUncovered(page)
  await page.getByLabel('How far ahead').selectOption('2')
  await button(page, 'Prepay').click()
  await waitForPath(page, '/pay-for-units')
  await expectPageSound(page)
  await button(page, /^(Pay \$|Continue)/).click()
  await waitForPath(page, '/pay-for-units/card')
  await payWithCard(page, 'visa', '/pay-for-units/card')
  await expect(page).toHaveURL(/\/receipt\/[^/]+$/)
  for (const name of names) await expect(main(page)).toContainText(`${name}: Rent, `)
  await expectPageSound(page)
  const shares = await readRecords(site, (db) =>
    db
      .selectFrom('payment_shares')
      .select(['order_id', 'lease_number'])
      .where('order_id', '=', page.url().split('/').at(-1) ?? '')
      .execute(),
  )
  expect(new Set(shares.map((share) => share.lease_number)).size).toBe(3)
})

test('a tenant pays the dues once after two refusals and a cancellation; Back does not pay again', async ({
  page,
  context,
  site,
}) => {
  await signInByToken(context, site, 'owen.strand@example.com')
  await payUnit(page)
  await expectPageSound(page)
  const go = button(page, /^(Pay \$|Continue)/)
  await go.click()
  await waitForPath(page, '/online-payment')
  await expectPageSound(page)
  await payWithCard(page, 'declined', '/online-payment')
  await expect(page).toHaveURL(/\/online-payment\?retry=true$/)
  await expect(main(page)).toContainText('Unable to process the Payment: Declined by Issuer')
  await expect(page).toHaveTitle(/^Error: /)
  await payWithCard(page, 'expired', '/online-payment')
  await waitForPath(page, '/online-payment-method')
  const notice = dialog(page, 'Payment retry failed')
  await expect(notice).toContainText(retryNotice)
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Unable to process the Payment: Credit Card Expired')
  await go.click()
  await cancelCardPage(page, '/online-payment')
  await waitForPath(page, '/online-payment-method')
  await go.click()
  await payWithCard(page, 'visa', '/online-payment')
  await waitForPath(page, '/unit-lease-details')
  await expect(page.getByRole('heading', { name: 'Payment Successfully Completed!' })).toBeVisible()
  await expect(main(page)).toContainText(/You paid \$[\d.]+ with Visa ending 1111\./)
  await expectPageSound(page)
  await page.goBack()
  await page.goto('/online-payment')
  await waitForPath(page, '/unit-lease-details')
  const orders = (await loadPaymentsOf(site, 'owen.strand@example.com')).filter(({ state }) => state === 'posted')
  expect(orders).toHaveLength(1)
  await page.goto(`/receipt/${orders[0]?.order_id}`)
  await expect(heading(page)).toContainText('We received $')
  await expectPageSound(page)
})

test('an auction winner reads the rules, pays and gets the codes', async ({ page, site }) => {
  await page.goto(demoLinks.auction.path)
  await expect(main(page)).toContainText('72 hours')
  await expectPageSound(page)
  await page.context().setOffline(true)
  await button(page, 'I Understand').click()
  await expect(page.getByRole('alert')).toContainText('We could not reach our server.')
  await expectPageSound(page)
  await page.context().setOffline(false)
  await button(page, 'I Understand').click()
  await waitForPath(page, `/auction-winner-payment-method/${demoLinks.auction.uuid}`)
  await expectPageSound(page)
  await page.getByRole('link', { name: /^Pay \$/ }).click()
  await payWithCard(page, 'visa', '/auction-winner-process-payment')
  await waitForPath(page, '/auction-winner-payment-completed')
  const figure = main(page).locator('.figure').first()
  await expect(figure).toHaveText(/^\d{3} \d{3}$/)
  const code = await textOf(figure)
  await expectPageSound(page)
  expect(await waitForMail(site, 'otis.brandt@example.com', /^Payment received: unit 406/)).toContain(code)
})

test('a past-due tenant settles by link, and the page waits for the result when the provider sends garbage', async ({
  page,
}) => {
  await page.goto(`/p/${demoLinks.settlement.uuid}`)
  await expect(main(page)).toContainText('Silas Boone')
  await expectPageSound(page)
  await page.getByRole('link', { name: /^Pay \$/ }).click()
  await payWithCard(page, 'garbled', '/past-due-payment-process')
  await waitForPath(page, '/past-due-payment-accept')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await expect(page).toHaveURL(/\/past-due-payment-completed$/, { timeout: 45_000 })
  await expect(page.getByRole('heading', { name: 'Payment Confirmation' })).toBeVisible()
  await expectPageSound(page)
})

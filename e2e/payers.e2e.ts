/** Tenants, guests, auction winners and past-due tenants pay by card: refused, expired, cancelled, and at last paid. */
import { createHash, randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { demoLinks } from '../demo/links.ts'
import { type TestCardName, testCard } from '../sandbox/cards.ts'
import { expect, expectAccessible, type RunningSite, test } from './fixtures.ts'
import { arrive, button, cardFrame, dialog, pathOf } from './journey.ts'
import { change, letter, look } from './records.ts'
import { enter, lookAt, main } from './tenants.ts'

test.use({ business: 'payers' })

const retryNotice =
  'Unfortunately we have been unable to process your payment. You were not charged, and what is due has not changed.'
const bearer = (context: BrowserContext, token: string) =>
  context.setExtraHTTPHeaders({ Authorization: `Bearer ${token}` })

/** A guest's token, as the look-up by e-mail gives it. */
async function asGuest(context: BrowserContext, site: RunningSite, first: string, location: string): Promise<void> {
  const token = randomBytes(32).toString('hex')
  await change(site, async (db) => {
    const { tenant_id } = await db
      .selectFrom('tenants')
      .select('tenant_id')
      .where('location_code', '=', location)
      .where('first', '=', first)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('sign_ins')
      .values({
        token_hash: createHash('sha256').update(token).digest('hex'),
        kind: 'guest',
        account_id: null,
        location_code: location,
        tenant_id,
        agent: 'test',
        address: '127.0.0.1',
        created_at: Date.now(),
        expires_at: Date.now() + 3_600_000,
        ended_at: null,
      })
      .execute()
  })
  await bearer(context, token)
}

/** Fills in the card page in the frame of this page and sends it. */
async function pay(page: Page, path: string, card: TestCardName): Promise<void> {
  await arrive(page, path)
  const frame = cardFrame(page)
  await frame.getByLabel('Card number').fill(testCard(card).number)
  await frame.getByLabel('Expiry date').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('Name on card').fill('Vic Tester')
  await frame.getByLabel('Billing ZIP code').fill('30308')
  // By key: a click into another site's frame that still scrolls may land beside the button on a busy machine.
  await frame.getByRole('button', { name: /^Pay/ }).press('Enter')
}

/** Declined and told why, then expired: the retry notice on the method page; then a refusal in the provider's own words. */
async function failThrice(page: Page, process: string, method: string): Promise<void> {
  await pay(page, process, 'declined')
  await page.waitForURL(`**${process}?retry=true`)
  await expect(main(page)).toContainText('Unable to process the Payment: Declined by Issuer')
  await expect(page).toHaveTitle(/^Error: /)
  await lookAt(page)
  await pay(page, process, 'expired')
  await arrive(page, method)
  const notice = dialog(page, 'Payment retry failed')
  await expect(notice).toContainText(retryNotice)
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Unable to process the Payment: Credit Card Expired')
  await main(page)
    .getByRole('button', { name: /^(Pay \$|Continue)/ })
    .or(main(page).getByRole('link', { name: /^Pay \$/ }))
    .click()
  await pay(page, process, 'callIssuer')
  await arrive(page, method)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Unable to process the Payment: The card issuer wants a call')
}

/** Of the lease's orders one was posted, and its whole amount. */
async function paidOnce(site: RunningSite, payer: 'tenant' | 'guest' | 'auction' | 'settlement'): Promise<void> {
  const rows = await look(site, (db) =>
    db.selectFrom('payments').select(['state', 'amount', 'approved_amount']).where('payer', '=', payer).execute(),
  )
  const posted = rows.filter(({ state }) => state === 'posted')
  expect(posted).toHaveLength(1)
  expect(posted[0]?.approved_amount).toBe(posted[0]?.amount)
}

test('a tenant pays the dues: refused three times, cancelled, then paid once; Back does not pay again', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/online-payment-method')
  expect(pathOf(page)).toBe('/login')
  await enter(context, site, 'owen.strand@example.com')
  await page.goto('/online-payment-method')
  await arrive(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Invalid lease session...')
  await page.goto('/my-units')
  await page.getByRole('link', { name: /^Pay For Unit/ }).click()
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await arrive(page, '/online-payment-method')
  await lookAt(page)
  // The card page is not opened before it was asked for.
  await page.goto('/online-payment')
  await arrive(page, '/online-payment-method')
  const go = button(page, /^(Pay \$|Continue)/)
  await go.click()
  await arrive(page, '/online-payment')
  await lookAt(page)
  await failThrice(page, '/online-payment', '/online-payment-method')
  await go.click()
  await arrive(page, '/online-payment')
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
  await arrive(page, '/online-payment-method')
  await go.click()
  await arrive(page, '/online-payment')
  await page.getByRole('link', { name: 'Close without paying' }).click()
  await arrive(page, '/my-units')
  await page.goto('/online-payment')
  await pay(page, '/online-payment', 'visa')
  await arrive(page, '/unit-lease-details')
  expect(new URL(page.url()).hash).toBe('#paid')
  await expect(page.getByRole('heading', { name: 'Payment Successfully Completed!' })).toBeVisible()
  await expect(main(page)).toContainText(/You paid \$[\d.]+ with Visa ending 1111\./)
  await expect(main(page)).toContainText('also goes to owen.strand@example.com')
  await lookAt(page)
  for (const path of ['/online-payment', '/online-payment-method', '/checkout-completed']) {
    await page.goto(path)
    await arrive(page, '/unit-lease-details')
  }
  await paidOnce(site, 'tenant')
  const receipt = await letter(site, 'owen.strand@example.com', /^Receipt /)
  expect(receipt.text).toMatch(/Rent, [\d/]+ to [\d/]+: \$[\d.]+\n.*Tenant Protection.*\nTax: /)
  const [order] = await look(site, (db) =>
    db.selectFrom('payments').select('order_id').where('payer', '=', 'tenant').where('state', '=', 'posted').execute(),
  )
  await page.goto(`/receipt/${order?.order_id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('We received $')
  await lookAt(page)
  // Another tenant does not see it.
  await enter(context, site, 'marcus.tilley@example.com')
  await page.goto(`/receipt/${order?.order_id}`)
  await expect(page.getByRole('dialog')).toContainText('Payment not found')
  await page.goto(`/checkout-completed?order=${order?.order_id}`)
  await expect(page.getByRole('dialog')).toContainText('Invalid payment session. Please restart the payment process.')
})

test('a guest pays the dues and sees the amount; nothing of the person is on any page', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/guest/payment-completed')
  expect(pathOf(page)).toBe('/guest/find-email')
  await asGuest(context, site, 'Gus', 'TPA01')
  await page.goto('/guest/find-units')
  await page
    .getByRole('link', { name: /^Select/ })
    .or(page.getByRole('button', { name: /^Select/ }))
    .first()
    .click()
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await arrive(page, '/guest/select-method')
  await lookAt(page)
  const go = button(page, /^(Pay \$|Continue)/)
  await go.click()
  await arrive(page, '/guest/process-payment')
  await expect(cardFrame(page).getByLabel('Name on card')).toHaveValue('')
  await lookAt(page)
  await failThrice(page, '/guest/process-payment', '/guest/select-method')
  await go.click()
  await arrive(page, '/guest/process-payment')
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
  await arrive(page, '/guest/select-method')
  await go.click()
  await pay(page, '/guest/process-payment', 'mastercard')
  await arrive(page, '/guest/payment-completed')
  await expect(main(page)).toContainText('We processed $')
  await expect(main(page)).not.toContainText('Delacroix')
  await lookAt(page)
  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.waitForURL('**/receipt/*')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('We received $')
  await expect(main(page)).not.toContainText('Delacroix')
  await main(page).getByRole('link', { name: 'Back' }).click()
  await arrive(page, '/guest/payment-completed')
  await page.getByRole('link', { name: 'Return to My Units' }).click()
  await arrive(page, '/guest/find-units')
  await paidOnce(site, 'guest')
  await letter(site, 'gus.delacroix@example.com', /^Receipt /)
})

test('an auction winner reads the rules, pays and gets the codes', async ({ page, site }) => {
  for (const path of [
    '/auction-winner',
    '/auction-winner?uuid=x',
    '/auction-winner/3d0a9d3c-52c5-4f9e-8a36-0d1c8a5b6f01',
    '/auction-winner-process-payment',
  ]) {
    await page.goto(path)
    expect(pathOf(page)).toBe('/')
    await expect(page.getByRole('dialog')).toContainText('Invalid URL. Please check with customer support.')
  }
  await page.goto(`/auction-winner?uuid=${demoLinks.auction.uuid}`)
  await arrive(page, demoLinks.auction.path)
  for (const rule of ['72 hours', '$125.00', 'No deposit', '5:00 AM to 9:00 PM']) {
    await expect(main(page)).toContainText(rule)
  }
  await lookAt(page)
  await page.getByRole('button', { name: 'I Understand' }).click()
  const method = `/auction-winner-payment-method/${demoLinks.auction.uuid}`
  await arrive(page, method)
  await lookAt(page)
  const go = page.getByRole('link', { name: /^Pay \$/ })
  await go.click()
  await failThrice(page, '/auction-winner-process-payment', method)
  await go.click()
  await arrive(page, '/auction-winner-process-payment')
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
  await arrive(page, method)
  await go.click()
  await pay(page, '/auction-winner-process-payment', 'visa')
  await arrive(page, '/auction-winner-payment-completed')
  await expect(page.getByRole('heading', { name: 'Gate Code' })).toBeVisible()
  await expect(main(page)).toContainText('7390')
  const code = await main(page).locator('.figure').first().textContent()
  expect(code).toMatch(/^\d{6}$/)
  await lookAt(page)
  const mail = await letter(site, 'otis.brandt@example.com', /^Payment received: unit 406/)
  expect(mail.text).toContain(code)
  for (const path of [
    demoLinks.auction.path,
    method,
    '/auction-winner-process-payment',
    '/auction-winner-accept-payment',
  ]) {
    await page.goto(path)
    await arrive(page, '/auction-winner-payment-completed')
  }
  await paidOnce(site, 'auction')
})

test('a past-due tenant settles by link', async ({ page, site }) => {
  await page.goto('/past-due-payment')
  await expect(page.getByRole('dialog')).toContainText('Payment not found')
  await page.goto('/past-due-payment-process')
  await expect(page.getByRole('dialog')).toContainText('Settlement payment session not found')
  await page.goto(`/p/${demoLinks.settlement.uuid}`)
  for (const words of ['Unit', 'Silas Boone', 'Latchkey Ralston Mill', '$150.00']) {
    await expect(main(page)).toContainText(words)
  }
  await lookAt(page)
  const go = page.getByRole('link', { name: /^Pay \$/ })
  await go.click()
  await failThrice(page, '/past-due-payment-process', demoLinks.settlement.path)
  await go.click()
  await arrive(page, '/past-due-payment-process')
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
  await arrive(page, demoLinks.settlement.path)
  await go.click()
  // The provider answers garbage first: checking, safe to close, then done by itself.
  await pay(page, '/past-due-payment-process', 'garbled')
  await arrive(page, '/past-due-payment-accept')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment')
  await page.waitForURL('**/past-due-payment-completed', { timeout: 25_000 })
  await expect(page.getByRole('heading', { name: 'Payment Confirmation' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Access Instruction' })).toBeVisible()
  await lookAt(page)
  await paidOnce(site, 'settlement')
  const owed = await look(site, (db) =>
    db
      .selectFrom('ledger_entries')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'ledger_entries.location_code')
          .onRef('leases.lease_number', '=', 'ledger_entries.lease_number'),
      )
      .select((eb) => eb.fn.sum<number>('cents').as('cents'))
      .where('leases.location_code', '=', 'ATL01')
      .where('unit_number', '=', '132')
      .executeTakeFirstOrThrow(),
  )
  expect(Number(owed.cents)).toBe(0)
})

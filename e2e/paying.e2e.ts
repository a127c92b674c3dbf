/** Card payments: the provider's answers, what the renter reads, and that no payment is made twice or for nothing. */
import type { Page } from '@playwright/test'
import { cancelAtHostedPage, payAtHostedPage } from '../sandbox/pay.ts'
import { expect, type RunningSite, test } from './fixtures.ts'
import {
  arrive,
  button,
  cancelCardPage,
  cardFrame,
  dialog,
  dueToday,
  movedIn,
  newRenter,
  payWithCard,
  rentQuickly,
} from './journey.ts'
import { change, charged, leasesOf, letter, mailTo, paymentsOf } from './records.ts'

const retryNotice =
  'Unfortunately we have been unable to process your payment but your unit is still being held for you for 24 hours or until your requested move in date. When you are ready, you can complete your move in on our website, over the phone or using our on-site kiosk.'

/** The address of the card page in the frame. */
const payPageOf = async (page: Page): Promise<string> => {
  const source = await page.locator('iframe[title]').getAttribute('src')
  if (!source) throw new Error('There is no card page')
  return source
}

/** The provider's answer to its next call of the kind, by any caller. */
async function fault(site: RunningSite, kind: string, on: string, times = 1): Promise<void> {
  const answer = await fetch(`${site.sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { authorization: 'Bearer faults-for-tests', 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: '*', kind, on, times }),
  })
  expect(answer.status).toBe(201)
}

/** One lease, one posted payment, one charge of its amount. */
async function expectPaidOnce(site: RunningSite, email: string): Promise<void> {
  const payments = await paymentsOf(site, email)
  const posted = payments.filter(({ state }) => state === 'posted')
  expect(posted).toHaveLength(1)
  const all = (await Promise.all(payments.map(({ order_id }) => charged(site, order_id)))).flat()
  expect(all).toEqual([posted[0]?.amount])
  expect(await leasesOf(site, email)).toHaveLength(1)
}

async function expectNothingPaid(site: RunningSite, email: string): Promise<void> {
  const payments = await paymentsOf(site, email)
  expect((await Promise.all(payments.map(({ order_id }) => charged(site, order_id)))).flat()).toEqual([])
  expect(await leasesOf(site, email)).toEqual([])
}

test('declined: told why, card page opened again; the second refusal ends in the retry notice; a good card still moves in', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL02', 'CC1010', '/process-payment', { renter })
  await payWithCard(page, 'declined')
  await page.waitForURL('**/process-payment?retry=true')
  await expect(page.getByRole('main')).toContainText('Unable to process the Payment: Declined by Issuer')
  await expect(page).toHaveTitle(/^Error: /)

  await payWithCard(page, 'expired')
  await arrive(page, '/payment-method')
  const notice = dialog(page, 'Payment retry failed')
  await expect(notice).toContainText(retryNotice)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('main')).toContainText('Unable to process the Payment: Credit Card Expired')
  await expectNothingPaid(site, renter.email)

  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'visa')
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('an uncommon refusal is told in the provider’s own words', async ({ page }) => {
  await rentQuickly(page, 'ATL02', 'CC0510', '/process-payment')
  await payWithCard(page, 'callIssuer')
  await page.waitForURL('**/process-payment?retry=true')
  await expect(page.getByRole('main')).toContainText(
    'Unable to process the Payment: The card issuer wants a call: please ring the number on the back of your card.',
  )
})

test('cancelled on the card page: back to the payment method, nothing counted, nothing charged', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL02', 'DU1010', '/process-payment', { renter })
  await cancelCardPage(page)
  await arrive(page, '/payment-method')
  await expect(page.getByRole('main')).not.toContainText('Unable to process the Payment')
  await expectNothingPaid(site, renter.email)
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'visa')
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('the provider answers garbage after approving: checking, then moved in, charged once', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'BHM01', 'DU0510', '/process-payment', { renter })
  await payWithCard(page, 'garbled')
  await arrive(page, '/confirm-rental-payment')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment')
  const [payment] = await paymentsOf(site, renter.email)
  await expect(page.getByRole('main')).toContainText(payment?.order_id ?? 'no order')
  await page.waitForURL('**/rental-completed', { timeout: 25_000 })
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('charged, then the connection is cut: asked by order number until it is known, charged once', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'BHM01', 'DU1015', '/process-payment', { renter })
  await payWithCard(page, 'late')
  const [payment] = await paymentsOf(site, renter.email)
  await expect.poll(() => charged(site, payment?.order_id ?? '')).toEqual([payment?.amount])
  const checking = page.getByRole('heading', { level: 1, name: 'We are checking your payment' })
  // The cut connection leaves the window where it is, unless the frame came back after all: then it is on its way there.
  await page.goto(`/confirm-rental-payment?order=${payment?.order_id}`).catch(() => checking.waitFor())
  await expect(checking).toBeVisible()
  await page.waitForURL('**/rental-completed', { timeout: 25_000 })
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('the connection is cut before anything is charged: the same order is paid at the second try', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'BHM01', 'DU1020', '/process-payment', { renter })
  await payWithCard(page, 'lost')
  await expect(cardFrame(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await page.goto('/payment-method')
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'visa')
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('the provider takes its time: one charge', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'JAX01', 'CC0505', '/process-payment', { renter })
  await payWithCard(page, 'slow')
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('case 8: another amount is approved: no lease, kept for review, the renter is told and mailed', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'JAX01', 'IN1010', '/process-payment', { renter })
  await payWithCard(page, 'differs')
  await arrive(page, '/confirm-rental-payment')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your payment needs a second look')
  const [payment] = await paymentsOf(site, renter.email)
  expect(payment).toMatchObject({ state: 'review', trouble: 'amount_differs' })
  expect(await leasesOf(site, renter.email)).toEqual([])
  await letter(site, renter.email, /^We are checking your payment/)
  // Paying again is not offered while the money is there.
  await page.goto('/payment-method')
  await expect(page.getByRole('main')).not.toContainText('Congrats')
})

test('the card page cannot be opened: the specified sentence, and a second try works', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'JAX01', 'CC1015', '/payment-method', { renter })
  await fault(site, '500', 'create', 3)
  await button(page, /^Pay \$/).click()
  await expect(page.getByRole('main')).toContainText('Failed to initialize payment')
  await fetch(`${site.sandboxUrl}/sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer faults-for-tests' },
  })
  await page.goto('/payment-method')
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'visa')
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('the card page stands on another site: no cookie of ours travels with its return', async ({ page, site }) => {
  await rentQuickly(page, 'CLT01', 'CC0510', '/process-payment')
  const pay = new URL(await payPageOf(page))
  expect(pay.hostname).toBe('127.0.0.1')
  expect(new URL(page.url()).hostname).toBe('localhost')
  const returned = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/card-return/'))
  const confirmed = page.waitForRequest((request) => new URL(request.url()).pathname === '/confirm-rental-payment')
  await payWithCard(page, 'visa')
  expect((await (await returned).allHeaders()).cookie).toBeUndefined()
  expect((await (await confirmed).allHeaders()).cookie).toContain('latchkey=')
  await movedIn(page)
  expect(site.sandboxUrl).toBe(pay.origin)
})

test('case 6: the return page opened 20 times in parallel is one conversion and one answer', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'CLT01', 'CC1010', '/process-payment', { renter })
  const { returnUrl } = await payAtHostedPage(await payPageOf(page), 'visa')
  const order = new URL(returnUrl).pathname.split('/').pop()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => page.request.get(`/confirm-rental-payment?order=${order}`, { maxRedirects: 0 })),
  )
  expect(new Set(answers.map((one) => `${one.status()} ${one.headers().location}`))).toEqual(
    new Set(['302 /rental-completed']),
  )
  await page.goto('/rental-completed')
  const { gateCode } = await movedIn(page)
  await page.goto(`/confirm-rental-payment?order=${order}`)
  expect((await movedIn(page)).gateCode).toBe(gateCode)
  await expectPaidOnce(site, renter.email)
  await letter(site, renter.email, /^You're moved in/)
  await letter(site, renter.email, /^Receipt /)
  const after = (await mailTo(site, renter.email)).filter(({ subject }) => !subject.endsWith('is reserved for you'))
  expect(after).toHaveLength(2)
})

test('case 7: a forged return, another’s order and an order of nobody change nothing', async ({
  page,
  site,
  browser,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'CLT01', 'IN0505', '/process-payment', { renter })
  const [payment] = await paymentsOf(site, renter.email)
  const order = payment?.order_id ?? ''
  // Success written into the address of one's own unpaid order.
  await page.goto(
    `/card-return/${order}?RESPONSECODE=000&RESPONSEDESCRIPTION=APPROVAL&APPROVEDAMOUNT=0.01&TRANSACTIONID=1&ORDERID=${order}`,
  )
  await arrive(page, '/confirm-rental-payment')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment')
  await expectNothingPaid(site, renter.email)

  // An unknown order.
  await page.goto('/confirm-rental-payment?order=LK0123456789ABCDEF01234567')
  await expect(dialog(page, 'Invalid payment session. Please restart the payment process.')).toBeVisible()

  // Somebody else's session with our order, once it is paid.
  await payAtHostedPage((await paymentsOf(site, renter.email))[0]?.pay_page_url ?? '', 'visa')
  const context = await browser.newContext({ baseURL: site.url })
  const other = await context.newPage()
  await rentQuickly(other, 'CLT01', 'IN0505', '/payment-method')
  await other.goto(`/confirm-rental-payment?order=${order}`)
  await expect(dialog(other, 'Invalid payment session. Please restart the payment process.')).toBeVisible()
  await expect(other.getByRole('main')).not.toContainText('Congrats')
  await context.close()
  expect(await leasesOf(site, renter.email)).toEqual([])

  await page.goto(`/confirm-rental-payment?order=${order}`)
  await movedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('case 11: pressed twice, it is one reservation, one signature that counts, one order', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'CC1010', '/lease', { renter })
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await page.getByRole('radio', { name: 'Type it' }).check()
  await page.getByLabel('Type your full name').fill('Wanda Pell')
  await button(page, 'Accept').dblclick()
  await arrive(page, '/payment-method')
  await button(page, /^Pay \$/).dblclick()
  await arrive(page, '/process-payment')
  const frame = cardFrame(page)
  await frame.getByLabel('Card number').fill('4111 1111 1111 1111')
  await frame.getByLabel('Expiry date').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('Name on card').fill('Wanda Pell')
  await frame.getByLabel('Billing ZIP code').fill('30308')
  await frame.getByRole('button', { name: /^Pay/ }).evaluate((pay: HTMLButtonElement) => {
    pay.click()
    pay.click()
  })
  await movedIn(page)
  expect(await paymentsOf(site, renter.email)).toHaveLength(1)
  await expectPaidOnce(site, renter.email)
})

test('case 4 and 11: two tabs at the card page pay once and both show the one lease', async ({
  page,
  context,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'DU1015', '/process-payment', { renter })
  const second = await context.newPage()
  await second.goto('/process-payment')
  expect(await payPageOf(second)).toBe(await payPageOf(page))
  await payWithCard(page, 'visa')
  const first = await movedIn(page)
  await payWithCard(second, 'mastercard')
  expect(await movedIn(second)).toEqual(first)
  await expectPaidOnce(site, renter.email)
})

test('Back after paying does not lead to paying again', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'DU0510', '/process-payment', { renter })
  await payWithCard(page, 'visa')
  const done = await movedIn(page)
  await page.goBack()
  expect(await movedIn(page)).toEqual(done)
  for (const path of ['/process-payment', '/payment-method', '/lease', '/vehicle']) {
    await page.goto(path)
    expect(await movedIn(page)).toEqual(done)
  }
  await expectPaidOnce(site, renter.email)
})

test('case 10: the return never arrives: the site settles it by itself', async ({ page, site }) => {
  test.setTimeout(90_000)
  const renter = newRenter()
  await rentQuickly(page, 'BHM01', 'DU1010', '/process-payment', { renter })
  const due = await paymentsOf(site, renter.email)
  await payAtHostedPage(await payPageOf(page), 'visa')
  await page.goto('about:blank')
  await expect
    .poll(async () => (await paymentsOf(site, renter.email))[0]?.state, { timeout: 60_000, intervals: [2_000] })
    .toBe('posted')
  expect(due).toHaveLength(1)
  await letter(site, renter.email, /^You're moved in/)
  await expectPaidOnce(site, renter.email)
  await page.goto('/rental-completed')
  await movedIn(page)
})

test('a price that changed before the card page opened is shown and asked for again', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'TPA01', 'DU0510', '/payment-method', { renter })
  const before = await dueToday(page)
  await change(site, (db) =>
    db
      .updateTable('insurance_schemes')
      .set({ premium: 13_00 })
      .where('location_code', '=', 'TPA01')
      .where('scheme_id', '=', 1)
      .execute(),
  )
  await button(page, `Pay ${before} by card`).click()
  // The lease rests on the price: a new one is signed before anything is paid.
  await arrive(page, '/lease')
  await expect.poll(() => dueToday(page)).not.toBe(before)
  await expectNothingPaid(site, renter.email)
})

test('a cancelled card page in another tab does not undo the payment', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'TPA01', 'DU1010', '/process-payment', { renter })
  const payPage = await payPageOf(page)
  await payWithCard(page, 'visa')
  const done = await movedIn(page)
  await cancelAtHostedPage(payPage).catch(() => null)
  await page.reload()
  expect(await movedIn(page)).toEqual(done)
  await expectPaidOnce(site, renter.email)
})

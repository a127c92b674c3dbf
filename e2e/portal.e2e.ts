/** A tenant's units: what is due, autopay, moving out, history and updated terms; each with and some without scripts. */
import { expect, expectAccessible, test } from './fixtures.ts'
import { arrive, beforeScripts, button, dialog, payWithCard } from './journey.ts'
import { letter, look } from './records.ts'
import { enter, lookAt, main, openUnit } from './tenants.ts'

test.use({ business: 'portal' })

test('a tenant sees the unit, prepays three periods and is asked about autopay', async ({ page, context, site }) => {
  await enter(context, site, 'marcus.tilley@example.com')
  await page.goto('/my-units')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Unit')
  await expect(main(page)).toContainText('Unit No 318')
  await expect(main(page)).toContainText('Lease No 10001')
  await lookAt(page)
  // On a phone the sum stands beside its label, not below it.
  await page.setViewportSize({ width: 390, height: 844 })
  const label = await main(page).getByText('Next payment', { exact: true }).boundingBox()
  const next = main(page).locator('dd', { hasText: '$100.69' })
  await expect(next).toHaveCSS('text-align', 'right')
  expect((await next.boundingBox())?.y).toBe(label?.y)
  await page.setViewportSize({ width: 1280, height: 900 })
  await openUnit(page)
  for (const words of ['Gate Code', 'Lease Status', 'Current Balance Due', 'Paid Through Date']) {
    await expect(main(page)).toContainText(words)
  }
  await expect(main(page)).not.toContainText('Overlock Code')
  await expect(page.getByRole('heading', { name: "Prepay Next Month's Rent" })).toBeVisible()
  const total = page.getByRole('region', { name: 'Total' }).locator('tfoot td')
  await expect(total).toHaveText('$100.69')
  // Chosen before the page could hear of it: what is paid is what stands there.
  await beforeScripts(page, () => page.getByLabel('How far ahead').selectOption('3'))
  await expect(total).toHaveText('$302.07')
  await lookAt(page)
  await button(page, 'Pay Now').click()
  const question = dialog(page, 'Pay for unit 318 automatically?')
  await expect(question).toContainText('$302.07')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await button(page, 'Pay Now').click()
  await question.getByRole('button', { name: 'No, just this once' }).click()
  await arrive(page, '/online-payment-method')
  await expect(main(page)).toContainText('$302.07')

  // Where a payment lands.
  await page.goto('/unit-lease-details?lease=10001#paid')
  await expect(page.getByRole('heading', { name: 'Payment Successfully Completed!' })).toBeVisible()
  await page.goto('/my-units')
  await page.goto('/unit-lease-details?lease=10001')
  await expect(page.getByRole('heading', { name: 'Payment Successfully Completed!' })).toBeHidden()
  await page.getByRole('link', { name: 'Go Back' }).click()
  await arrive(page, '/my-units')
})

test('without scripts: the question about autopay, and moving out with reasons', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url })
  const page = await context.newPage()
  await enter(context, site, 'georgia.hallam@example.com')
  await openUnit(page)
  await page.getByLabel('How far ahead').selectOption('2')
  await button(page, 'Update the total').click()
  await expect(page.getByLabel('How far ahead')).toHaveValue('2')
  await button(page, 'Pay Now').click()
  const question = dialog(page, 'Pay for unit 214 automatically?')
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Yes, use autopay' }).click()
  await arrive(page, '/online-payment-method')

  await openUnit(page)
  await page.getByRole('link', { name: 'Move Out' }).click()
  await arrive(page, '/schedule-move-out')
  const reasons = page.getByRole('group', { name: 'Why are you leaving?' })
  const comment = page.getByLabel(/^Anything you would like to tell us/)
  await expect(reasons).toBeHidden()
  await expect(comment).toBeHidden()
  await page.getByRole('radio', { name: '4 stars' }).check({ force: true })
  await expect(comment).toBeVisible()
  await expect(reasons).toBeHidden()
  await page.getByRole('radio', { name: '2 stars' }).check({ force: true })
  await reasons.getByLabel('Rates').check()
  await reasons.getByLabel('Security Concerns').check()
  await comment.fill('The new place is nearer.')
  await button(page, 'Confirm').click()
  await arrive(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Your move-out is scheduled.')
  await expect(main(page)).toContainText('Move Out Scheduled')
  const [row] = await look(site, (db) =>
    db.selectFrom('move_outs').selectAll().where('comment', '=', 'The new place is nearer.').execute(),
  )
  expect(row).toMatchObject({ state: 'scheduled', star_rating: 2, reasons: '["Rates","Security Concerns"]' })

  await openUnit(page)
  await page.getByRole('link', { name: 'Cancel Move Out' }).click()
  await dialog(page, 'Cancel your move-out?').getByRole('button', { name: 'Cancel Move Out' }).click()
  await arrive(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Your move-out is cancelled.')
  await context.close()
})

test('who is late is told what is due; who is too late, or prepared for auction, whom to call', async ({
  page,
  context,
  site,
}) => {
  await enter(context, site, 'owen.strand@example.com')
  await openUnit(page)
  await expect(page.getByRole('heading', { name: 'Pay Current Dues' })).toBeVisible()
  await expect(main(page)).toContainText('This unit is past due')
  await expect(page.getByRole('link', { name: 'Move Out' })).toHaveCount(0)
  await lookAt(page)
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^Yes/ }).click()
  await arrive(page, '/online-payment-method')
  await page.goto('/schedule-move-out')
  await arrive(page, '/unit-lease-details')
  await expect(dialog(page, 'Please pay your current dues before you schedule a move-out.')).toBeVisible()

  for (const [username, sentence] of [
    [
      'hoverby',
      /Your account is over 70 days delinquent, please call \(\d{3}\) \d{3}-\d{4} and select option 3 to get more details on your account\./,
    ],
    ['vera.lockett@example.com', /Please contact customer service to make a payment - \(\d{3}\) \d{3}-\d{4}/],
  ] as const) {
    await page.context().clearCookies()
    await enter(context, site, username)
    await openUnit(page)
    await expect(main(page)).toContainText(sentence)
    await expect(button(page, 'Pay Now')).toHaveCount(0)
    await lookAt(page)
  }
})

test('two facilities, no units, forty units, and a profile that lacks an address', async ({ page, context, site }) => {
  await enter(context, site, 'nadia.ferro@example.com')
  await page.goto('/my-units')
  await expect(main(page)).toContainText('Unit No 402')
  await page.getByLabel('Facility').selectOption({ index: 1 })
  await button(page, 'Show').click()
  await expect(main(page)).toContainText('Unit No 305')
  await lookAt(page)
  await page.goto('/recent-activity')
  await expect(main(page)).toContainText('305')

  await page.context().clearCookies()
  await enter(context, site, 'mabel.crane@example.com')
  await page.goto('/my-units')
  await expect(main(page)).toContainText('You have no units here')
  await lookAt(page)
  await page.goto('/unit-lease-details?lease=10001')
  await arrive(page, '/my-units')
  await expect(dialog(page, 'No lease found, please try again later.')).toBeVisible()
  await page.goto('/unit-lease-details?lease=%3Cscript%3E')
  await arrive(page, '/my-units')
  await expect(dialog(page, 'Invalid lease number, please try again later.')).toBeVisible()

  await page.context().clearCookies()
  await enter(context, site, 'edith@marlow-cabinets.example')
  await page.goto('/my-units')
  await expect(main(page)).toContainText('You rent 40 units here.')
  const cards = page.getByRole('link', { name: /^Pay For Unit/ })
  await expect(cards).toHaveCount(6)
  await page.getByRole('link', { name: 'Page 7' }).click()
  await expect(cards).toHaveCount(4)
  await lookAt(page)
  await page.getByRole('link', { name: 'Show all 40 units' }).click()
  await expect(cards).toHaveCount(40)

  await page.context().clearCookies()
  await enter(context, site, 'felix.baum@example.com')
  await page.goto('/my-units')
  await expect(page.getByRole('heading', { name: 'Information Missing' })).toBeVisible()
})

test('autopay shows its card, is switched off, and is asked for by its own title for a parking space', async ({
  page,
  context,
  site,
}) => {
  await enter(context, site, 'joan.pettibone@example.com')
  await openUnit(page)
  await expect(page.getByRole('heading', { name: 'Autopay is on' })).toBeVisible()
  await expect(main(page)).toContainText('Visa ending 1111')
  await lookAt(page)
  await button(page, 'Turn off autopay').click()
  const sure = dialog(page, 'Turn off autopay?')
  await sure.getByRole('button', { name: 'Turn off autopay' }).click()
  await expect(
    dialog(page, 'Autopay is off. Your card or bank account is not charged by itself any more.'),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Autopay is off', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await button(page, 'Turn on autopay').click()
  await arrive(page, '/online-payment-method')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What should autopay charge?')
  await expect(main(page)).toContainText('I agree that what is due for unit 220 is charged automatically every 30 days')
  await lookAt(page)
  await button(page, 'Continue').click()
  await arrive(page, '/online-payment')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your card for autopay')
  await payWithCard(page, 'mastercard', '/online-payment')
  await arrive(page, '/unit-lease-details')
  await expect(dialog(page, /^Autopay is on\. /)).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('heading', { name: 'Autopay is on' })).toBeVisible()
  await expect(main(page)).toContainText(/Mastercard ending \d{4}/)
  const mail = await letter(site, 'joan.pettibone@example.com', /^Autopay is on for unit 220$/)
  expect(mail.text.replace(/\s+/g, ' ')).toContain('Nothing was charged today.')

  // Another account in its place, at no charge either.
  await button(page, 'Change card or account').click()
  await page.getByRole('radio', { name: /^Bank account/ }).check()
  await button(page, 'Continue').click()
  await arrive(page, '/online-payment-ach')
  await expect(main(page)).toContainText('Nothing is taken from your bank account today.')
  await page.getByLabel('Routing number').fill('061000104')
  await page.getByLabel('Account number', { exact: true }).fill('000123450000')
  await page.getByLabel('Confirm account number').fill('000123450000')
  await button(page, 'Keep this account, pay $0.00').click()
  await arrive(page, '/unit-lease-details')
  await expect(main(page)).toContainText('Checking ****0000')
  const paid = await look(site, (db) =>
    db
      .selectFrom('payments')
      .select('amount')
      .where('location_code', '=', 'DEN01')
      .where('payer', '=', 'tenant')
      .execute(),
  )
  expect(paid).toEqual([{ amount: 0 }, { amount: 0 }])

  await page.context().clearCookies()
  await enter(context, site, 'ruth.akers@example.com')
  await openUnit(page)
  await button(page, 'Pay Now').click()
  const question = dialog(page, 'Enable Autopay?')
  await expect(question).toContainText('card processing fee')
  await question.getByRole('button', { name: 'No', exact: true }).click()
  await arrive(page, '/online-payment-method')

  await page.context().clearCookies()
  await enter(context, site, 'curtis.yoder@example.com')
  await openUnit(page)
  await expect(main(page)).toContainText('Overlock Code')
  await expect(main(page)).toContainText('4821')
})

test('a scheduled move-out is shown, cancelled, and scheduled again with a receipt', async ({
  page,
  context,
  site,
}) => {
  await enter(context, site, 'imogen.sayles@example.com')
  await openUnit(page)
  await expect(page.getByRole('heading', { name: 'Move Out Scheduled' })).toBeVisible()
  await expect(button(page, 'Pay Now')).toHaveCount(0)
  await lookAt(page)
  await page.getByRole('link', { name: 'Cancel Move Out' }).click()
  await expectAccessible(page)
  await dialog(page, 'Cancel your move-out?').getByRole('button', { name: 'Cancel Move Out' }).click()
  await arrive(page, '/my-units')
  await expect(dialog(page, 'Your move-out is cancelled. You keep your unit.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()

  await openUnit(page)
  await page.getByRole('link', { name: 'Move Out' }).click()
  await arrive(page, '/schedule-move-out')
  for (const term of ['$500', '$200', '60 days', '2-3 business days']) await expect(main(page)).toContainText(term)
  await page.getByRole('radio', { name: '5 stars' }).focus()
  await page.keyboard.press('Space')
  const comment = page.getByLabel(/^Anything you would like to tell us/)
  await comment.fill('x'.repeat(501))
  await button(page, 'Confirm').click()
  await expect(page.getByRole('alert')).toContainText('Comment must be 500 characters or fewer')
  await expect(page).toHaveTitle(/^Error: /)
  await comment.fill('Thank you.')
  await lookAt(page)
  await button(page, 'Confirm').click()
  await arrive(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Your move-out is scheduled.')
  await page.getByRole('button', { name: 'OK' }).click()
  await openUnit(page)
  await page.getByRole('link', { name: 'What happens on that day' }).click()
  await arrive(page, '/move-out-receipt')
  await expect(main(page)).toContainText('Imogen Sayles')
  await lookAt(page)
  await page.goto('/dev/mailbox')
  await expect(page.getByText('Your move-out from unit 125 is scheduled')).toBeVisible()
})

test('moving out turns autopay off; cancelling asks whether it comes back, and brings it back as it was', async ({
  page,
  context,
  site,
}) => {
  await enter(context, site, 'wendell.orr@example.com')
  await openUnit(page)
  const on = page.getByRole('heading', { name: 'Autopay is on' })
  await expect(on).toBeVisible()
  await page.getByRole('link', { name: 'Move Out' }).click()
  await arrive(page, '/schedule-move-out')
  await expect(main(page)).toContainText(/autopay/i)
  await button(page, 'Confirm').click()
  await arrive(page, '/my-units')
  await page.getByRole('button', { name: 'OK' }).click()
  await openUnit(page)
  await expect(on).toHaveCount(0)
  await page.getByRole('link', { name: 'Cancel Move Out' }).click()
  const question = dialog(page, 'Cancel your move-out?')
  await expect(question.getByLabel('Turn autopay back on, as it was')).toBeChecked()
  await question.getByRole('button', { name: 'Cancel Move Out' }).click()
  await arrive(page, '/my-units')
  await page.getByRole('button', { name: 'OK' }).click()
  await openUnit(page)
  await expect(on).toBeVisible()
  await expect(main(page)).toContainText(/Checking \*{4}\d{4} is charged every 30 days/)
})

test('payment history with its file', async ({ page, context, site }) => {
  await enter(context, site, 'wendell.orr@example.com')
  await page.goto('/recent-activity')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment History')
  await expect(page.locator('tbody tr')).toHaveCount(12)
  await lookAt(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('payments-jax01.csv')
})

test('updated terms come first: read, failing and shown, and accepted', async ({ page, context, site }) => {
  await enter(context, site, 'adele.fontaine@example.com')
  await page.goto('/recent-activity')
  await arrive(page, '/complete-lease')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Updated Lease Terms')
  await expect(main(page)).toContainText('The updated rental agreement is effective March 1, 2025')
  await page.getByText('Read it here').click()
  await expect(main(page)).toContainText('Adele Fontaine')
  await lookAt(page)
  await page.route('**/complete-lease/agreement', (route) => route.abort())
  await page.getByRole('link', { name: 'Review Lease' }).click()
  await expect(main(page)).toContainText('Error generating lease PDF. Please check your network.')
  await page.unroute('**/complete-lease/agreement')
  await page.getByRole('link', { name: 'Review Lease' }).click()
  const paper = dialog(page, 'Updated rental agreement')
  await expect(paper.locator('iframe')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await button(page, 'Accept').click()
  await arrive(page, '/recent-activity')
  await page.goto('/complete-lease')
  await arrive(page, '/')
})

test("without a session: 'Invalid session!' on the home page, where one may log in; or the log-in at once", async ({
  page,
}) => {
  await page.goto('/my-units')
  await arrive(page, '/')
  await dialog(page, 'Invalid session!').getByRole('link', { name: 'Log in' }).click()
  await arrive(page, '/login')
  for (const path of ['/unit-lease-details?lease=10001', '/schedule-move-out']) {
    await page.goto(path)
    await arrive(page, '/login')
    expect(new URL(page.url()).searchParams.get('next')).toBe(path)
  }
})

test('a guest finds units by e-mail, sees their numbers only, and goes on to pay', async ({ page }) => {
  await page.goto('/guest/find-units')
  await arrive(page, '/guest/find-email')
  await expect(dialog(page, 'Guest tenant session not found.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('Email').fill('gus.delacroix@example.com')
  await button(page, 'Search').click()
  await arrive(page, '/guest/find-units')
  await expect(main(page)).toContainText('Unit No A-03')
  await expect(main(page)).toContainText('Unit No B-05')
  // The unit at the office is passed over, and nothing says whose they are.
  await expect(main(page).getByRole('button', { name: /^Select/ })).toHaveCount(2)
  await expect(main(page)).not.toContainText('Delacroix')
  await lookAt(page)
  await button(page, 'Select unit B-05').click()
  await expect(page.getByRole('heading', { name: 'Pay Current Dues' })).toBeVisible()
  await lookAt(page)
  await button(page, 'Pay Now').click()
  await dialog(page, 'Enable Autopay?').getByRole('button', { name: 'No', exact: true }).click()
  await arrive(page, '/guest/select-method')
})

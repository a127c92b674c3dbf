import { expect, expectPageSound, test, waitForPageShown } from './fixtures.ts'
import { expectPaidOnce, waitForMail } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  beforeScripts,
  button,
  cancelCardPage,
  cardFrame,
  dialog,
  dueToday,
  expectMovedIn,
  fillCard,
  main,
  newRenter,
  pathOf,
  payWithCard,
  rentQuickly,
  rentUntil,
  signTyped,
  waitForPath,
} from './renter-actions-and-locators.ts'

test('a rental in Georgia, signed by hand, stores agent, lien holder and own insurance', async ({ page, site }) => {
  const renter = newRenter()
  const visited: string[] = []
  const onPage = async (_: unknown, path: string) => void visited.push(path)
  const options = { renter, agent: true, lien: true, insurance: 'own', military: true, sign: 'drawn', onPage } as const
  await rentUntil(page, 'ATL01', 'CC1010', '/process-payment', options)
  await payWithCard(page, 'discover')
  const { unit } = await expectMovedIn(page)
  expect(visited).toEqual([
    '/add-contact',
    '/designated-agent',
    '/vehicle',
    '/lien-holder',
    '/lien-holder-details',
    '/insurance-schemes',
    '/home-owner-insurance',
    '/shield-brochure',
    '/customer-info',
    '/full-day-access',
    '/military',
    '/military-details',
    '/lease',
    '/payment-method',
  ])
  const { lease } = await expectPaidOnce(site, renter.email)
  expect(lease).toMatchObject({ unit_number: unit, insurance_status: 2, insurance_premium: 0 })
  for (const words of ['Robert Pell', 'Harbor Credit Union']) expect(lease?.details).toContain(words)
})

test('autopay declined before the scripts load stays off, raises the price and adds the card fee', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'PHX01', 'DU1020', '/lease', { renter })
  const box = page.getByRole('checkbox', { name: /^Pay automatically/ })
  await expect(box).toBeChecked()
  const before = await dueToday(page)
  await beforeScripts(page, () => box.uncheck())
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
  const after = await dueToday(page)
  expect(Number(after.slice(1))).toBeGreaterThan(Number(before.slice(1)))
  await page.reload()
  await expect(box).not.toBeChecked()
  await answerStepsUntil(page, '/payment-method', { renter })
  await button(page, `Pay ${after} by card`).click()
  await payWithCard(page, 'amex')
  await expectMovedIn(page)
  await expect(main(page)).toContainText('Credit Card Processing Fee')
  expect((await expectPaidOnce(site, renter.email)).lease).toMatchObject({ autopay: 0, autopay_sealed: null })
})

test('an autopay choice that was not saved gives way to the saved one, and the checkbox keeps the focus', async ({
  page,
}) => {
  await rentQuickly(page, 'PHX01', 'DU1020', '/lease')
  const box = page.getByRole('checkbox', { name: /^Pay automatically/ })
  const status = (words: RegExp) => expect(page.getByText(words)).toBeVisible()
  await box.press('Space')
  await status(/^Autopay is off\. Due today:/)
  await expect(box).not.toBeChecked()
  await expect(box).toBeFocused()
  // The request is sent without the new choice, which the server reads as off, so autopay stays off.
  await page.route('**/lease.data*', (route) =>
    route.request().method() === 'POST' ? route.continue({ postData: 'intent=autopay' }) : route.continue(),
  )
  await box.press('Space')
  await expect(box).not.toBeChecked()
  await status(/^Autopay is off\. Due today:/)
})

test('a lease page that loses the connection says so, and keeps what was typed', async ({ page }) => {
  await rentQuickly(page, 'ATL02', 'CC0510', '/lease')
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await signTyped(page, 'Wanda Pell')
  await page.context().setOffline(true)
  await button(page, 'Accept').click()
  await expect(main(page)).toContainText('We could not reach our server. Nothing you entered is lost')
  await page.context().setOffline(false)
  await button(page, 'Accept').click()
  await waitForPath(page, '/payment-method')
})

test('a price that cannot be updated says so, and the page stays', async ({ page }) => {
  await rentQuickly(page, 'ATL02', 'CC0510', '/insurance-schemes')
  const dearest = page.getByRole('radio', { name: /\$/ }).last()
  await page.getByRole('radio').first().check()
  await page.context().setOffline(true)
  await dearest.check()
  const outdated = page.getByRole('complementary').getByText('This price does not show your last choice yet.')
  await expect(outdated).toBeVisible()
  await expectPageSound(page)
  await page.context().setOffline(false)
  await expect(outdated).toBeHidden()
  await expect(dearest).toBeChecked()
})

test('a signature stays under the finger and keeps its ink when the phone is turned', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await rentQuickly(page, 'ATL02', 'CC0510', '/lease')
  const sheet = page.getByRole('img', { name: /^Signature of/ })
  /** Draws a line in the middle of the sheet, from and to these parts of its width. */
  const draw = async (from: number, to: number) => {
    await sheet.scrollIntoViewIfNeeded()
    const box = await sheet.boundingBox()
    if (!box) throw new Error('There is nothing to sign on')
    await page.mouse.move(box.x + box.width * from, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 8 })
    await page.mouse.up()
  }
  /**
   * Returns the canvas's width in pixels, where the ink begins and ends, in tenths of that width, and whether the form has
   * this picture.
   */
  const ink = () =>
    sheet.evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
      const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
        Array.from({ length: height }, (_, y) => pixels[(y * width + x) * 4] ?? 255).some((red) => red < 128),
      )
      const image = document.querySelector<HTMLInputElement>('input[name=image]')?.value
      return {
        width,
        from: Math.round(((columns[0] ?? 0) / width) * 10),
        to: Math.round(((columns.at(-1) ?? 0) / width) * 10),
        isInForm: image === canvas.toDataURL('image/png'),
      }
    })
  await expect(sheet).toBeVisible()
  await draw(0.2, 0.4)
  expect(await ink()).toEqual({ width: 300, from: 2, to: 4, isInForm: true })
  await page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(ink).toEqual({ width: 600, from: 2, to: 4, isInForm: true })
  await draw(0.6, 0.8)
  expect(await ink()).toEqual({ width: 600, from: 2, to: 8, isInForm: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(ink).toEqual({ width: 300, from: 2, to: 8, isInForm: true })
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await button(page, 'Accept').click()
  await waitForPath(page, '/payment-method')
})

test('a card page on another site is cancelled, declined twice and paid once, gets no cookie, and Back pays nothing', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL02', 'CC1010', '/process-payment', { renter })
  await cancelCardPage(page)
  await waitForPath(page, '/payment-method')
  await expect(main(page)).not.toContainText('Unable to process the Payment')
  await button(page, /^Pay \$/).click()
  await payWithCard(page, 'declined')
  await expect(page).toHaveURL(/\/process-payment\?retry=true$/)
  await expect(main(page)).toContainText('Unable to process the Payment: Declined by Issuer')
  await expect(page).toHaveTitle(/^Error: /)
  await payWithCard(page, 'expired')
  await waitForPath(page, '/payment-method')
  const notice = dialog(page, 'Payment retry failed')
  await expect(notice).toContainText('your unit is still being held for you for 24 hours')
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Unable to process the Payment: Credit Card Expired')

  await button(page, /^Pay \$/).click()
  await waitForPath(page, '/process-payment')
  await expect(page.locator('iframe[title]')).toHaveAttribute('src', new RegExp(`^${site.sandboxUrl}`))
  const waitForHeaders = (path: string) =>
    page
      .waitForRequest((request) => request.method() === 'GET' && new URL(request.url()).pathname.startsWith(path))
      .then((request) => request.allHeaders())
  const returned = waitForHeaders('/card-return/')
  const confirmed = waitForHeaders('/confirm-rental-payment')
  await payWithCard(page, 'visa')
  expect((await returned).cookie).toBeUndefined()
  expect((await confirmed).cookie).toContain('latchkey=')
  const done = await expectMovedIn(page)
  await page.goBack()
  expect(await expectMovedIn(page)).toEqual(done)
  for (const path of ['/process-payment', '/payment-method', '/vehicle']) {
    await page.goto(path)
    expect(await expectMovedIn(page)).toEqual(done)
  }
  await expectPaidOnce(site, renter.email)
})

test('pressing twice gives one lease, one order and one charge', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'CC1010', '/lease', { renter })
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await signTyped(page, 'Wanda Pell')
  await button(page, 'Accept').dblclick()
  await waitForPath(page, '/payment-method')
  await button(page, /^Pay \$/).dblclick()
  await waitForPath(page, '/process-payment')
  await fillCard(page, 'visa')
  await cardFrame(page)
    .getByRole('button', { name: /^Pay/ })
    .evaluate((pay: HTMLButtonElement) => {
      pay.click()
      pay.click()
    })
  await expectMovedIn(page)
  expect((await expectPaidOnce(site, renter.email)).orders).toBe(1)
})

test('a visitor finds, reserves, insures, signs for and pays a unit without scripts', async ({ plain: page, site }) => {
  const renter = newRenter()
  await page.goto('/')
  await main(page).getByRole('textbox', { name: 'City or ZIP code' }).first().fill('32204')
  await button(page, 'Search').first().click()
  await page.getByRole('link', { name: 'Latchkey Riverside', exact: true }).click()
  await page
    .getByRole('link', { name: /^Reserve free, 10 × 10 Climate/ })
    .first()
    .click()
  await waitForPath(page, '/reservation-date')
  await answerStepsUntil(page, '/lease', { facility: 'JAX01', renter })
  await page.getByRole('checkbox', { name: /^Pay automatically/ }).uncheck()
  await button(page, 'Save autopay choice').click()
  await waitForPath(page, '/lease')
  await expect(page.getByRole('checkbox', { name: /^Pay automatically/ })).not.toBeChecked()
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await page.getByLabel('Type your full name to sign').fill('Wanda Pell')
  await button(page, 'Accept').click()
  await waitForPath(page, '/payment-method')
  // Without scripts, the button's text does not follow the chosen method.
  await button(page, 'Continue').click()
  await payWithCard(page, 'visa')
  // Without scripts the card frame cannot navigate the window; the link in the frame does.
  await cardFrame(page).getByRole('link', { name: 'Continue' }).click()
  await expectMovedIn(page)
  await waitForMail(site, renter.email, /^You're moved in/)
})

test('a visitor rents a unit by keyboard alone', async ({ page, site }) => {
  const renter = newRenter()
  const keys = page.keyboard
  /** Presses Tab until the focused element has this name, and throws if 120 presses do not reach it. */
  const reach = async (name: string | RegExp) => {
    for (let press = 0; press < 120; press += 1) {
      await keys.press('Tab')
      const focusedName = await page.evaluate(() => {
        const inFrame = (document.activeElement as HTMLIFrameElement | null)?.contentWindow
        const element = document.activeElement as HTMLElement | null
        if (!element || inFrame) return ''
        const labels = (element as HTMLInputElement).labels
        return labels?.length ? [...labels].map((label) => label.textContent).join(' ') : (element.textContent ?? '')
      })
      if (typeof name === 'string' ? focusedName.trim() === name : name.test(focusedName.trim())) return
    }
    throw new Error(`No way to ${name} by keyboard on ${page.url()}`)
  }
  const type = async (fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields)) {
      await reach(label)
      await keys.type(text)
    }
  }
  const submit = async (label: string | RegExp, from: string) => {
    await reach(label)
    await keys.press('Enter')
    await expect.poll(() => pathOf(page), { timeout: 45_000 }).not.toBe(from)
    await waitForPageShown(page)
  }
  /** Answers No by keyboard. A radio group is one stop of the Tab key; the arrow keys choose within it. */
  const sayNo = async (from: string) => {
    await reach(/^Yes/)
    await keys.press('ArrowDown')
    await submit('Next', from)
  }

  await page.goto('/rent/RDU01/2?rentNow=1')
  await waitForPath(page, '/add-contact')
  await type({
    'First name': renter.first,
    'Last name': renter.last,
    Email: renter.email,
    Phone: renter.phone,
    Address: renter.address,
    City: 'Raleigh',
    State: 'North Car',
    'Zip code': '27601',
  })
  await submit('Rental Information', '/add-contact')
  await sayNo('/vehicle')
  await sayNo('/lien-holder')
  await type({
    "Driver's license number": '053812774',
    'Issued state': 'Georgia',
    'Birth date': '04091986',
    'License expiration date': '12312039',
    'Brief description': 'Boxes',
  })
  await submit('Next', '/customer-info')
  await sayNo('/military')
  await reach(/^I have read this/)
  await keys.press('Space')
  await reach(/^Draw it|^Type it/)
  await keys.press('ArrowDown')
  await type({ 'Type your full name': 'Wanda Pell' })
  await submit('Accept', '/lease')
  await submit(/^Pay \$/, '/payment-method')
  await waitForPath(page, '/process-payment')

  // The Tab key leads into the card provider's frame. The focus enters a frame of another site only after the key press
  // has been handled, so each press waits for the focus that it moves.
  const number = cardFrame(page).getByLabel('Card number')
  await expect(number).toBeVisible()
  const focusedTag = () => page.evaluate(() => document.activeElement?.tagName)
  for (let press = 0; press < 60 && (await focusedTag()) !== 'IFRAME'; press += 1) {
    await keys.press('Tab')
    await expect.poll(focusedTag).not.toBe('BODY')
  }
  const testCards = cardFrame(page).getByRole('link', { name: /^Test cards/ })
  await expect(testCards).toBeFocused()
  const entries = {
    'Card number': ['4111111111111111', '4111 1111 1111 1111'],
    'Expiry date': ['1239', '12 / 39'],
    'Security code': ['123', '123'],
    'Name on card': ['Wanda Pell', 'Wanda Pell'],
    'Billing ZIP code': ['30308', '30308'],
  }
  for (const [label, [input = '', formatted = '']] of Object.entries(entries)) {
    await keys.press('Tab')
    const field = cardFrame(page).getByLabel(label)
    await expect(field).toBeFocused()
    await keys.press('ControlOrMeta+a')
    await keys.type(input)
    await expect(field).toHaveValue(formatted)
  }
  await keys.press('Enter')
  await expectMovedIn(page)
  await expectPaidOnce(site, renter.email)
})

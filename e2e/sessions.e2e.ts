/** Sessions, pages out of order, registration, and rentals without scripts or without a mouse. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  arrive,
  button,
  dialog,
  fillContact,
  movedIn,
  newRenter,
  payWithCard,
  rent,
  rentQuickly,
  walk,
} from './journey.ts'
import { leasesOf, look } from './records.ts'

test('a page opened out of order leads to the first one that lacks something, and says why', async ({ page }) => {
  await rentQuickly(page, 'JAX01', 'CC0510', '/lien-holder')
  await page.goto('/lease')
  await arrive(page, '/lien-holder')
  await expect(page.getByRole('main')).toContainText('Please tell us whether there is a lien holder first.')
  await page.goto('/payment-method')
  await arrive(page, '/lien-holder')
  // A page whose turn has been is open, with what was answered.
  await page.goto('/vehicle')
  await arrive(page, '/vehicle')
  await expect(page.getByRole('radio', { name: /^No/ })).toBeChecked()
})

test('refresh, Back and a second tab lose nothing', async ({ page, context }) => {
  const renter = newRenter()
  await rent(page, 'JAX01', 'CC0510', '/insurance-schemes', { renter, facility: 'JAX01' })
  await page.reload()
  await arrive(page, '/insurance-schemes')
  await page.goBack()
  await arrive(page, '/lien-holder')
  await expect(page.getByRole('radio', { name: /^No/ })).toBeChecked()
  const second = await context.newPage()
  await second.goto('/insurance-schemes')
  await walk(second, '/customer-info', { facility: 'JAX01' })
  // The first tab's older page does not undo the second's answer.
  await walk(page, '/customer-info', { facility: 'JAX01' })
})

for (const [what, spoil] of [
  ['without a session', async (page: Page) => page.context().clearCookies()],
  [
    'with an altered session',
    async (page: Page) => {
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'latchkey')
      if (!cookie) throw new Error('no session')
      await page.context().addCookies([{ ...cookie, value: `${cookie.value.slice(0, -6)}AAAAAA` }])
    },
  ],
] as const) {
  test(`${what} every page of the move-in says 'Invalid session!' on the home page`, async ({ page }) => {
    await rentQuickly(page, 'JAX01', 'CC0510', '/vehicle')
    for (const path of ['/lease', '/confirm-rental-payment', '/rental-completed', '/process-payment?retry=true']) {
      await spoil(page)
      await page.goto(path)
      await arrive(page, '/')
      const alert = dialog(page, 'Invalid session!')
      await expect(alert, path).toBeVisible()
      await alert.getByRole('button', { name: 'OK' }).click()
      await expect(alert).toBeHidden()
      await page.reload()
      await expect(dialog(page, 'Invalid session!')).toHaveCount(0)
      await rentQuickly(page, 'JAX01', 'CC0510', '/vehicle')
    }
  })
}

test('after the move-in an online account is made, signed in, and logged out for good', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL01', 'CC0505', '/process-payment', { renter })
  await payWithCard(page, 'visa')
  await movedIn(page)
  await page.getByRole('link', { name: 'Create My Online Account' }).click()
  await arrive(page, '/complete-register')
  await expect(page.getByRole('main')).toContainText(renter.email)
  await button(page, 'Create my account').click()
  await expect(page.getByRole('alert')).toContainText('Password required')
  await page.getByLabel('Password', { exact: true }).fill('rolling-door-48')
  await page.getByLabel('Confirm password', { exact: true }).fill('rolling-door-49')
  await page.getByLabel('Security answer').fill('maple')
  await button(page, 'Create my account').click()
  await expect(page.getByRole('alert')).toContainText('Passwords must match')
  await page.getByLabel('Confirm password', { exact: true }).fill('rolling-door-48')
  await button(page, 'Create my account').click()
  await arrive(page, '/rental-completed')
  await expect(page.getByRole('main')).toContainText('Your online account is ready')
  await expect(page.getByRole('main').getByRole('link', { name: 'My Units' })).toBeVisible()
  const [account] = await look(site, (db) =>
    db.selectFrom('accounts').selectAll().where('email', '=', renter.email).execute(),
  )
  expect(account?.password_hash).toMatch(/^\$argon2id\$/)

  const cookies = await page.context().cookies()
  await page.getByRole('link', { name: 'Log out' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are logged out')
  // Case 33: the old cookie is worth nothing any more.
  await page.context().addCookies(cookies)
  await page.goto('/rental-completed')
  await expect(page.getByRole('link', { name: 'My Units' })).toHaveCount(0)
})

test('who rented as a tenant on file is told that the link goes to the address on file', async ({ page }) => {
  const renter = newRenter({ first: 'Owen', last: 'Strand', email: 'owen.strand@example.com', phone: '6785550118' })
  await page.goto('/rent/ATL01/2?rentNow=1')
  await fillContact(page, renter)
  await button(page, 'Rental Information').click()
  await dialog(page, 'A tenant with this email address already exists.').getByRole('button', { name: 'Yes' }).click()
  await arrive(page, '/vehicle')
  await walk(page, '/process-payment', { facility: 'ATL01' })
  await payWithCard(page, 'visa')
  await movedIn(page)
  await page.getByRole('link', { name: 'Create My Online Account' }).click()
  await arrive(page, '/complete-register')
  await expect(page.getByRole('main')).toContainText('The link goes to the address on file')
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a unit is found, reserved, insured, signed for by typing, and paid', async ({ page, site }) => {
    const renter = newRenter()
    await page.goto('/')
    await page.getByRole('main').getByRole('textbox', { name: 'City or ZIP code' }).first().fill('32204')
    await page.getByRole('main').getByRole('button', { name: 'Search' }).first().click()
    await page.getByRole('link', { name: 'Latchkey Riverside' }).click()
    await page
      .getByRole('link', { name: /^Reserve, 10 × 10 Climate/ })
      .first()
      .click()
    await arrive(page, '/reservation-date')
    await walk(page, '/lease', { facility: 'JAX01', renter })
    await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
    await page.getByLabel('Type your full name to sign').fill('Wanda Pell')
    await button(page, 'Accept').click()
    await arrive(page, '/payment-method')
    // Its words do not follow the choice here.
    await button(page, 'Continue').click()
    await payWithCard(page, 'visa')
    // Without scripts the frame cannot move the window on: its link does.
    await page.frameLocator('iframe[title]').getByRole('link', { name: 'Continue' }).click()
    await movedIn(page)
    expect(await leasesOf(site, renter.email)).toHaveLength(1)
  })

  test('autopay is declined with a button, and a wrong form comes back with everything typed', async ({ page }) => {
    const renter = newRenter()
    await page.goto('/rent/JAX01/5?rentNow=1')
    await fillContact(page, { ...renter, zip: '303' })
    await button(page, 'Rental Information').click()
    await expect(page.getByRole('alert')).toContainText('Zip Code must be 5 digits')
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(renter.email)
    await page.getByLabel('Zip code', { exact: true }).fill(renter.zip)
    await button(page, 'Rental Information').click()
    await arrive(page, '/vehicle')
    await walk(page, '/lease', { facility: 'JAX01' })
    await page.getByRole('checkbox', { name: /^Pay automatically/ }).uncheck()
    await button(page, 'Save autopay choice').click()
    await arrive(page, '/lease')
    await expect(page.getByRole('checkbox', { name: /^Pay automatically/ })).not.toBeChecked()
  })
})

test('the keyboard alone rents a unit', async ({ page, site }) => {
  test.setTimeout(90_000)
  const renter = newRenter()
  const keys = page.keyboard
  /** Tabs until what has focus answers to this name; a button must be reachable to be pressed. */
  const reach = async (name: string | RegExp, most = 120) => {
    for (let press = 0; press < most; press += 1) {
      await keys.press('Tab')
      const here = await page.evaluate(() => {
        const inFrame = (document.activeElement as HTMLIFrameElement | null)?.contentWindow
        const element = document.activeElement as HTMLElement | null
        if (!element || inFrame) return ''
        const labels = (element as HTMLInputElement).labels
        return labels?.length ? [...labels].map((label) => label.textContent).join(' ') : (element.textContent ?? '')
      })
      if (typeof name === 'string' ? here.trim() === name : name.test(here.trim())) return
    }
    throw new Error(`No way to ${name} by keyboard on ${page.url()}`)
  }
  const type = async (label: string | RegExp, text: string) => {
    await reach(label)
    await keys.type(text)
  }
  const submit = async (label: string | RegExp, from: string) => {
    await reach(label)
    await keys.press('Enter')
    await page.waitForURL((url) => url.pathname !== from)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
  /** A group of radios takes one stop of the Tab key; the arrows choose within it. */
  const say = async (downs: number, from: string) => {
    await reach(/^Yes|^Tenant Protection/)
    if (downs === 0) await keys.press('Space')
    for (let press = 0; press < downs; press += 1) await keys.press('ArrowDown')
    await submit('Next', from)
  }

  await page.goto('/rent/RDU01/2?rentNow=1')
  await arrive(page, '/add-contact')
  await type('First name', renter.first)
  await type('Last name', renter.last)
  await type('Email', renter.email)
  await type('Phone', renter.phone)
  await type('Address', renter.address)
  await type('City', 'Raleigh')
  await type('State', 'North Car')
  await type('Zip code', '27601')
  await submit('Rental Information', '/add-contact')
  await say(1, '/vehicle')
  await say(1, '/lien-holder')
  await type("Driver's license number", '053812774')
  await type('Issued state', 'Georgia')
  await type('Birth date', '04091986')
  await type('License expiration date', '12312039')
  await type('Brief description', 'Boxes')
  await submit('Next', '/customer-info')
  await say(1, '/military')
  await reach(/^I have read this/)
  await keys.press('Space')
  await reach(/^Draw it|^Type it/)
  await keys.press('ArrowDown')
  await type('Type your full name', 'Wanda Pell')
  await submit('Accept', '/lease')
  // Nothing may be due here: another journey waives this facility's fee.
  const pay = /^Pay \$|^Store my card/
  await expect(page.getByRole('button', { name: pay })).toBeEnabled()
  await submit(pay, '/payment-method')
  await arrive(page, '/process-payment')

  // Into the card provider's frame, field by field, in its own order.
  const frame = page.frameLocator('iframe[title]')
  await expect(frame.getByLabel('Card number')).toBeVisible()
  const number = frame.getByLabel('Card number')
  for (let press = 0; press < 60; press += 1) {
    await keys.press('Tab')
    if (await number.evaluate((element) => element === document.activeElement)) break
  }
  await keys.type('4111111111111111')
  for (const text of ['1239', '123', 'Wanda Pell', '30308']) {
    await keys.press('Tab')
    await keys.press('ControlOrMeta+a')
    await keys.type(text)
  }
  await keys.press('Enter')
  await movedIn(page)
  expect(await leasesOf(site, renter.email)).toHaveLength(1)
})

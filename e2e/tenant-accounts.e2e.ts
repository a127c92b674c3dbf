import type { Page } from '@playwright/test'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { unitAsOnLease } from '../domain/texts/account.ts'
import { authenticationRequired, invalidLeaseSession } from '../domain/texts/payment.ts'
import { expect, expectAccessible, expectPageSound, siteTime, test } from './fixtures.ts'
import { change, readRecords, waitForMail } from './read-and-change-site-database.ts'
import { button, dialog, heading, main, waitForPath } from './renter-actions-and-locators.ts'
import { expectAlert, logIn, signInByToken } from './sign-in-and-pay-as-tenant.ts'

test('a tenant of two facilities logs in, chooses one and logs out, and the old cookie stops working', async ({
  page,
  context,
}) => {
  await page.goto('/recent-activity')
  await waitForPath(page, '/login')
  await expect(button(page, 'Next')).toBeDisabled()
  await expect(main(page)).toContainText('Enter your e-mail or username to go on.')
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('E-mail or username').fill('nobody@example.com')
  await button(page, 'Next').click()
  await expect(button(page, 'Log in')).toBeDisabled()
  await password.fill('no such thing')
  await button(page, 'Log in').click()
  await expect(page.getByRole('alert')).toContainText('Login failed. Please try again.')
  await expect(page).toHaveTitle(/^Error: /)
  await expectPageSound(page)

  await main(page).getByRole('link', { name: 'Use another name' }).click()
  await page.getByLabel('E-mail or username').fill('nadia.ferro@example.com')
  await button(page, 'Next').click()
  await password.fill(demoPassword)
  await button(page, /^Show/).click()
  await expect(password).toHaveAttribute('type', 'text')
  await button(page, 'Log in').click()
  await expect(heading(page)).toHaveText('Choose a facility')
  await expectPageSound(page)
  await main(page).getByRole('radio').nth(1).check()
  await button(page, 'Go on').click()
  await waitForPath(page, '/recent-activity')

  const cookies = await context.cookies()
  await page.getByRole('banner').getByRole('link', { name: 'Log out' }).first().click()
  await expect(heading(page)).toHaveText('You are logged out')
  await expectPageSound(page)
  await context.addCookies(cookies.filter((cookie) => cookie.name === 'latchkey'))
  await page.goto('/recent-activity')
  await waitForPath(page, '/login')
})

test('an alert covers the page, takes the focus and returns it when closed', async ({ page, context, site }) => {
  await page.goto('/my-units')
  await expectAlert(page, '/', 'Invalid session!')
  await page.reload()
  await expect(dialog(page, 'Invalid session!')).toHaveCount(0)
  await page.goto('/online-payment')
  await expectAlert(page, '/login', authenticationRequired)
  await signInByToken(context, site, 'mabel.crane@example.com')
  await page.goto('/online-payment-method')
  await expectAlert(page, '/my-units', invalidLeaseSession)
})

test('a tenant without an account registers on a phone and is notified by mail', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/register?locationCode=PHX01')
  await expect(page.getByLabel('Facility')).toHaveValue('PHX01')
  await button(page, 'Find my account').click()
  await expect(page.getByRole('alert')).toContainText('Last Name required')
  await expectPageSound(page)
  await page.getByLabel('Last name').fill('NOLAN ')
  await page.getByLabel('Last 4 digits of your phone number').fill('0144')
  await page.getByLabel('Unit number').fill('136')
  await button(page, 'Find my account').click()
  await expect(main(page)).toContainText(unitAsOnLease)
  await expectPageSound(page)
  await page.getByLabel('Unit number').fill('0136')
  await button(page, 'Find my account').click()
  await waitForPath(page, '/complete-register')
  await expect(main(page)).toContainText('b•••@example.com')
  await expectPageSound(page)
  await page.getByLabel('Password', { exact: true }).fill('saguaro after rain')
  await page.getByLabel('Confirm password', { exact: true }).fill('saguaro after rain')
  await page.getByLabel('Security answer').fill('Biscuit')
  await button(page, 'Create my account').click()
  await waitForPath(page, '/my-units')
  expect(await waitForMail(site, 'beatrix.nolan@example.com', /can be reached online/)).toContain('unit 0136')
})

test('without scripts a mailed code resets the password and ends every session', async ({ page, plain, site }) => {
  await logIn(page, 'tomas.ibarra@example.com')
  await plain.goto('/login')
  await main(plain).getByRole('link', { name: 'Forgot Password' }).click()
  await plain.getByLabel('E-mail or username').fill('tomas.ibarra@example.com')
  await button(plain, 'Send me a code').click()
  const code = /\b\d{4}\b/.exec(await waitForMail(site, 'tomas.ibarra@example.com', /password code/))?.[0] ?? ''
  await plain.getByLabel('Code', { exact: true }).fill([...code].join(' '))
  await button(plain, 'Go on').click()
  await plain.getByLabel('New password').fill('ropewalk at dawn')
  await plain.getByLabel('Confirm password').fill('ropewalk at dawn')
  await button(plain, 'Save my password').click()
  await expect(main(plain)).toContainText('New password saved.')
  // The page leads to the log-in page by itself.
  await waitForPath(plain, '/login')
  await page.goto('/my-units')
  await waitForPath(page, '/')
  await logIn(plain, 'tomas.ibarra@example.com', '/my-units', 'ropewalk at dawn')
})

test('the profile names wrong fields, saves, and opens its brochure in a dialog', async ({ page, context, site }) => {
  await signInByToken(context, site, 'lena.osgood@example.com')
  await page.goto('/update-profile')
  const save = button(page, 'Save')
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Zip code', { exact: true }).fill('3140')
  // The form's rules load after the page is shown, and show a message only at a field that is left after that.
  await expect(save).toBeDisabled()
  for (const label of ['First name', 'Zip code', 'City']) await page.getByLabel(label, { exact: true }).focus()
  await expect(main(page).getByText('First Name required')).toBeVisible()
  await expect(main(page).getByText('Zip Code must be 5 digits')).toBeVisible()
  await expect(main(page)).toContainText('Missing or not valid: first name, zip code.')
  await expectPageSound(page)
  await page.getByLabel('First name').fill('Lena Marie')
  await page.getByLabel('Zip code', { exact: true }).fill('31401')
  await save.click()
  await waitForPath(page, '/account-profile')
  const saved = dialog(page, 'Profile update successfully.')
  await saved.getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Lena Marie Osgood')
  await expectPageSound(page)
  await page.getByRole('link', { name: 'Insurance Brochure' }).click()
  const brochure = dialog(page, 'Insurance Brochure')
  await expect(brochure.locator('iframe')).toHaveAttribute('src', '/brochure/SAV01')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(brochure).toBeHidden()
})

/**
 * Returns functions that press Tab until the named element has the focus, check that the focus is visible, and then press
 * Enter or type.
 */
function byKeyboard(page: Page) {
  const keys = page.keyboard
  const reach = async (name: string) => {
    for (let press = 0; press < 80; press += 1) {
      await keys.press('Tab')
      const focused = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        if (!element || element === document.body) return null
        const label = element.labels?.length ? element.labels[0] : element
        const outlined = element.closest('.search') ?? element
        return {
          name: element.getAttribute('aria-label') ?? label?.textContent?.replace(/ \(optional\)$/, '').trim(),
          ring: getComputedStyle(outlined).outlineStyle !== 'none',
        }
      })
      if (focused?.name !== name) continue
      expect(focused, `the focus on ${name} of ${page.url()}`).toEqual({ name, ring: true })
      return
    }
    throw new Error(`No way to ${name} by keyboard on ${page.url()}`)
  }
  return {
    async press(name: string) {
      await reach(name)
      await keys.press('Enter')
    },
    async type(name: string, text: string) {
      await reach(name)
      await keys.press('ControlOrMeta+a')
      await keys.type(text)
    },
  }
}

test('a tenant logs in, edits the profile, changes the password and logs out by keyboard; Back shows nothing', async ({
  page,
}) => {
  const keys = page.keyboard
  const { press, type } = byKeyboard(page)
  const dismiss = async (sentence: string) => {
    const alert = dialog(page, sentence)
    await expect(alert).toBeVisible()
    // The focus is inside the dialog, and Escape closes the dialog.
    await expect.poll(() => alert.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await keys.press('Escape')
    await expect(alert).toBeHidden()
  }
  await page.goto('/login?next=%2Faccount-profile')
  // The first stop of the Tab key skips the menu.
  await keys.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#main')
  await keys.press('Enter')
  await type('E-mail or username', 'luis.amador@example.com')
  await keys.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await type('Password', demoPassword)
  await press('Log in')
  await waitForPath(page, '/account-profile')
  // Saving twice shows the message twice.
  for (const middle of ['Rae', 'Rosa']) {
    await press('Edit your profile')
    await waitForPath(page, '/update-profile')
    await type('Middle name', middle)
    await press('Save')
    await waitForPath(page, '/account-profile')
    await dismiss('Profile update successfully.')
  }
  await press('Change password')
  await waitForPath(page, '/update-password')
  await type('Current password', demoPassword)
  await type('New password', 'dovetail in walnut')
  await type('Confirm new password', 'dovetail in walnut')
  await press('Save')
  await waitForPath(page, '/my-units')
  await dismiss('New password saved.')
  await press('Log out')
  await expect(heading(page)).toHaveText('You are logged out')
  // The next user of the browser cannot see the previous page.
  await page.goBack()
  await expect(page).not.toHaveURL(/my-units|log-out/)
  await expect(main(page)).not.toContainText('Amador')
})

test('a session can be extended shortly before its end; a form that was sent after the end is restored', async ({
  page,
  site,
}) => {
  const username = 'sarah.pinckney@example.com'
  await logIn(page, username, '/account-profile')
  const endIn = (milliseconds: number) =>
    change(site, (tx) =>
      tx
        .updateTable('sign_ins')
        .set({ expires_at: siteTime() + milliseconds })
        .where('account_id', 'in', (eb) =>
          eb.selectFrom('accounts').select('account_id').where('username', '=', username),
        )
        .execute(),
    )
  await endIn(4 * 60_000)
  await page.reload()
  const warning = dialog(page, 'You will soon be signed out')
  await expect(warning).toContainText('About 4 minutes left.')
  await expectPageSound(page)
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning).toBeHidden()
  const { expires_at } = await readRecords(site, (db) =>
    db
      .selectFrom('sign_ins')
      .innerJoin('accounts', 'accounts.account_id', 'sign_ins.account_id')
      .select('sign_ins.expires_at')
      .where('username', '=', username)
      .orderBy('expires_at', 'desc')
      .executeTakeFirstOrThrow(),
  )
  expect(expires_at).toBeGreaterThan(siteTime() + 23 * 3_600_000)
  await endIn(1500)
  await page.reload()
  const ended = dialog(page, 'You have been signed out')
  await expect(ended).toBeVisible()
  await ended.getByRole('link', { name: 'Sign in again' }).click()
  await waitForPath(page, '/login')

  await logIn(page, username, '/update-profile')
  await page.locator('[name=company]').fill('Pinckney & Daughters')
  await page.locator('[name=company_state]').selectOption('SC')
  // The site's clock may be seconds behind `siteTime()`.
  await endIn(-60_000)
  await button(page, 'Save').click()
  await waitForPath(page, '/login')
  // On a slow network, a quick password manager submits the password while the page still reloads its data.
  const signedIn = Promise.withResolvers<void>()
  await page.route('**/login.data*', async (route) => {
    if (route.request().method() === 'GET') await signedIn.promise
    await route.continue()
  })
  await page.getByLabel('E-mail or username').fill(username)
  await button(page, 'Next').click()
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await waitForPath(page, '/update-profile')
  signedIn.resolve()
  await expect(page.getByRole('status').filter({ hasText: 'stands here again' })).toBeVisible()
  await expect(page.locator('[name=company]')).toHaveValue('Pinckney & Daughters')
  await expect(page.locator('[name=company_state]')).toHaveValue('SC')
  await page.reload()
  await expect(page.locator('[name=company]')).toHaveValue('')
})

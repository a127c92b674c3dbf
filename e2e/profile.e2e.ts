/** A tenant's profile, password, sign-ins and session; the brochure by e-mail; the appointment link. With and without scripts. */
import type { BrowserContext, Page } from '@playwright/test'
import { demoAppointments } from '../demo/links.ts'
import { demoPassword } from '../demo/people.ts'
import { expect, expectAccessible, type RunningSite, test } from './fixtures.ts'
import { arrive, button, dialog } from './journey.ts'
import { change, letter, look } from './records.ts'
import { lookAt, main } from './tenants.ts'

test.use({ business: 'profile' })

/** Signs in by the pages, without scripts or with them, and lands on `next`. */
async function enter(page: Page, username: string, next: string, password = demoPassword): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`)
  await page.locator('[name=username]').fill(username)
  await button(page, 'Next').click()
  await page.locator('[name=password]').fill(password)
  await main(page).locator('form:has([name=password]) button[type=submit]').last().click()
  await arrive(page, new URL(next, page.url()).pathname)
}

const plain = async (context: BrowserContext, site: RunningSite): Promise<Page> => {
  const browser = context.browser()
  if (!browser) throw new Error('No browser')
  const without = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
  return without.newPage()
}

test('a tenant looks at the profile and corrects it field by field', async ({ page, site }) => {
  await enter(page, 'lena.osgood@example.com', '/account-profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  for (const title of ['Contact info', 'Addresses', 'Payment info', 'Login info']) {
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
  }
  await expect(main(page)).toContainText('5 Cistern Square')
  await expect(main(page)).toContainText('This device')
  // The facility's own number stands in the head, not the operator's.
  await expect(page.getByRole('banner')).toContainText('(912) 555-')
  await lookAt(page)

  await page.getByRole('link', { name: 'Edit your profile' }).click()
  await arrive(page, '/update-profile')
  const save = button(page, 'Save')
  await expect(save).toBeEnabled()
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Zip code', { exact: true }).fill('3140')
  await page.getByLabel('Date of birth').fill('1332000')
  await page.getByLabel('Home phone').fill('912 555 01')
  await page.getByLabel('City', { exact: true }).focus()
  for (const words of [
    'First Name required',
    'Zip Code must be 5 digits',
    'Invalid date',
    'Phone number must be 10 digits',
  ]) {
    await expect(main(page).getByText(words)).toBeVisible()
  }
  await expect(save).toBeDisabled()
  await expect(main(page)).toContainText('Missing or not valid: first name, home phone, date of birth, zip code.')
  await lookAt(page)
  await page.getByLabel('First name').fill('Lena Marie')
  await page.getByLabel('Zip code', { exact: true }).fill('31401')
  await page.getByLabel('Date of birth').fill('02/03/1980')
  await page.getByLabel('Home phone').fill('(912) 555-0177')
  await page.getByLabel('Company', { exact: false }).first().fill('Osgood Frames')
  await expect(save).toBeEnabled()
  await save.click()
  await arrive(page, '/account-profile')
  await expect(dialog(page, 'Profile update successfully.')).toBeVisible()
  await dialog(page, 'Profile update successfully.').getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Lena Marie Osgood')
  await expect(main(page)).toContainText('(912) 555-0177')
  await letter(site, 'lena.osgood@example.com', /name was changed/)

  // The brochure opens in a dialog, and goes away again.
  await page.getByRole('link', { name: 'Insurance Brochure' }).click()
  const brochure = dialog(page, 'Insurance Brochure')
  await expect(brochure.locator('iframe')).toHaveAttribute('src', '/brochure/SAV01')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(brochure).toBeHidden()
})

test('the keyboard alone logs in, corrects the profile, changes the password and logs out; Back shows nothing', async ({
  page,
}) => {
  const keys = page.keyboard
  /** Tabs until the one that has focus is called so, and shows that it has. */
  const reach = async (name: string) => {
    for (let press = 0; press < 80; press += 1) {
      await keys.press('Tab')
      const here = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        if (!element || element === document.body) return null
        const named = element.labels?.length ? element.labels[0] : element
        const seen = element.closest('.search') ?? element
        return {
          name: element.getAttribute('aria-label') ?? named?.textContent?.replace(/ \(optional\)$/, '').trim(),
          ring: getComputedStyle(seen).outlineStyle !== 'none',
        }
      })
      if (here?.name !== name) continue
      expect(here, `the focus on ${name} of ${page.url()}`).toEqual({ name, ring: true })
      return
    }
    throw new Error(`No way to ${name} by keyboard on ${page.url()}`)
  }
  const press = async (name: string) => {
    await reach(name)
    await keys.press('Enter')
  }
  const type = async (name: string, text: string) => {
    await reach(name)
    await keys.press('ControlOrMeta+a')
    await keys.type(text)
  }
  const answer = async (sentence: string) => {
    const shown = dialog(page, sentence)
    await expect(shown).toBeVisible()
    // The focus is inside, stays there, and Escape is an answer as well.
    expect(await shown.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await keys.press('Escape')
    await expect(shown).toBeHidden()
  }

  await page.goto('/login?next=%2Faccount-profile')
  // The first stop of the Tab key leads past the menu.
  await keys.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#main')
  await keys.press('Enter')
  await type('E-mail or username', 'edith@marlow-cabinets.example')
  await keys.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await type('Password', demoPassword)
  await press('Log in')
  await arrive(page, '/account-profile')
  await press('Edit your profile')
  await arrive(page, '/update-profile')
  await type('Middle name', 'Rae')
  await press('Save')
  await arrive(page, '/account-profile')
  await answer('Profile update successfully.')
  await expect(main(page)).toContainText('Rae')
  // Saved again at once, it is said again.
  await press('Edit your profile')
  await arrive(page, '/update-profile')
  await press('Save')
  await arrive(page, '/account-profile')
  await answer('Profile update successfully.')
  await press('Change password')
  await arrive(page, '/update-password')
  await type('Current password', demoPassword)
  await type('New password', 'dovetail in walnut')
  await type('Confirm new password', 'dovetail in walnut')
  await press('Save')
  await arrive(page, '/my-units')
  await answer('New password saved.')
  await press('Log out')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are logged out')
  await expectAccessible(page)
  // What was on the screen is not shown to the next user of the browser.
  await page.goBack()
  await expect(main(page)).not.toContainText('Marlow')
  await expect(page).not.toHaveURL(/my-units/)
})

test('a new e-mail address counts once its link was confirmed, and the old mailbox undoes it', async ({
  page,
  site,
}) => {
  await enter(page, 'wendell.orr@example.com', '/update-profile')
  await page.getByLabel('Email', { exact: true }).fill('wendell@heron.example')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toContainText('Password required')
  await lookAt(page)
  await page.getByLabel('Current password').fill(demoPassword)
  await button(page, 'Save').click()
  await arrive(page, '/account-profile')
  await dialog(page, 'Profile update successfully.').getByRole('button', { name: 'OK' }).click()
  await expect(main(page)).toContainText('Your new email address waits to be confirmed')
  await expect(main(page)).toContainText('wendell.orr@example.com')
  await lookAt(page)
  const { text } = await letter(site, 'wendell@heron.example', /Confirm your new email address/)
  const link = /\/confirm-email\S+/.exec(text)?.[0] ?? ''
  await page.goto(link)
  await expect(main(page)).toContainText('wendell@heron.example')
  await lookAt(page)
  await button(page, 'Confirm').click()
  await arrive(page, '/account-profile')
  await expect(dialog(page, 'Your email address is changed.')).toBeVisible()
  const told = await letter(site, 'wendell.orr@example.com', /e-mail address was changed/)
  await letter(site, 'wendell@heron.example', /e-mail address was changed/)
  await page.goto(link)
  await expect(main(page)).toContainText('This link does not work any more')
  await lookAt(page)

  const undo = /\/account-undo\S+/.exec(told.text)?.[0] ?? ''
  await page.goto(undo)
  await expect(main(page)).toContainText('wendell.orr@example.com')
  await lookAt(page)
  await button(page, 'Undo it').click()
  await expect(main(page)).toContainText('The change is undone, and everybody is signed out.')
  await page.getByLabel('New password', { exact: true }).fill(demoPassword)
  await page.getByLabel('Confirm password', { exact: true }).fill(demoPassword)
  await button(page, 'Save my password').click()
  await expect(main(page)).toContainText('New password saved.')
  await page.goto(undo)
  await expect(main(page)).toContainText('This link does not work any more')
  await lookAt(page)
  await enter(page, 'wendell.orr@example.com', '/account-profile')
  await expect(main(page)).toContainText('wendell.orr@example.com')
})

test('a new password signs out everywhere else; sign-ins are ended one by one', async ({ page, context, site }) => {
  const elsewhere = await plain(context, site)
  await enter(elsewhere, 'roscoe.finch@example.com', '/account-profile')
  await enter(page, 'roscoe.finch@example.com', '/account-profile')
  const signedIn = page.getByRole('list', { name: 'Signed in' }).getByRole('listitem')
  await expect(signedIn).toHaveCount(2)
  await expect(main(page)).toContainText('Autopay: Visa ending ')
  await lookAt(page)
  await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
  await dialog(page, 'That device is signed out.').getByRole('button', { name: 'OK' }).click()
  await expect(signedIn).toHaveCount(1)
  await elsewhere.goto('/account-profile')
  await arrive(elsewhere, '/login')

  // Without scripts: the browser next to it, which the new password then signs out.
  await enter(elsewhere, 'roscoe.finch@example.com', '/update-password')
  await page.reload()
  await expect(signedIn).toHaveCount(2)
  await button(page, 'Sign out everywhere else').click()
  await dialog(page, 'You are signed out everywhere else.').getByRole('button', { name: 'OK' }).click()
  await expect(signedIn).toHaveCount(1)
  await elsewhere.goto('/update-password')
  await arrive(elsewhere, '/login')
  await enter(elsewhere, 'roscoe.finch@example.com', '/update-password')
  await page.getByRole('link', { name: 'Change password' }).click()
  await arrive(page, '/update-password')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await arrive(page, '/account-profile')
  await page.getByRole('link', { name: 'Change password' }).click()
  await arrive(page, '/update-password')
  await lookAt(page)
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toContainText('There is a problem')
  await expect(page).toHaveTitle(/^Error: /)
  for (const words of ['Password required', 'Confirm Password required']) {
    await expect(page.getByRole('alert').getByText(words).first()).toBeVisible()
  }
  await page.getByLabel('Current password').fill('guess-guess')
  await page.getByLabel('New password', { exact: true }).fill('a new rolling door')
  await page.getByLabel('Confirm new password').fill('another door')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toContainText('Passwords must match')
  await page.getByLabel('Confirm new password').fill('a new rolling door')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toContainText('Please enter correct information.')
  await page.getByLabel('Current password').fill(demoPassword)
  await page.getByLabel('New password', { exact: true }).fill('a new rolling door')
  await page.getByLabel('Confirm new password').fill('a new rolling door')
  await button(page, 'Save').click()
  await arrive(page, '/my-units')
  await expect(dialog(page, 'New password saved.')).toBeVisible()
  await letter(site, 'roscoe.finch@example.com', /password was changed/)
  await elsewhere.goto('/update-password')
  await arrive(elsewhere, '/login')
  await elsewhere.context().close()
})

test('without scripts the profile is corrected, refused and saved all the same', async ({ context, site }) => {
  const page = await plain(context, site)
  await enter(page, 'felix.baum@example.com', '/my-units')
  // An address that is missing is asked for.
  await expect(main(page)).toContainText('Information Missing')
  await page.getByRole('link', { name: 'Update', exact: true }).click()
  await arrive(page, '/update-profile')
  await expect(main(page)).not.toContainText('Information Missing')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toContainText('Address required')
  await expect(page.getByRole('alert')).toContainText('City required')
  await expect(page.getByRole('alert')).toContainText('State must be valid')
  await expect(page.getByRole('alert')).toContainText('Zip Code must be 5 digits')
  await page.locator('[name=address]').fill('12 Wake Street')
  await page.locator('[name=city]').fill('Raleigh')
  await page.locator('[name=state]').selectOption('NC')
  await page.locator('[name=zip]').fill('27601')
  await button(page, 'Save').click()
  await arrive(page, '/account-profile')
  await expect(page.locator('dialog')).toContainText('Profile update successfully.')
  await expect(main(page)).toContainText('12 Wake Street')
  await expect(main(page)).not.toContainText('Information Missing')
  // The brochure is a plain link here.
  await expect(page.getByRole('link', { name: 'Insurance Brochure' })).toHaveCount(0)
  await page.context().close()
})

test('five minutes before the end of a sign-in it can be prolonged; afterwards the page says so', async ({
  page,
  site,
}) => {
  await enter(page, 'sarah.pinckney@example.com', '/account-profile')
  const endIn = (milliseconds: number) =>
    change(site, (tx) =>
      tx
        .updateTable('sign_ins')
        .set({ expires_at: Date.now() + milliseconds })
        .where('account_id', 'in', (eb) =>
          eb.selectFrom('accounts').select('account_id').where('username', '=', 'sarah.pinckney@example.com'),
        )
        .execute(),
    )
  await endIn(4 * 60_000)
  await page.reload()
  const warning = dialog(page, 'You will soon be signed out')
  await expect(warning).toContainText('About 4 minutes are left.')
  await lookAt(page)
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning).toBeHidden()
  const { expires_at } = await look(site, (db) =>
    db.selectFrom('sign_ins').select('expires_at').orderBy('expires_at', 'desc').executeTakeFirstOrThrow(),
  )
  expect(expires_at).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  await endIn(2500)
  await page.reload()
  const ended = dialog(page, 'You have been signed out')
  await expect(ended).toBeVisible()
  await expectAccessible(page)
  await ended.getByRole('link', { name: 'Sign in again' }).click()
  await arrive(page, '/login')

  // Ended from elsewhere in the middle of a form: it stands there again once its owner is back.
  await enter(page, 'sarah.pinckney@example.com', '/update-profile')
  await page.locator('[name=company]').fill('Pinckney & Daughters')
  await page.locator('[name=company_state]').selectOption('SC')
  await endIn(0)
  await button(page, 'Save').click()
  await arrive(page, '/login')
  // A slow network and a quick password manager: the second press comes while the page reads its own data again.
  let bring = () => {}
  const sent = new Promise<void>((done) => {
    bring = done
  })
  await page.route('**/login.data*', async (route) => {
    if (route.request().method() === 'GET') await sent
    await route.continue()
  })
  await page.locator('[name=username]').fill('sarah.pinckney@example.com')
  await button(page, 'Next').click()
  await page.locator('[name=password]').fill(demoPassword)
  await page.locator('[name=password]').press('Enter')
  await arrive(page, '/update-profile')
  bring()
  await expect(page.getByRole('status').filter({ hasText: 'stands here again' })).toBeVisible()
  await expect(page.locator('[name=company]')).toHaveValue('Pinckney & Daughters')
  await expect(page.locator('[name=company_state]')).toHaveValue('SC')
  await lookAt(page)
  await page.reload()
  await expect(page.locator('[name=company]')).toHaveValue('')
})

test('the brochure by e-mail, with every answer', async ({ page, context, site }) => {
  await page.goto('/download-sboa')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locate your account by email')
  await expect(button(page, 'Search')).toBeDisabled()
  await lookAt(page)
  await page.getByLabel('Email').fill('nobody@example.com')
  // While it looks, the button cannot be pressed again.
  let answer = () => {}
  const asked = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/download-sboa.data**', async (route) => {
    await asked
    await route.continue()
  })
  await button(page, 'Search').click()
  await expect(button(page, 'Searching')).toBeDisabled()
  answer()
  await expect(page.getByRole('alert')).toContainText('Tenant not found with this email.')
  await page.unroute('**/download-sboa.data**')
  await lookAt(page)
  await page.getByLabel('Email').fill('felix.baum@example.com')
  await button(page, 'Search').click()
  await expect(page.getByRole('alert')).toContainText('SBOA not available')
  await page.getByLabel('Email').fill('marcus.tilley@example.com')
  await button(page, 'Search').click()
  await expect(main(page)).toContainText('Here is your brochure')
  await lookAt(page)
  const href = await page.getByRole('link', { name: 'Download the brochure' }).getAttribute('href')
  const file = await page.request.get(href ?? '')
  expect(file.headers()['content-type']).toBe('application/pdf')

  const without = await plain(context, site)
  await without.goto('/download-sboa')
  await button(without, 'Search').click()
  await expect(without.getByRole('alert')).toContainText('Email required')
  await without.locator('[name=email]').fill('priya.venkat@example.com')
  await button(without, 'Search').click()
  await expect(main(without)).toContainText('Here is your brochure')
  await without.context().close()
})

test('the appointment link confirms by itself, fails, or asks for another time; without scripts by a button', async ({
  page,
  context,
  site,
}) => {
  const [mine, other] = demoAppointments
  if (!mine || !other) throw new Error('The demo has no appointments')
  const state = async (id: number) =>
    look(site, (db) =>
      db.selectFrom('appointments').select('state').where('appointment_id', '=', id).executeTakeFirstOrThrow(),
    )
  // A mail program that looks at the link confirms nothing.
  await page.request.get(mine.path)
  const without = await plain(context, site)
  await without.goto(mine.path)
  await expect(without.getByRole('heading', { level: 1 })).toHaveText('Confirming your appointment')
  expect(await state(1001)).toEqual({ state: 'proposed' })
  await button(without, 'Confirm').click()
  await expect(without.getByRole('heading', { level: 1 })).toHaveText('Your appointment is confirmed')
  await expect(main(without)).toContainText('at 10:00 AM')
  expect(await state(1001)).toEqual({ state: 'confirmed' })
  await without.context().close()

  await page.goto(mine.path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your appointment is confirmed')
  await lookAt(page)
  await page.goto(other.path)
  await expect(main(page)).toContainText('New options will come soon')
  await lookAt(page)
  expect(await state(1002)).toEqual({ state: 'other' })
  await page.goto(mine.path.replace(/confirmation_token=\w+/, 'confirmation_token=0'))
  await expect(main(page)).toContainText('Appointment confirmation failed. Error: The link is not valid.')
  await expect(page).toHaveTitle(/^Error: /)
  await lookAt(page)
  await page.getByRole('link', { name: 'Done' }).click()
  await arrive(page, '/')
  await page.goto('/confirm_appointment?appointment_id=x')
  await arrive(page, '/')
})

/** Accounts: logging in and out, registering, resetting a password, finding a gate code, paying as a guest. */
import type { Page } from '@playwright/test'
import { demoPassword } from '../demo/people.ts'
import { expect, test } from './fixtures.ts'
import { arrive, button, dialog } from './journey.ts'
import { change, letter, look } from './records.ts'
import { lookAt, main } from './tenants.ts'

test.use({ business: 'accounts' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function name(page: Page, username: string): Promise<void> {
  await page.getByLabel('E-mail or username').fill(username)
  await button(page, 'Next').click()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
}

async function enter(page: Page, username: string, password = demoPassword): Promise<void> {
  await page.goto('/login')
  await name(page, username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Log in').click()
}

test('a tenant of two facilities logs in, chooses one, logs out, and the old cookie is dead', async ({
  page,
  context,
}) => {
  await page.goto('/recent-activity')
  await arrive(page, '/login')
  await expect(button(page, 'Next')).toBeDisabled()
  await expect(main(page)).toContainText('Enter your e-mail or username to go on.')
  for (const [label, href] of [
    ['Forgot Password', '/forgot?next=%2Frecent-activity'],
    ['Register', '/register?next=%2Frecent-activity'],
    ['Make a Payment', '/guest/find-email'],
    ['Find an Existing Reservation', '/find-reservation'],
  ] as const) {
    await expect(main(page).getByRole('link', { name: label, exact: true })).toHaveAttribute('href', href)
  }
  await lookAt(page)

  // An unknown name is asked for its password as well.
  await name(page, 'nobody@example.com')
  await expect(button(page, 'Log in')).toBeDisabled()
  await lookAt(page)
  await page.getByLabel('Password', { exact: true }).fill('no such thing')
  await button(page, 'Log in').click()
  await expect(page.getByRole('alert')).toContainText('Login failed. Please try again.')
  await expect(page).toHaveTitle(/^Error: /)
  await lookAt(page)

  await main(page).getByRole('link', { name: 'Use another name' }).click()
  await page.goto('/login?next=%2Frecent-activity')
  await name(page, 'nadia.ferro@example.com')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await button(page, /^Show/).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await button(page, 'Log in').click()
  await expect(heading(page)).toHaveText('Choose a facility')
  await lookAt(page)
  await main(page).getByRole('radio').nth(1).check()
  await button(page, 'Go on').click()
  await arrive(page, '/recent-activity')
  await expect(page.getByRole('banner').getByRole('link', { name: 'My Units' }).first()).toBeVisible()

  const cookies = await context.cookies()
  await page.getByRole('banner').getByRole('link', { name: 'Log out' }).first().click()
  await expect(heading(page)).toHaveText('You are logged out')
  await lookAt(page)
  await context.addCookies(cookies.filter((cookie) => cookie.name === 'latchkey'))
  await page.goto('/recent-activity')
  await arrive(page, '/login')
})

test('another name than the e-mail, a facility not taken over yet, and no way out by the next path', async ({
  page,
}) => {
  await enter(page, 'hoverby')
  await arrive(page, '/my-units')
  await page.goto('/login?next=//evil.example/x')
  await arrive(page, '/my-units')
  await page.goto('/log-out')
  await main(page).getByRole('button', { name: 'Log out' }).click()
  await enter(page, 'clement.ward@example.com')
  await expect(page.getByRole('alert')).toContainText(
    'We are still in the process of migrating your account information, please check back in 24-48 hours',
  )
})

test('a tenant without an account registers, on a phone, and is told by mail', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/register?locationCode=PHX01')
  await expect(page.getByLabel('Facility')).toHaveValue('PHX01')
  await expect(main(page)).toContainText(
    "It must match exactly as on your lease. Some units have a '0' prefix, such as 0214.",
  )
  await lookAt(page)
  await button(page, 'Find my account').click()
  await expect(page.getByRole('alert')).toContainText('Last Name required')
  await page.getByLabel('Last name').fill('NOLAN ')
  await page.getByLabel('Last 4 digits of your phone number').fill('0145')
  await page.getByLabel('Unit number').fill('136')
  await button(page, 'Find my account').click()
  await expect(page.getByRole('alert')).toContainText('Please enter correct information.')
  await lookAt(page)
  await page.getByLabel('Last 4 digits of your phone number').fill('0144')
  await button(page, 'Find my account').click()
  await arrive(page, '/complete-register')
  await expect(main(page)).toContainText('b•••@example.com')
  await lookAt(page)
  await page.getByLabel('Password', { exact: true }).fill('password1')
  await page.getByLabel('Confirm password', { exact: true }).fill('password1')
  await page.getByLabel('Security answer').fill('Biscuit')
  await button(page, 'Create my account').click()
  await expect(page.getByRole('alert')).toContainText('one of those that are tried first')
  await page.getByLabel('Password', { exact: true }).fill('saguaro after rain')
  await page.getByLabel('Confirm password', { exact: true }).fill('saguaro after rain')
  await button(page, 'Create my account').click()
  await arrive(page, '/my-units')
  expect((await letter(site, 'beatrix.nolan@example.com', /can be reached online/)).text).toContain('unit 0136')

  await page.goto('/register?locationCode=ATL01')
  await page.getByLabel('Last name').fill('Tilley')
  await page.getByLabel('Last 4 digits of your phone number').fill('0112')
  await page.getByLabel('Unit number').fill('318')
  await button(page, 'Find my account').click()
  await expect(main(page)).toContainText('You have an online account already')
  await expect(main(page).getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
  await expect(main(page).getByRole('link', { name: 'Forgot Password' })).toHaveAttribute('href', '/forgot')
  await lookAt(page)
})

test('a stranger’s guesses lock strangers out; the owner is let in by a mailed link', async ({ page, site }) => {
  const guess = (password: string) =>
    page.request.post('/login', {
      form: { intent: 'login', username: 'ike.brannigan@example.com', password },
      headers: { Origin: site.url },
    })
  const statuses = []
  for (let tried = 0; tried < 11; tried += 1) statuses.push((await guess(`guess ${tried}`)).status())
  expect(statuses).toEqual([...Array(10).fill(403), 429])
  await enter(page, 'ike.brannigan@example.com')
  await expect(main(page)).toContainText('Were they not your tries?')
  await lookAt(page)
  await button(page, 'Mail me the link').click()
  await expect(main(page)).toContainText('If this is an account of ours, we have mailed its owner a link')
  const { text } = await letter(site, 'ike.brannigan@example.com', /Let yourself back in/)
  await page.goto(/\/login\?unlock=\S+/.exec(text)?.[0] ?? '')
  await expect(main(page)).toContainText('lets you try your password again in this browser')
  await lookAt(page)
  await button(page, 'Go on').click()
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await button(page, 'Log in').click()
  await arrive(page, '/my-units')
  await page.goto('/log-out')
  await main(page).getByRole('button', { name: 'Log out' }).click()
  await page.goto('/login?unlock=not-ours')
  await expect(main(page)).toContainText('This link is too old or was not made by us.')
})

test('the banner is shown on every page', async ({ page, site }) => {
  const set = (name: string, value: string) =>
    change(site, (tx) =>
      tx
        .insertInto('settings')
        .values({ name, value, updated_at: Date.now() })
        .onConflict((clash) => clash.column('name').doUpdateSet({ value }))
        .execute(),
    )
  await set('app_banner', 'Closed on <b>Thanksgiving</b>.<script>document.title = "gone"</script>')
  const banner = page.getByRole('region', { name: 'Notice' })
  for (const path of ['/login', '/size-guide']) {
    await expect(async () => {
      await page.goto(path)
      await expect(banner).toHaveText('Closed on Thanksgiving.', { timeout: 500 })
    }).toPass()
    await expect(page).not.toHaveTitle('gone')
  }
  await lookAt(page)
})

test('a password is reset by the mailed code, and every sign-in ends', async ({ page, site, browser }) => {
  const elsewhere = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enter(elsewhere, 'tomas.ibarra@example.com')
  await arrive(elsewhere, '/my-units')

  await page.goto('/login')
  await main(page).getByRole('link', { name: 'Forgot Password' }).click()
  await arrive(page, '/forgot')
  await lookAt(page)
  await page.getByLabel('E-mail or username').fill('nobody@example.com')
  await button(page, 'Send me a code').click()
  await expect(page.getByRole('alert')).toContainText(
    'Account not found, please use the Sign Up button to register your account.',
  )
  await expect(main(page).getByRole('link', { name: 'Sign Up' })).toBeVisible()
  await page.getByLabel('E-mail or username').fill('tomas.ibarra@example.com')
  await button(page, 'Send me a code').click()
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  await lookAt(page)
  const { text } = await letter(site, 'tomas.ibarra@example.com', /password code/)
  const code = /\b\d{4}\b/.exec(text)?.[0] ?? ''
  await page.getByLabel('Code', { exact: true }).fill(code === '0000' ? '0001' : '0000')
  await button(page, 'Go on').click()
  await expect(page.getByRole('alert')).toContainText('Please enter the correct code.')
  await page.getByLabel('Code', { exact: true }).fill([...code].join(' '))
  await button(page, 'Go on').click()
  await expect(page.getByLabel('New password')).toBeVisible()
  await lookAt(page)
  await page.getByLabel('New password').fill('ropewalk at dawn')
  await page.getByLabel('Confirm password').fill('ropewalk at dusk')
  await button(page, 'Save my password').click()
  await expect(page.getByRole('alert')).toContainText('Passwords must match')
  await page.getByLabel('Confirm password').fill('ropewalk at dawn')
  await button(page, 'Save my password').click()
  await expect(main(page)).toContainText('New password saved.')
  await arrive(page, '/login')

  await elsewhere.goto('/my-units')
  await expect(elsewhere).not.toHaveURL(/my-units$/)
  await enter(page, 'tomas.ibarra@example.com', 'ropewalk at dawn')
  await arrive(page, '/my-units')
})

test('a gate code goes to the address or the phone on file', async ({ page, site }) => {
  await page.goto('/find-gate-code')
  await expect(button(page, 'Send my gate code')).toBeDisabled()
  await lookAt(page)
  await page.getByLabel('E-mail or phone').fill('nobody@example.com')
  await button(page, 'Send my gate code').click()
  await expect(page.getByRole('alert')).toContainText(
    /We were unable to locate your account, please log into your account or contact customer service at \(\d{3}\) \d{3}-\d{4}\./,
  )
  await page.getByLabel('E-mail or phone').fill('(678) 555-0116')
  await button(page, 'Send my gate code').click()
  const sent = 'We found your account, your gate code is on its way to your phone or email address.'
  await expect(main(page)).toContainText(sent)
  await lookAt(page)
  await expect
    .poll(() =>
      look(site, (db) =>
        db.selectFrom('mailbox').select('channel').where('recipient', 'like', '%6785550116%').execute(),
      ),
    )
    .toContainEqual({ channel: 'sms' })
  await page.getByLabel('E-mail or phone').fill('PRIYA.venkat@example.com')
  await button(page, 'Send my gate code').click()
  await expect(main(page)).toContainText(sent)
  expect((await letter(site, 'priya.venkat@example.com', /gate code/)).text).toMatch(/\b\d{4,6}\b/)
})

test('a guest is found by e-mail, and turned back without having been', async ({ page }) => {
  await page.goto('/guest/find-units')
  await arrive(page, '/guest/find-email')
  await dialog(page, 'Guest tenant session not found.').getByRole('button', { name: 'OK' }).click()
  await expect(button(page, 'Search')).toBeDisabled()
  await expect(main(page).getByRole('link', { name: "I don't have an email address on my account" })).toHaveAttribute(
    'href',
    '/register',
  )
  await lookAt(page)
  await page.getByLabel('Email').fill('nobody@example.com')
  await button(page, 'Search').click()
  await expect(page.getByRole('alert')).toContainText('Email not found.')
  await page.getByLabel('Email').fill('nadia.ferro@example.com')
  await button(page, 'Search').click()
  await arrive(page, '/guest/find-units')
  await expect(main(page).getByRole('listitem')).toHaveCount(2)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the doors open, and the saved password leads on by itself', async ({ page, site }) => {
    await page.goto('/login?next=%2Faccount-profile')
    await page.getByLabel('E-mail or username').fill('curtis.yoder@example.com')
    await button(page, 'Next').click()
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await button(page, 'Log in').click()
    await expect(page.getByRole('alert')).toContainText('Login failed. Please try again.')
    await main(page).getByRole('link', { name: 'Forgot Password' }).click()
    await page.getByLabel('E-mail or username').fill('curtis.yoder@example.com')
    await button(page, 'Send me a code').click()
    const { text } = await letter(site, 'curtis.yoder@example.com', /password code/)
    await page.getByLabel('Code', { exact: true }).fill(/\b\d{4}\b/.exec(text)?.[0] ?? '')
    await button(page, 'Go on').click()
    await page.getByLabel('New password').fill('cupola in the mist')
    await page.getByLabel('Confirm password').fill('cupola in the mist')
    await button(page, 'Save my password').click()
    await expect(main(page)).toContainText('New password saved.')
    await arrive(page, '/login')
  })
})

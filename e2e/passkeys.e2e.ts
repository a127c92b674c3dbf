/** Passkeys in the browser: the virtual authenticator of Chromium makes and uses them as a phone or a password manager does. */
import type { CDPSession, Page, Request } from '@playwright/test'
import { demoPassword } from '../demo/people.ts'
import { expect, test } from './fixtures.ts'
import { arrive, button, dialog } from './journey.ts'
import { letter } from './records.ts'
import { lookAt, main } from './tenants.ts'

test.use({ business: 'passkeys' })

interface Authenticator {
  cdp: CDPSession
  id: string
}

/** @param fillsIn answers at once what a field's list would offer */
async function addAuthenticator(page: Page, fillsIn = false): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: fillsIn },
    },
  })
  return { cdp, id: authenticatorId }
}

/** Whether the user touches the sensor; until then a field's list waits. */
const present = ({ cdp, id }: Authenticator, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

async function enter(page: Page, username: string, next = '/my-units'): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('E-mail or username').fill(username)
  await button(page, 'Next').click()
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await button(page, 'Log in').click()
  await arrive(page, next)
}

async function close(page: Page, sentence: string): Promise<void> {
  await dialog(page, sentence).getByRole('button', { name: 'OK' }).click()
}

test('a tenant adds a passkey, signs in with it, names and removes it; a copy of the answer is worth nothing', async ({
  page,
  site,
}) => {
  const authenticator = await addAuthenticator(page)
  await enter(page, 'roscoe.finch@example.com')
  const offer = main(page).getByRole('heading', { name: 'Sign in without your password' })
  await expect(offer).toBeVisible()
  await lookAt(page)
  await main(page).getByRole('link', { name: 'Add a passkey' }).click()
  await arrive(page, '/add-passkey')
  // Also just after signing in: a copied cookie would be as fresh.
  await button(page, 'Create passkey').click()
  await expect(page.getByRole('alert')).toContainText('Current Password required')
  await page.getByLabel('Current password').fill(demoPassword)
  await expect(page.getByLabel('Name')).toHaveValue(/^Chrome on /)
  await page.getByLabel('Name').fill('Roscoe’s laptop')
  await lookAt(page)
  await present(authenticator, true)
  await button(page, 'Create passkey').click()
  await arrive(page, '/account-profile')
  await close(page, 'Your passkey is saved. You can sign in with it from now on.')
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Roscoe’s laptop')
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Not used yet.')
  await lookAt(page)
  await letter(site, 'roscoe.finch@example.com', /passkey was added/)
  // The same device has one now.
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Current password').fill(demoPassword)
  await button(page, 'Create passkey').click()
  await expect(page.getByRole('alert')).toContainText('This device has a passkey for your account already.')
  await lookAt(page)
  await page.goto('/my-units')
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
  await expect(offer).toHaveCount(0)

  // By the button, on to `next`.
  await present(authenticator, false)
  await page.goto('/log-out')
  await page.goto('/log-out')
  if (await button(page, 'Log out').isVisible()) await button(page, 'Log out').click()
  await page.goto('/recent-activity')
  await arrive(page, '/login')
  await expect(button(page, 'Sign in with a passkey')).toBeVisible()
  await lookAt(page)
  let sent: Request | undefined
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postData()?.includes('intent=passkey')) sent = request
  })
  const cookies = await page.context().cookies()
  await present(authenticator, true)
  await button(page, 'Sign in with a passkey').click()
  await arrive(page, '/recent-activity')
  expect(sent).toBeDefined()

  // A replay of the answer, with the cookie of then.
  const again = await fetch(`${site.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      origin: site.url,
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    body: sent?.postData() ?? '',
  })
  expect(again.status).toBe(400)
  expect(await again.text()).toContain('That took too long. Please try again.')

  await page.goto('/account-profile')
  const list = page.getByRole('list', { name: 'Passkeys' })
  await expect(list).toContainText('Last used')
  await expect(list).toContainText('Signed in with it')
  await list.getByText('Rename', { exact: false }).first().click()
  await list.getByLabel('Name').fill('Old laptop')
  await list.getByRole('button', { name: 'Save' }).click()
  await close(page, 'The passkey has its new name.')
  await expect(list).toContainText('Old laptop')
  await list.getByRole('button', { name: 'Remove Old laptop' }).click()
  await close(page, 'That passkey no longer signs in to your account.')
  await expect(main(page)).toContainText('You have none.')
  await letter(site, 'roscoe.finch@example.com', /passkey was removed/)

  // The device still has it, and the site no longer knows it.
  await page.context().clearCookies()
  await present(authenticator, false)
  await page.goto('/login')
  await present(authenticator, true)
  await button(page, 'Sign in with a passkey').click()
  await expect(page.getByRole('alert')).toContainText('This passkey did not work.')
  await arrive(page, '/login')
  // The password goes on as before.
  await present(authenticator, false)
  await enter(page, 'roscoe.finch@example.com')
})

test('the list of the username’s field signs in; two accounts on one device are told apart; the offer is declined for good', async ({
  page,
}) => {
  const authenticator = await addAuthenticator(page)
  const add = async (username: string) => {
    await enter(page, username)
    await page.goto('/add-passkey')
    await present(authenticator, true)
    await page.getByLabel('Current password').fill(demoPassword)
    await button(page, 'Create passkey').click()
    await arrive(page, '/account-profile')
    await close(page, 'Your passkey is saved. You can sign in with it from now on.')
    await present(authenticator, false)
    await page.context().clearCookies()
  }
  await add('mabel.crane@example.com')
  const { credentials } = await authenticator.cdp.send('WebAuthn.getCredentials', { authenticatorId: authenticator.id })
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

  // As soon as the field's list may answer, it does.
  await page.goto('/login?next=%2Faccount-profile')
  await expect(page.getByLabel('E-mail or username')).toHaveAttribute('autocomplete', 'username webauthn')
  await present(authenticator, true)
  await page.goto('/login?next=%2Faccount-profile')
  await arrive(page, '/account-profile')
  await expect(main(page)).toContainText('mabel.crane@example.com')
  await present(authenticator, false)
  await page.context().clearCookies()

  // Another account's passkey on the same device stands beside it.
  await add('lena.osgood@example.com')
  const both = await authenticator.cdp.send('WebAuthn.getCredentials', { authenticatorId: authenticator.id })
  expect(new Set(both.credentials.map((one) => one.userHandle)).size).toBe(2)
  const mabel = both.credentials.find((one) => one.credentialId === credentials[0]?.credentialId)
  await authenticator.cdp.send('WebAuthn.removeCredential', {
    ...{ authenticatorId: authenticator.id, credentialId: mabel?.credentialId ?? '' },
  })
  await page.goto('/login?next=%2Faccount-profile')
  await present(authenticator, true)
  await button(page, 'Sign in with a passkey').click()
  await arrive(page, '/account-profile')
  await expect(main(page)).toContainText('lena.osgood@example.com')
  await present(authenticator, false)
  await page.context().clearCookies()

  await enter(page, 'ruth.akers@example.com')
  await button(page, 'No, thanks').click()
  await arrive(page, '/my-units')
  await expect(main(page).getByRole('heading', { name: 'Sign in without your password' })).toHaveCount(0)
  await page.reload()
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
  await expect(main(page).getByRole('heading', { name: 'Sign in without your password' })).toHaveCount(0)
})

test('a browser without passkeys reads nothing of them, and its log-in loads nothing more', async ({
  browser,
  site,
}) => {
  const without = await browser.newContext({ baseURL: site.url })
  await without.addInitScript(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  const page = await without.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await enter(page, 'joan.pettibone@example.com')
  await expect(main(page)).not.toContainText(/passkey/i)
  expect(asked.filter((path) => /passkeys-in-browser|passkey-options/.test(path))).toEqual([])
  await page.goto('/add-passkey')
  await expect(main(page)).toContainText('This browser cannot make a passkey here.')
  await expect(button(page, 'Create passkey')).toBeDisabled()
  await without.close()

  // Without scripts the form says so, and the log-in is as it was.
  const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
  const still = await plain.newPage()
  await still.goto('/login?next=%2Fadd-passkey')
  await expect(still.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await still.locator('[name=username]').fill('joan.pettibone@example.com')
  await button(still, 'Next').click()
  await still.locator('[name=password]').fill(demoPassword)
  await button(still, 'Log in').click()
  await arrive(still, '/add-passkey')
  await button(still, 'Create passkey').click()
  await expect(main(still)).toContainText('Use a current one with scripts turned on.')
  await plain.close()
})

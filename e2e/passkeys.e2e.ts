/** Passkeys in the browser. Chromium's virtual authenticator creates and uses them like a phone or password manager. */
import type { CDPSession, Page } from '@playwright/test'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { expect, expectPageSound, test } from './fixtures.ts'
import { button, dialog, heading, main, waitForPath } from './renter-actions-and-locators.ts'
import { logIn } from './sign-in-and-pay-as-tenant.ts'

interface Authenticator {
  cdp: CDPSession
  id: string
}

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      const credential = get(options)
      document.documentElement.dataset.passkeys = 'asked'
      return credential
    }
  })
  return { cdp, id: authenticatorId }
}

/** Sets whether the user touches the sensor. A passkey request that begins without the touch stays unanswered. */
const setPresence = ({ cdp, id }: Authenticator, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

/**
 * Signs in by the button. The username field requests a passkey when the page opens, and would receive it if the sensor
 * were touched before that request.
 */
async function signInByButton(page: Page, authenticator: Authenticator): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-passkeys', 'asked')
  await setPresence(authenticator, true)
  await button(page, 'Sign in with a passkey').click()
}

async function addPasskey(page: Page, authenticator: Authenticator, username: string): Promise<void> {
  await logIn(page, username)
  await page.goto('/add-passkey')
  await page.getByLabel('Current password').fill(demoPassword)
  await setPresence(authenticator, true)
  await button(page, 'Create passkey').click()
  await waitForPath(page, '/account-profile')
  await dialog(page, 'Your passkey is saved. You can sign in with it from now on.')
    .getByRole('button', { name: 'OK' })
    .click()
  await setPresence(authenticator, false)
}

test('a tenant adds a passkey, signs in with it by the button, and removes it', async ({ page }) => {
  const authenticator = await addAuthenticator(page)
  await logIn(page, 'roscoe.finch@example.com')
  const offer = main(page).getByRole('heading', { name: 'Sign in without your password' })
  await expect(offer).toBeVisible()
  await expectPageSound(page)
  await main(page).getByRole('link', { name: 'Add a passkey' }).click()
  await waitForPath(page, '/add-passkey')
  await button(page, 'Create passkey').click()
  await expect(page.getByRole('alert')).toContainText('Current Password required')
  await expect(page.getByLabel('Name')).toHaveValue(/^Chrome on /)
  await page.getByLabel('Name').fill('Roscoe’s laptop')
  await page.getByLabel('Current password').fill(demoPassword)
  await expectPageSound(page)
  await setPresence(authenticator, true)
  await button(page, 'Create passkey').click()
  await waitForPath(page, '/account-profile')
  await dialog(page, /^Your passkey is saved/)
    .getByRole('button', { name: 'OK' })
    .click()
  const list = page.getByRole('list', { name: 'Passkeys' })
  await expect(list).toContainText('Roscoe’s laptop')
  await expectPageSound(page)
  await page.goto('/add-passkey')
  await page.getByLabel('Current password').fill(demoPassword)
  await button(page, 'Create passkey').click()
  await expect(page.getByRole('alert')).toContainText('This device has a passkey for your account already.')

  await setPresence(authenticator, false)
  await page.context().clearCookies()
  await page.goto('/login?next=%2Faccount-profile')
  await signInByButton(page, authenticator)
  await waitForPath(page, '/account-profile')
  await expect(list).toContainText('Last used')
  await list.getByRole('button', { name: 'Remove Roscoe’s laptop' }).click()
  await expect(main(page)).toContainText('You have none.')

  await setPresence(authenticator, false)
  await page.context().clearCookies()
  await page.goto('/login')
  await signInByButton(page, authenticator)
  await expect(page.getByRole('alert')).toContainText('This passkey did not work.')
  await waitForPath(page, '/login')
})

test('the username’s autofill signs in to either account; a declined offer is not repeated', async ({ page }) => {
  const authenticator = await addAuthenticator(page)
  const { cdp, id: authenticatorId } = authenticator
  /** Signs in by the username field, whose request for a passkey is answered as soon as the page opens. */
  const signInByList = async (email: string) => {
    await page.context().clearCookies()
    await setPresence(authenticator, true)
    await page.goto('/login?next=%2Faccount-profile')
    await waitForPath(page, '/account-profile')
    await expect(main(page)).toContainText(email)
    await setPresence(authenticator, false)
    await page.context().clearCookies()
  }
  await addPasskey(page, authenticator, 'mabel.crane@example.com')
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  await signInByList('mabel.crane@example.com')

  await addPasskey(page, authenticator, 'wendell.orr@example.com')
  const both = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(new Set(both.credentials.map((credential) => credential.userHandle)).size).toBe(2)
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credentials[0]?.credentialId ?? '' })
  await signInByList('wendell.orr@example.com')

  await logIn(page, 'ruth.akers@example.com')
  await button(page, 'No, thanks').click()
  const offer = main(page).getByRole('heading', { name: 'Sign in without your password' })
  await expect(offer).toHaveCount(0)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(offer).toHaveCount(0)
})

test('a browser without passkeys is offered none, and without scripts the page says that it needs scripts', async ({
  elsewhere: page,
  plain,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await logIn(page, 'joan.pettibone@example.com')
  await expect(main(page)).not.toContainText(/passkey/i)
  expect(requestedPaths.filter((path) => /passkeys-in-browser|passkey-options/.test(path))).toEqual([])
  await page.goto('/add-passkey')
  await expect(main(page)).toContainText('This browser cannot make a passkey here.')
  await expect(button(page, 'Create passkey')).toBeDisabled()

  await logIn(plain, 'joan.pettibone@example.com', '/add-passkey')
  await button(plain, 'Create passkey').click()
  await expect(main(plain)).toContainText('Use a current one with scripts turned on.')
})

import type { BrowserContext, Page } from '@playwright/test'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { expect, type RunningSite } from './fixtures.ts'
import { button, waitForPath } from './renter-actions-and-locators.ts'

/** Signs the browser context in as a tenant, by token and without the log-in page. */
export async function signInByToken(context: BrowserContext, site: RunningSite, username: string): Promise<void> {
  const response = await fetch(`${site.url}/api/ssm/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  })
  const { token } = (await response.json()) as { token: string }
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  await context.clearCookies()
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${token}` })
}

export async function logIn(page: Page, username: string, next = '/my-units', password = demoPassword): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('E-mail or username').fill(username)
  await button(page, 'Next').click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Log in').click()
  await waitForPath(page, next)
}

export async function openUnit(page: Page): Promise<void> {
  await page.goto('/my-units')
  await page.getByRole('link', { name: /^Pay For Unit/ }).click()
  await waitForPath(page, '/unit-lease-details')
}

export async function payUnit(page: Page): Promise<void> {
  await openUnit(page)
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await waitForPath(page, '/online-payment-method')
}

/**
 * Checks that the alert covers this page with the focus in it, and that closing it returns the focus to the page. On
 * pages without scripts, such as the home page, the alert is open but not modal.
 */
export async function expectAlert(page: Page, path: string, sentence: string): Promise<void> {
  const alert = page.getByRole('dialog', { name: sentence, exact: true })
  await expect(alert).toBeVisible()
  await waitForPath(page, path)
  if (path !== '/') await expect.poll(() => alert.evaluate((element) => element.matches(':modal'))).toBe(true)
  await expect.poll(() => alert.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Enter')
  await expect(alert).toBeHidden()
  await page.keyboard.press('Tab')
  const inPage = await page.evaluate(() => {
    const focused = document.activeElement
    return focused !== null && focused !== document.body && focused.closest('dialog') === null
  })
  expect(inPage, `the focus is in ${path}`).toBe(true)
}

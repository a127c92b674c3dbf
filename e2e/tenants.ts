/** What journeys of tenants have in common: coming in, and looking at a page from every side. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { demoPassword } from '../demo/people.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type RunningSite } from './fixtures.ts'
import { arrive } from './journey.ts'

/** Signs in as the API does: every page of the browser then carries the token. */
export async function enter(context: BrowserContext, site: RunningSite, username: string): Promise<void> {
  const answer = await fetch(`${site.url}/api/ssm/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  })
  const { token } = (await answer.json()) as { token: string }
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${token}` })
}

/** axe in light and dark, and nothing off the side of a small phone. */
export async function lookAt(page: Page): Promise<void> {
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
  if (size) await page.setViewportSize(size)
}

export const main = (page: Page): Locator => page.getByRole('main')

/** From the list to the only unit on it. */
export async function openUnit(page: Page): Promise<void> {
  await page.goto('/my-units')
  await page.getByRole('link', { name: /^Pay For Unit/ }).click()
  await arrive(page, '/unit-lease-details')
}

/**
 * The alert stands over this page and has the focus; closed, it gives the keyboard back to the page. Pages without
 * scripts, such as the home page, have it lie open instead of modal.
 */
export async function told(page: Page, path: string, sentence: string, timeout = 10_000): Promise<void> {
  const alert = page.getByRole('dialog', { name: sentence.trim(), exact: true })
  await expect(alert).toBeVisible({ timeout })
  await arrive(page, path)
  if (path !== '/') await expect.poll(() => alert.evaluate((element) => element.matches(':modal'))).toBe(true)
  await expect.poll(() => alert.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  // The cross or OK: either closes it.
  await page.keyboard.press('Enter')
  await expect(alert).toBeHidden()
  await page.keyboard.press('Tab')
  const inPage = await page.evaluate(() => {
    const at = document.activeElement
    return at !== null && at !== document.body && at.closest('dialog') === null
  })
  expect(inPage, `the focus is in ${path}`).toBe(true)
}

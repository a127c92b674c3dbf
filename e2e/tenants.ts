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

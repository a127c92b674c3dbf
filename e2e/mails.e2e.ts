/** Every mail of the demo's mailbox samples, on the narrowest phones. */
import { expect, test } from './fixtures.ts'
import { main } from './journey.ts'

test('no mail is wider than a narrow phone', async ({ page }) => {
  await page.goto('/dev/mailbox')
  const samples = main(page).getByRole('listitem').filter({ hasNotText: 'text message' }).getByRole('link')
  const addresses = await samples.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  expect(addresses.length).toBeGreaterThan(40)
  await page.setViewportSize({ width: 320, height: 700 })
  for (const address of addresses) {
    await page.goto(`${address}?part=html`)
    await expect(page.locator('h1'), address).toHaveCount(1)
    expect([address, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([address, 320])
  }
})

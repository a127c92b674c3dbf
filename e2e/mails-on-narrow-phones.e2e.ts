/** Every mail of the demo's mailbox samples, on the narrowest phones. */
import { expect, test } from './fixtures.ts'
import { main } from './renter-actions-and-locators.ts'

/** Host name of 60 characters, as an operator may have. */
const LONG_HOST = `${'self-storage-of-the-upper-valley'.repeat(2).slice(0, 52)}.example`

test('mails fit a narrow phone with a long host name, and each action is a link with words', async ({ page }) => {
  await page.goto('/dev/mailbox')
  const samples = main(page).getByRole('listitem').filter({ hasNotText: 'text message' }).getByRole('link')
  const addresses = await samples.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  expect(addresses.length).toBeGreaterThan(40)
  expect(LONG_HOST).toHaveLength(60)
  await page.setViewportSize({ width: 320, height: 700 })
  await page.route(/\?part=html$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('latchkey.example', LONG_HOST) })
  })
  for (const address of addresses) {
    await page.goto(`${address}?part=html`)
    await expect(page.locator('body'), address).toContainText(LONG_HOST)
    await expect(page.locator('h1'), address).toHaveCount(1)
    const layout = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      words: [...document.links].map(({ innerText }) => innerText.trim()).filter((text) => /:\/\/|^$/.test(text)),
      narrow: [...document.querySelectorAll('a')]
        .filter((link) => getComputedStyle(link).display === 'block')
        .filter((link) => link.clientWidth < 230)
        .map((link) => link.innerText),
    }))
    expect([address, layout]).toEqual([address, { width: 320, words: [], narrow: [] }])
  }
})

/** Facilities on a map: by keyboard and pointer, on a phone, near where one is, without scripts, and over the streets of a tile server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, startSite, test } from './fixtures.ts'
import { facilityOf, heading } from './journey.ts'

const labels = (page: Page) => page.getByRole('figure', { name: /^Map of / }).getByRole('link', { name: /^(\$|\d)/ })

/** Boxes to press, of the labels that are shown. */
const pressed = (page: Page, part: string) =>
  page.locator(`.spot ${part}`).evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect())
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  )

test('labels and cards lead to each other by keyboard and pointer, and no label lies over another on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/search?q=Atlanta')
  const skip = page.getByRole('link', { name: 'Skip the map' })
  await skip.focus()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Tab')
  const first = labels(page).first()
  await expect(first).toBeFocused()
  const card = page.locator('#at-1')
  const marked = (color: string) => expect(card).toHaveCSS('outline-color', color)
  await marked('rgb(20, 25, 28)')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#at-1$/)
  await page.goto('/search?q=Atlanta')
  await marked('rgba(0, 0, 0, 0)')
  const box = first.locator('.spot-box')
  const before = await box.evaluate((one) => getComputedStyle(one).fill)
  await card.hover()
  await expect(box).not.toHaveCSS('fill', before)
  for (const path of ['/search?q=Atlanta&miles=100', '/storage-units/ga', '/storage-units/ga/atlanta'])
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      const boxes = await pressed(page, '.spot-press')
      expect(boxes.length).toBeGreaterThan(0)
      for (const [at, a] of boxes.entries()) {
        expect(Math.min(a.right - a.left, a.bottom - a.top), `${path} at ${width}`).toBeGreaterThanOrEqual(44)
        for (const b of boxes.slice(at + 1))
          expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false)
      }
    }
})

test('the search by one’s own location asks when it is pressed, and a refusal says what to do', async ({
  page,
  context,
  plain,
}) => {
  await page.goto('/search')
  const button = page.getByRole('button', { name: 'Use my location' })
  await button.press('Enter')
  await expect(page.getByRole('status')).toContainText('did not let us see where you are')
  await expectAccessible(page)
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 33.77219, longitude: -84.36561 })
  await button.press('Enter')
  await expect(page).toHaveURL(/\/search\?lat=33\.77&lng=-84\.37$/)
  await expect(heading(page)).toHaveText('Storage near you')
  await expect(page.getByRole('listitem').filter({ hasText: facilityOf('ATL01').name })).toContainText(/\d\smiles?/)
  await plain.goto('/search?q=Atlanta')
  await expect(plain.getByRole('button', { name: 'Use my location' })).toBeHidden()
  await expect(labels(plain)).not.toHaveCount(0)
})

const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mN88f/NfwAI9wPdFVa4vQAAAABJRU5ErkJggg==',
  'base64',
)

test('streets come from the configured tile server alone, once the map is in view', async ({ page }) => {
  const asked: string[] = []
  const tiles = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(tile)
  }).listen(0, '127.0.0.1')
  await once(tiles, 'listening')
  const { port } = tiles.address() as AddressInfo
  const site = await startSite({
    MAP_TILES_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    MAP_TILES_ATTRIBUTION: '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors',
  })
  try {
    const libraries: string[] = []
    page.on('request', (request) => {
      if (/street-map|leaflet/.test(request.url())) libraries.push(request.url())
    })
    await page.setViewportSize({ width: 390, height: 480 })
    const answer = await page.goto(`${site.url}/search?q=Atlanta`)
    expect(answer?.headers()['content-security-policy']).toContain(
      `img-src 'self' data: blob: http://127.0.0.1:${port};`,
    )
    await page.waitForLoadState('networkidle')
    expect([asked, libraries]).toEqual([[], []])
    const drawn = await labels(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    await page.getByRole('figure', { name: /^Map of / }).scrollIntoViewIfNeeded()
    await expect(page.locator('[data-streets]')).toBeVisible()
    expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.png$/)
    await expect(page.getByRole('link', { name: 'OpenStreetMap' })).toBeVisible()
    // The same labels, placed by the same rule.
    await expect(labels(page).first()).toBeVisible()
    expect((await labels(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).sort()).toEqual(
      [...new Set(drawn)].sort(),
    )
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
    await labels(page).first().press('Enter')
    await expect(page).toHaveURL(/#at-\d$/)
  } finally {
    await site.stop()
    tiles.close()
  }
})

/** Facilities on a map: by keyboard and pointer, on a phone, near the visitor, and without scripts. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { facilityOf, heading } from './journey.ts'

const labels = (page: Page) => page.getByRole('figure', { name: /^Map of / }).getByRole('link', { name: /^(\$|\d)/ })

/** Returns the boxes of the visible labels' clickable parts. */
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

/** Lists of facilities and their maps: by keyboard and pointer, on a phone, near the visitor, and without scripts. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openAt } from './inspect.ts'
import { facilityOf, heading } from './renter-actions-and-locators.ts'

const labels = (page: Page) => page.getByRole('figure', { name: /^Map of / }).getByRole('link', { name: /^\d/ })

/** Returns the boxes of the visible elements of the labels that match the selector `part`. */
const visibleBoxes = (page: Page, part: string) =>
  page.locator(`.spot ${part}`).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => element.getBoundingClientRect())
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  )

test('a label leads to its card by keyboard, a hovered card marks its label, and no labels on the map overlap', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/search?q=Atlanta')
  // In the order of the Tab key the map comes after the list.
  await page
    .getByRole('link', { name: /per month, / })
    .last()
    .focus()
  await page.keyboard.press('Tab')
  const first = labels(page).first()
  await expect(first).toBeFocused()
  const card = page.locator('#at-1')
  const expectOutline = (color: string) => expect(card).toHaveCSS('outline-color', color)
  await expectOutline('rgb(20, 25, 28)')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#at-1$/)
  await page.goto('/search?q=Atlanta')
  await expectOutline('rgba(0, 0, 0, 0)')
  const box = first.locator('.spot-box')
  const before = await box.evaluate((rect) => getComputedStyle(rect).fill)
  await card.hover()
  await expect(box).not.toHaveCSS('fill', before)
  for (const path of ['/search?q=Atlanta&miles=100', '/storage-units/ga', '/storage-units/ga/atlanta'])
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      const boxes = await visibleBoxes(page, '.spot-press')
      expect(boxes.length).toBeGreaterThan(0)
      for (const [index, a] of boxes.entries()) {
        expect(Math.min(a.right - a.left, a.bottom - a.top), `${path} at ${width}`).toBeGreaterThanOrEqual(44)
        for (const b of boxes.slice(index + 1))
          expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false)
      }
    }
})

test('the search by location reports a refusal, finds facilities once permitted, and is hidden without scripts', async ({
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

const bottoms = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().bottom + scrollY))

test('a list begins with a price and shows its map below the cards on a phone and beside them on a desktop', async ({
  page,
}) => {
  for (const path of ['/search?q=Atlanta', '/search?q=30308', '/storage-units/ga', '/storage-units/ga/atlanta'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [width, height] of [
        [360, 640],
        [390, 664],
        [390, 844],
      ] as const) {
        await openAt(page, width, height, path)
        const [first] = await bottoms(page, '#list .chip small')
        expect(first, `first price of ${path} at ${width}`).toBeLessThanOrEqual(560)
        const cards = await bottoms(page, '#list > li')
        const top = await page.locator('.spots').evaluate((map) => map.getBoundingClientRect().top + scrollY)
        expect(cards.length).toBeGreaterThan(1)
        expect(top, `map of ${path} at ${width}`).toBeGreaterThan(cards.at(-1) ?? 0)
      }
      await openAt(page, 1440, 900, path)
      expect((await bottoms(page, '#list .chip small'))[0]).toBeLessThanOrEqual(560)
      const list = await page.locator('#list').boundingBox()
      const map = await page.locator('.spots').boundingBox()
      expect(map?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0))
      expect(Math.abs((map?.y ?? 0) - (list?.y ?? 0))).toBeLessThan(2)
    }
})

test('sizes form one row of links, and the searched size leads to its units, without scripts', async ({ plain }) => {
  for (const path of ['/search?q=Atlanta', '/storage-units/ga', '/storage-units/ga/atlanta'])
    for (const size of ['', '10x10'])
      for (const width of [320, 360, 390, 1440]) {
        await plain.setViewportSize({ width, height: 700 })
        await plain.goto(`${path}${size && `${path.includes('?') ? '&' : '?'}size=${size}`}`)
        const bar = await plain.locator('.chips').evaluate((chips) => {
          const [row, chip] = ['.chips-row', '[aria-current]'].map((selector) =>
            chips.querySelector(selector)?.getBoundingClientRect(),
          )
          return {
            high: chips.getBoundingClientRect().height <= 66,
            chosen: chip && row && chip.left >= row.left && chip.right <= row.right,
            wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
          }
        })
        expect(bar, `${plain.url()} at ${width}`).toEqual({ high: true, chosen: true, wide: 0 })
      }
  await plain.goto('/search?q=Atlanta')
  await plain.getByRole('link', { name: '10 × 15', exact: true }).click()
  await expect(plain).toHaveURL(/size=10x15/)
  await expect(plain.locator('.chip[aria-current]')).toHaveText('Needs 10 × 15')
  const miles = await plain.locator('#list .num.font-semibold').allTextContents()
  expect(miles.map(Number.parseFloat)).toEqual(miles.map(Number.parseFloat).toSorted((a, b) => a - b))
  const due = await plain.locator('#at-1 .price').textContent()
  await plain
    .getByRole('link', { name: /^See units, / })
    .first()
    .click()
  await expect(plain).toHaveURL(/\?size=10x15#units$/)
  const prices = await plain.locator('.unit-today .price').allTextContents()
  expect(prices).toContain(due)
})

test('a list with a size shows exactly the facilities that have such a unit free', async ({ plain }) => {
  for (const path of ['/search?q=Atlanta&miles=100', '/storage-units/ga', '/storage-units/ga/atlanta']) {
    await plain.goto(path)
    const all = await plain
      .locator('#list > li h2 a, #list > li h3 a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
    expect(all.length, path).toBeGreaterThan(1)
    const withSize: string[] = []
    for (const facility of all) {
      await plain.goto(`${facility}?size=10x10`)
      const free = plain.locator('article:has(.unit-today)').getByRole('heading', { name: /^10\s×\s10 / })
      if ((await free.count()) > 0) withSize.push(facility)
    }
    await plain.goto(`${path}${path.includes('?') ? '&' : '?'}size=10x10`)
    const listed = await plain
      .locator('#list > li h2 a, #list > li h3 a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
    expect(listed.toSorted(), path).toEqual(withSize.toSorted())
  }
})

test('a link sorts the list by price, and a single facility has no map', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 844 })
  await plain.goto('/storage-units/ga?size=5x10')
  await plain.locator('.chips summary').press('Enter')
  await plain.getByRole('link', { name: 'Price', exact: true }).press('Enter')
  await expect(plain).toHaveURL(/sort=price/)
  await expect(plain.locator('.chips summary')).toHaveText('Price')
  const monthly = (await plain.locator('#list .small strong.num').allTextContents()).map((text) =>
    Number(text.slice(1)),
  )
  expect(monthly.length).toBeGreaterThan(1)
  expect(monthly).toEqual(monthly.toSorted((a, b) => a - b))
  await plain.goto('/storage-units/al/birmingham')
  await expect(plain.locator('#list > li')).toHaveCount(1)
  await expect(plain.locator('.spots')).toHaveCount(0)
  await expect(plain.getByRole('main')).toContainText(/1 facility, [\d.]+\s+miles? [a-z-]+ of the center/)
})

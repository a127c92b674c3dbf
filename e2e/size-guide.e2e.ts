/** The size guide: tiles, the answer in sight, and the same address and answer with and without scripts. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { windows } from './inspect.ts'

const more = (page: Page, thing: string) => page.getByRole('button', { name: `One more: ${thing}` })
const less = (page: Page, thing: string) => page.getByRole('button', { name: `One less: ${thing}` })
const size = (page: Page) => page.getByRole('heading', { name: /^Your size/ })

/** Returns the parts of the answer that are missing, less than 20 px high, or not wholly within the window's height. */
const partsOutside = (page: Page) =>
  page.locator('.sizing-answer').evaluate((answer) =>
    ['.drawing', 'h2', '.sizing-action'].filter((part) => {
      const box = answer.querySelector(part)?.getBoundingClientRect()
      return !box || box.height < 20 || box.top < 0 || box.bottom > innerHeight
    }),
  )

test('the result stays in sight at each press, has one action and leaves the focus where it is', async ({ page }) => {
  for (const [width, height] of windows)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await page.goto('/size-guide?living=1&kitchen=1&near=30308')
      await expect(size(page)).toHaveText(/5\s×\s15/)
      for (const [thing, expectedSize] of [
        ['Bedrooms', /10\s×\s10/],
        ['Sofas', /10\s×\s15/],
        ['Cars', /10\s×\s30/],
      ] as const) {
        await more(page, thing).press('Enter')
        await expect(size(page)).toHaveText(expectedSize)
        await expect(more(page, thing)).toBeFocused()
        expect(await partsOutside(page), `${thing} at ${width}×${height}`).toEqual([])
      }
      expect(await page.locator('.sizing-answer .btn').count()).toBe(1)
      // Without a place near which to rent, the action leads to the field for the place.
      await page.goto('/size-guide?living=1&kitchen=1')
      expect(await partsOutside(page), `without a place at ${width}×${height}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
})

test('a press leads to the same address and result with and without scripts', async ({ page, plain }) => {
  const results = []
  for (const visitor of [page, plain]) {
    await visitor.setViewportSize({ width: 390, height: 844 })
    await visitor.goto('/size-guide?living=2&kitchen=1&near=30308')
    await more(visitor, 'Bedrooms').click()
    await expect(visitor).toHaveURL(/bedroom=1/)
    await more(visitor, 'Bedrooms').click()
    await expect(visitor).toHaveURL(/bedroom=2/)
    await visitor.getByRole('button', { name: 'Add to: More boxes' }).click()
    await expect(visitor).toHaveURL(/boxes=10/)
    await less(visitor, 'Living rooms').click()
    await expect(visitor).toHaveURL(/living=1/)
    results.push({
      query: new URL(visitor.url()).search.split(/[?&]/).sort(),
      answer: (await visitor.locator('#your-size').textContent())?.replace(/\s+/g, ' '),
      drawn: await visitor.locator('#drawn').textContent(),
      counts: await visitor.locator('.tile output').allTextContents(),
      action: await visitor.locator('.sizing-action').getAttribute('href'),
    })
  }
  expect(results[0]).toEqual(results[1])
  expect(results[0]?.action).toMatch(/^\/storage-units\/.+\?size=\d+x\d+#units$/)
  // The facility's own list shows the same price.
  const price = /\$[\d.]+(?= today)/.exec(results[0]?.answer ?? '')?.[0]
  await plain.locator('.sizing-action').click()
  await expect(plain).toHaveURL(/#units$/)
  expect(await plain.locator('.unit-today .price').allTextContents()).toContain(price)
})

test('ten fast presses show and announce the last result and add no history entries', async ({ page }) => {
  await page.goto('/storage-units')
  await page.goto('/size-guide')
  await more(page, 'Bedrooms').focus()
  for (let index = 0; index < 5; index += 1) await page.keyboard.press('Enter')
  for (const thing of ['Sofas', 'Beds', 'Dressers']) {
    await more(page, thing).focus()
    await page.keyboard.press('Enter')
  }
  await less(page, 'Bedrooms').focus()
  for (let index = 0; index < 2; index += 1) await page.keyboard.press('Enter')
  await expect(less(page, 'Bedrooms')).toBeFocused()
  await expect(page).toHaveURL(/\/size-guide\?bedroom=3&sofa=1&bed=1&dresser=1$/)
  await expect(page.getByRole('group', { name: 'Bedrooms' }).locator('output')).toHaveText('3')
  const answer = await size(page).textContent()
  await expect(page.locator('.sizing-form [role=status]')).toHaveText(/^10 × 15\.$/)
  await expect(page.locator('#drawn')).toContainText('bed')
  await page.reload()
  await expect(size(page)).toHaveText(answer ?? '')
  await page.goBack()
  await expect(page).toHaveURL(/\/storage-units$/)
})

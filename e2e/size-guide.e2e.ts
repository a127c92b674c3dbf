/** The size guide: tiles, the answer in sight, and the same address and answer with and without scripts. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { windows } from './inspect.ts'

const more = (page: Page, thing: string) => page.getByRole('button', { name: `One more: ${thing}` })
const less = (page: Page, thing: string) => page.getByRole('button', { name: `One less: ${thing}` })
const size = (page: Page) => page.getByRole('heading', { name: /^Your size/ })

/** Returns which parts of the answer are not wholly in the window. */
const outside = (page: Page) =>
  page.locator('.sizing-answer').evaluate((answer) =>
    ['.drawing', 'h2', '.sizing-action'].filter((part) => {
      const box = answer.querySelector(part)?.getBoundingClientRect()
      return !box || box.height < 20 || box.top < 0 || box.bottom > innerHeight
    }),
  )

test('the result stays in sight at each press, ends in one priced action and keeps the focus', async ({ page }) => {
  for (const [width, height] of windows)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await page.goto('/size-guide?living=1&kitchen=1&near=30308')
      await expect(size(page)).toHaveText(/5\s×\s15/)
      for (const [thing, shown] of [
        ['Bedrooms', /10\s×\s10/],
        ['Sofas', /10\s×\s15/],
        ['Cars', /10\s×\s30/],
      ] as const) {
        await more(page, thing).press('Enter')
        await expect(size(page)).toHaveText(shown)
        await expect(more(page, thing)).toBeFocused()
        expect(await outside(page), `${thing} at ${width}×${height}`).toEqual([])
      }
      expect(await page.locator('.sizing-answer .btn').count()).toBe(1)
      // Without a place the one action leads to the search.
      await page.goto('/size-guide?living=1&kitchen=1')
      expect(await outside(page), `without a place at ${width}×${height}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
})

test('a press leads to the same address and result with and without scripts', async ({ page, plain }) => {
  const seen = []
  for (const at of [page, plain]) {
    await at.setViewportSize({ width: 390, height: 844 })
    await at.goto('/size-guide?living=2&kitchen=1&near=30308')
    await more(at, 'Bedrooms').click()
    await expect(at).toHaveURL(/bedroom=1/)
    await more(at, 'Bedrooms').click()
    await expect(at).toHaveURL(/bedroom=2/)
    await at.getByRole('button', { name: 'Add to: More boxes' }).click()
    await expect(at).toHaveURL(/boxes=10/)
    await less(at, 'Living rooms').click()
    await expect(at).toHaveURL(/living=1/)
    seen.push({
      query: new URL(at.url()).search.split(/[?&]/).sort(),
      answer: (await at.locator('#your-size').textContent())?.replace(/\s+/g, ' '),
      drawn: await at.locator('#drawn').textContent(),
      counts: await at.locator('.tile output').allTextContents(),
      action: await at.locator('.sizing-action').getAttribute('href'),
    })
  }
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]?.action).toMatch(/^\/storage-units\/.+\?size=\d+x\d+#units$/)
  // The price is that of the facility's own list.
  const price = /\$[\d.]+(?= today)/.exec(seen[0]?.answer ?? '')?.[0]
  await plain.locator('.sizing-action').click()
  await expect(plain).toHaveURL(/#units$/)
  expect(await plain.locator('.unit-today .price').allTextContents()).toContain(price)
})

test('ten fast presses show and announce the last result and add no history entries', async ({ page }) => {
  await page.goto('/storage-units')
  await page.goto('/size-guide')
  const press = more(page, 'Bedrooms')
  await press.focus()
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

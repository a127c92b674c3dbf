import type { Page } from '@playwright/test'
import { facilities } from '../demo/facilities.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'
import {
  expectAccessibleTall,
  expectNothingCutOff,
  expectTabbedUncovered,
  observeLayoutShifts,
  openAt,
  windows,
} from './inspect.ts'
import { dueToday, facilityOf, heading, locationPath, rentQuickly } from './renter-actions-and-locators.ts'

/** Codes of the demo's facilities that rent units. */
const codes = facilities
  .filter(({ comingSoon, facilityId }) => !comingSoon && facilityId !== OFFICE_FACILITY_ID)
  .map(({ code }) => code)

/** Returns the boxes of elements, in pixels from the top of the page. */
const boxes = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .map((element) => element.getBoundingClientRect())
        .map(({ top, bottom }) => ({ top: top + scrollY, bottom: bottom + scrollY })),
    )

/** Returns where an element ends, in pixels from the top of the page; infinity if there is none at this index. */
const measureBottom = async (page: Page, selector: string, index = 0): Promise<number> =>
  (await boxes(page, selector))[index]?.bottom ?? Number.POSITIVE_INFINITY

test('a facility’s first screen shows picture, name, sizes and price, and the explanation adds up in two lines at most', async ({
  page,
}) => {
  const shifts = await observeLayoutShifts(page)
  expect(codes.length).toBeGreaterThan(10)
  const parts = ['.strip', 'h1', '.chips', '.unit-today', '.unit-sums', 'article summary']
  for (const code of codes) {
    await openAt(page, 360, 640, locationPath(code))
    await expectExplained(page)
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height })
      for (const part of parts)
        expect(await measureBottom(page, part), `${part} of ${code} at ${width}`).toBeLessThanOrEqual(height)
      await expectChips(page)
    }
  }
  await openAt(page, 360, 640, locationPath('ATL01'))
  await expect(page.locator('main address')).toContainText(/, Atlanta, GA \d{5}$/)
  await expect(page.locator('.unit-sums').first()).toHaveText(/^due today\$[\d.]+then\$[\d.]+ \/ month$/)
  expect(await measureBottom(page, '.unit-ways a'), 'Rent now').toBeLessThanOrEqual(640)
  expect(await measureBottom(page, '.unit-ways', 4), 'the fifth type').toBeLessThanOrEqual(1800)
  await openAt(page, 390, 664, locationPath('ATL01'))
  expect(await measureBottom(page, '.unit-ways a'), 'Rent now').toBeLessThanOrEqual(664)
  await expect(page.getByText(/^Billed every 30\sdays/)).toHaveCount(1)
  await expect(page.getByRole('link', { name: /^Reserve free, / }).first()).toBeVisible()
  // The row of sizes and sort order stays visible while the list scrolls.
  await page.getByRole('article').nth(4).scrollIntoViewIfNeeded()
  await expect(page.getByText('Sort', { exact: true })).toBeInViewport()
  const { by, elements } = await shifts()
  expect(by, elements).toBeCloseTo(0, 3)
  await openAt(page, 1440, 900, locationPath('ATL01'))
  expect(await measureBottom(page, '.unit-ways', 4), 'the fifth type').toBeLessThanOrEqual(900)
})

/** Checks that the sizes form one row with the chosen size visible, and that the page does not scroll sideways. */
async function expectChips(page: Page): Promise<void> {
  const { height, chosen, wide } = await page.locator('.chips').evaluate((bar) => {
    const [row, chip] = ['.chips-row', '[aria-current]'].map((part) => bar.querySelector(part)?.getBoundingClientRect())
    return {
      height: bar.getBoundingClientRect().height,
      chosen: chip && row && chip.left >= row.left && chip.right <= row.right,
      wide: document.documentElement.scrollWidth - innerWidth,
    }
  })
  expect({ height: height <= 66, chosen, wide: Math.max(0, wide) }, page.url()).toEqual({
    height: true,
    chosen: true,
    wide: 0,
  })
}

test('sizes and prices form one row with the chosen size in sight, without scripts', async ({ plain }) => {
  for (const width of [320, 360, 390, 1440]) {
    await plain.setViewportSize({ width, height: 700 })
    await plain.goto(locationPath('ATL01'))
    await expectChips(plain)
    await plain.getByRole('link', { name: /^10 × 15 \$/ }).click()
    await expect(plain).toHaveURL(/\?size=10x15#units$/)
    await expectChips(plain)
    await expect(plain.getByRole('article').first().getByRole('heading')).toHaveText(/^10\s×\s15 /)
    await expect(plain.getByRole('main')).toContainText(/\d of \d+ kinds of unit/)
  }
  // Older links have a band of sizes, such as large, in place of a size.
  await plain.goto(`${locationPath('ATL01')}?size=large#units`)
  await expectChips(plain)
  await expect(plain.locator('.chip[aria-current]')).toHaveText(/^Large /)
})

/** Checks that each offer's explanation adds up to its amount due, and takes two lines at most. */
async function expectExplained(page: Page): Promise<void> {
  const rows = await page.locator('article:has(.unit-today)').evaluateAll((offers) =>
    offers.map((row) => ({
      due: row.querySelector('.unit-today dd')?.textContent ?? '',
      explanation: row.querySelector('summary > span')?.textContent ?? '',
      height: row.querySelector('summary > span')?.getBoundingClientRect().height ?? 0,
    })),
  )
  expect(rows.length, page.url()).toBeGreaterThan(0)
  const cents = (text: string) => Math.round(Number(text.replace(/[$,]/g, '')) * 100)
  for (const { due, explanation, height } of rows) {
    const parts = explanation.replace(/^[^:]*: /, '').match(/\$[\d,.]+(?=\s)/g) ?? []
    expect(parts.length, explanation).toBeGreaterThan(1)
    expect(
      parts.reduce((sum, part) => sum + cents(part), 0),
      explanation,
    ).toBe(cents(due))
    expect(height, explanation).toBeLessThan(50)
  }
}

test('a facility states its rent guarantee, late fees and security features', async ({ plain }) => {
  await plain.setViewportSize({ width: 360, height: 640 })
  await plain.goto(locationPath('ATL01'))
  const terms = plain.locator('.terms')
  await expect(terms.getByRole('heading')).toHaveText([
    'How long this rent holds',
    'If a payment is late',
    'Security here',
  ])
  await expect(terms).toContainText(/at least 30\sdays’ notice in writing/)
  await expect(terms).toContainText(/carries a late fee of \$20\.00, once/)
  await expect(terms.getByRole('listitem')).toHaveCount(facilityOf('ATL01').security.length)
  const below = await terms.evaluate((section) => section.getBoundingClientRect().top)
  expect(below).toBeGreaterThan((await boxes(plain, '.unit-ways')).at(-1)?.bottom ?? Number.POSITIVE_INFINITY)
  // In a wide window the three sections are beside one another.
  await plain.setViewportSize({ width: 1440, height: 900 })
  const tops = await boxes(plain, '.terms section')
  expect(new Set(tops.map(({ top }) => Math.round(top))).size).toBe(1)
})

const publicPages = [
  '/',
  '/search?q=Atlanta',
  '/storage-units',
  '/storage-units/ga',
  '/storage-units/ga/atlanta',
  '/size-guide?bed=2&near=30308',
  '/faq',
  '/tell-me/DEN01/6',
  '/choose/ATL01/3',
  locationPath('ATL01'),
  locationPath('TPA01'),
]

test('public pages pass axe in a window of their height, and cut or cover nothing at each size', async ({ page }) => {
  test.setTimeout(400_000)
  for (const path of publicPages) {
    for (const [width, height] of windows) {
      await openAt(page, width, height, path)
      await expectNoSidewaysScroll(page)
      await expectNothingCutOff(page)
      // The page of questions has no controls in its main part to walk through by Tab.
      if (path !== '/faq') await expectTabbedUncovered(page)
    }
    await expectAccessibleTall(page)
  }
})

test('a long address takes one line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const code of ['ATL02', 'CHS01', 'BHM01']) {
    await page.goto(locationPath(code))
    await page.evaluate(() => document.fonts.ready)
    const [address] = await boxes(page, 'main address')
    expect((address?.bottom ?? 0) - (address?.top ?? 0), code).toBeLessThan(30)
  }
})

test('the sort order is chosen by keyboard, and sold-out types come last', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(locationPath('DEN01'))
  const menus = page.getByRole('navigation', { name: 'Filter and sort' })
  await menus.getByText('Sort', { exact: true }).press('Enter')
  await menus.getByRole('link', { name: 'Per month', exact: true }).press('Enter')
  await expect(page).toHaveURL(/sort=price/)
  const free = await page
    .getByRole('article')
    .evaluateAll((articles) => articles.map((article) => article.textContent?.includes('Rent now')))
  expect(free).toEqual([...free].sort((a, b) => Number(b) - Number(a)))
  expect(free.at(-1)).toBe(false)
})

test('a visitor joins the waiting list by e-mail address, without scripts', async ({ plain }) => {
  await plain.goto(locationPath('DEN01'))
  await plain
    .getByRole('link', { name: /^Tell me when one is free, / })
    .first()
    .click()
  await expect(heading(plain)).toHaveText('Tell me when one is free')
  await expect(plain.getByRole('main')).toContainText(facilityOf('DEN01').name)
  await plain.getByRole('button', { name: 'Tell me' }).click()
  await expect(plain.getByRole('heading', { name: 'There is a problem' })).toBeVisible()
  await expect(plain).toHaveTitle(/^Error: /)
  await plain.getByLabel('Email').fill('waits@example.com')
  await plain.getByRole('button', { name: 'Tell me' }).click()
  await expect(heading(plain)).toHaveText('We tell you when one is free')
})

test('without scripts a unit is picked on the plan or in the list, and then reserved', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 844 })
  // No other journey takes a unit of this type at CHS01.
  await plain.goto(locationPath('CHS01'))
  await plain.locator('summary', { hasText: /^Price details of 5 × 10 Climate/ }).press('Enter')
  await plain.getByRole('link', { name: /^See them on the map, 5 × 10 Climate/ }).press('Enter')
  await expect(heading(plain)).toHaveText('Choose your 5 × 10 Climate Controlled')
  const rows = plain.locator('.choose-list a')
  const floors = plain.getByRole('navigation', { name: 'Floors' }).getByRole('link')
  // Which upper floors have two free units depends on the day, which `CLOCK` can change.
  for (let above = (await floors.count()) - 1; above > 0; above -= 1) {
    await floors.nth(above).press('Enter')
    await expect(floors.nth(above)).toHaveAttribute('aria-current', 'true')
    await expect(
      plain
        .getByRole('list')
        .getByText(/Up by elevator\s· \d+ ft from the elevator/)
        .first(),
    ).toBeVisible()
    if ((await rows.count()) > 1) break
  }
  const second = rows.nth(1)
  const name = (await second.locator('strong').textContent()) ?? ''
  // A free unit on the plan is chosen by its number or, where the number has no room, by its outline.
  const numbers = plain.locator('.plan-labels a text:visible')
  await ((await numbers.count()) > 0 ? numbers : plain.locator('.plan a.free')).first().click()
  await expect(plain).toHaveURL(/unit=\d+#units$/)
  await rows.filter({ hasText: name }).press('Enter')
  await expect(plain.locator('.choose-list [aria-current]')).toContainText(name)
  await expect(plain.locator('.plan svg.mine')).toHaveText(name.replace('Unit ', ''))
  await plain.getByRole('link', { name: `Reserve free, unit ${name.replace('Unit ', '')}` }).press('Enter')
  await expect(plain).toHaveURL(/\/reservation-date$/)
  await expect(plain.getByRole('complementary', { name: 'Price summary' })).toContainText(name.replace('U', 'u'))
})

test('the price at a phone’s bottom edge follows each choice with the server’s total', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await rentQuickly(page, 'ATL01', 'CC0510', '/insurance-schemes')
  const bar = page.locator('.fold > summary')
  const announcement = page.locator('main p[role=status].sr')
  const before = await dueToday(page)
  await expect(bar).toContainText(`Due today${before}`)
  await expect(announcement).toHaveText('')
  await page.getByRole('radio').last().check()
  await expect(announcement).toHaveText(/^Due today: \$[\d.]+\. Then \$[\d.]+ per month\.$/)
  const withOwnCoverage = await dueToday(page)
  expect(withOwnCoverage).not.toBe(before)
  await expect(bar).toContainText(`Due today${withOwnCoverage}`)
  await page.getByRole('radio').first().check()
  await expect(bar).toContainText(`Due today${before}`)
})

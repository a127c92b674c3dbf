import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { layoutShifts } from './inspect.ts'
import { dueToday, facilityOf, heading, locationPath, rentQuickly } from './journey.ts'

/** Returns the boxes of elements, in pixels from the top of the page. */
const boxes = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all
        .map((one) => one.getBoundingClientRect())
        .map(({ top, bottom }) => ({ top: top + scrollY, bottom: bottom + scrollY })),
    )

test('the price stands in the first screen of a phone, and five types within 2,600 px', async ({ page }) => {
  const shifts = await layoutShifts(page)
  await page.setViewportSize({ width: 390, height: 844 })
  // The second load has the fonts, because the test machine may lack the fallback fonts.
  for (const _ of [1, 2]) {
    await page.goto(locationPath('ATL01'))
    await page.evaluate(() => document.fonts.ready)
  }
  const [address] = await boxes(page, 'main address')
  await expect(page.locator('main address')).toContainText(/, Atlanta, GA \d{5}$/)
  expect((address?.bottom ?? 0) - (address?.top ?? 0)).toBeLessThan(30)
  for (const part of ['h1', 'main address', 'article h3', 'article .drawing', 'article dl']) {
    const [first] = await boxes(page, part)
    expect(first?.bottom, part).toBeLessThan(844)
  }
  await expect(page.getByRole('article').first().locator('dl')).toHaveText(/^Due today\$[\d.]+Then per month\$[\d.]+$/)
  expect((await boxes(page, 'article'))[4]?.bottom).toBeLessThan(2600)
  // The two links below a price are on one line.
  const [[details], [map]] = [
    await boxes(page, 'article > details > summary'),
    await boxes(page, 'article > .unit-map'),
  ]
  expect(Math.abs((details?.top ?? 0) - (map?.top ?? 0))).toBeLessThan(2)
  await expect(page.getByText(/^Billed every 30\sdays/)).toHaveCount(1)
  await expect(page.getByRole('link', { name: /^Reserve free, / }).first()).toBeVisible()
  // The filters stay visible while scrolling the list.
  await page.getByRole('article').nth(4).scrollIntoViewIfNeeded()
  await expect(page.getByText('Sort by').first()).toBeInViewport()
  expect(await shifts()).toBeCloseTo(0, 3)

  await page.setViewportSize({ width: 1440, height: 900 })
  const rows = await boxes(page, 'article')
  expect((rows[3]?.bottom ?? 0) - (rows[0]?.top ?? 0)).toBeLessThan(900)
})

test('a long address takes one line of a phone too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const code of ['ATL02', 'CHS01', 'BHM01']) {
    await page.goto(locationPath(code))
    await page.evaluate(() => document.fonts.ready)
    const [address] = await boxes(page, 'main address')
    expect((address?.bottom ?? 0) - (address?.top ?? 0), code).toBeLessThan(30)
  }
})

test('filters and order are chosen by keyboard, and what is sold out stands last', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(locationPath('DEN01'))
  const menus = page.getByRole('navigation', { name: 'Filter and sort' })
  await menus.locator('summary').last().press('Enter')
  await menus.getByRole('link', { name: 'Per month' }).press('Enter')
  await expect(page).toHaveURL(/sort=price/)
  const free = await page
    .getByRole('article')
    .evaluateAll((all) => all.map((one) => one.textContent?.includes('Rent now')))
  expect(free).toEqual([...free].sort((a, b) => Number(b) - Number(a)))
  expect(free.at(-1)).toBe(false)
})

test('who waits for a unit leaves an address, without scripts', async ({ plain }) => {
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

test('a unit is picked on the map, without scripts, and is the one that is reserved', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 844 })
  // No other journey takes a unit here. The upper floors keep several free ones.
  await plain.goto(locationPath('CHS01'))
  await plain.getByRole('link', { name: /^See them on the map, 5 × 10 Climate/ }).press('Enter')
  await expect(heading(plain)).toHaveText('Choose your 5 × 10 Climate Controlled')
  const upstairs = plain.getByRole('navigation', { name: 'Floors' }).getByRole('link').last()
  await upstairs.press('Enter')
  await expect(
    plain
      .getByRole('list')
      .getByText(/Up by elevator\s· \d+ ft from the elevator/)
      .first(),
  ).toBeVisible()
  // The plan opens on the free units, nearest first.
  const frame = await plain.locator('.map-frame').boundingBox()
  const href = await plain.locator('.two-lines a').first().getAttribute('href')
  const nearest = await plain.locator(`.map-units a[href="${href}"]`).boundingBox()
  for (const [at, size] of [
    ['x', 'width'],
    ['y', 'height'],
  ] as const) {
    const [from, to] = [nearest?.[at] ?? 0, (nearest?.[at] ?? 0) + (nearest?.[size] ?? 0)]
    expect(from).toBeGreaterThanOrEqual(frame?.[at] ?? 0)
    expect(to).toBeLessThanOrEqual((frame?.[at] ?? 0) + (frame?.[size] ?? 0))
  }
  const second = plain.locator('.two-lines a').nth(1)
  const name = (await second.locator('strong').textContent()) ?? ''
  // The picture shows the same.
  await plain.locator('.map-units a').nth(0).click()
  await expect(plain).toHaveURL(/unit=\d+#chosen$/)
  await plain.locator('.two-lines a', { hasText: name }).press('Enter')
  await expect(plain.locator('#chosen h2')).toHaveText(name)
  await expect(plain.locator('.map-mine text')).toHaveText(name.replace('Unit ', ''))
  await plain.getByRole('link', { name: `Reserve free, unit ${name.replace('Unit ', '')}` }).press('Enter')
  await expect(plain).toHaveURL(/\/reservation-date$/)
  await expect(plain.getByRole('complementary', { name: 'Price summary' })).toContainText(name.replace('U', 'u'))
})

test('the price at the bottom edge of a phone follows each choice, by the sum of the server', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await rentQuickly(page, 'ATL01', 'CC0510', '/insurance-schemes')
  const bar = page.locator('.fold > summary')
  const said = page.locator('main p[role=status].sr')
  const before = await dueToday(page)
  await expect(bar).toContainText(`Due today${before}`)
  await expect(said).toHaveText('')
  await page.getByRole('radio').last().check()
  await expect(said).toHaveText(/^Due today: \$[\d.]+\. Then \$[\d.]+ per month\.$/)
  const own = await dueToday(page)
  expect(own).not.toBe(before)
  await expect(bar).toContainText(`Due today${own}`)
  await page.getByRole('radio').first().check()
  await expect(bar).toContainText(`Due today${before}`)
  for (const wheel of [0, 300, 300]) {
    await page.mouse.wheel(0, wheel)
    const box = await bar.boundingBox()
    expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) - 844)).toBeLessThanOrEqual(2)
  }
})

test('the price at the bottom edge of a phone gives way to a field that is typed into, and to a card page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await rentQuickly(page, 'ATL01', 'CC0510', '/customer-info')
  const bar = page.locator('.fold > summary')
  const overlaps = () =>
    page.evaluate(() => {
      const bar = document.querySelector('.beside > aside')?.getBoundingClientRect()
      const covered = [...document.querySelectorAll('.beside > div :is(input, textarea, select, button, iframe)')]
      return covered.filter((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return bar && top < bar.bottom && bottom > bar.top && one.checkVisibility()
      }).length
    })
  await expect(bar).toBeVisible()
  const fields = page.locator('.beside > div :is(input:not([type=hidden]), textarea, select)')
  const count = await fields.count()
  expect(count).toBeGreaterThan(3)
  for (let at = 0; at < count; at += 1) {
    await fields.nth(at).focus()
    expect(await overlaps(), `covered while field ${at} is typed into`).toBe(0)
  }
  await page.setViewportSize({ width: 390, height: 400 })
  await heading(page).click()
  expect(await overlaps(), 'covered in a low window').toBe(0)
})

/** A visitor chooses a unit on the plan of a floor, and a tenant finds the way to a rented unit on the map. */
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'
import { inspect, isUnitFramed, windows } from './inspect.ts'
import { main, unitTypeId } from './renter-actions-and-locators.ts'
import { signInByToken } from './sign-in-and-pay-as-tenant.ts'

/** Addresses of the page for choosing a unit, for units on several floors and on the ground floor alone. */
const plans = [
  `/choose/ATL01/${unitTypeId('ATL01', 'CC1010')}`,
  `/choose/ATL01/${unitTypeId('ATL01', 'CC0505')}`,
  `/choose/ATL02/${unitTypeId('ATL02', 'DU1010')}`,
]

/**
 * Measures the plan: boxes of the frame and of visible signs, units and numbers in pixels of the window, the number of
 * free units, sizes of letters in pixels, the number of the way's points, and the scale in pixels per foot.
 */
const measurePlan = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (element: Element) => {
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
      return { text: element.textContent ?? '', left, right, top, bottom, width, height }
    }
    const visible = (selector: string) =>
      [...document.querySelectorAll(`.plan ${selector}`)].filter((element) => element.checkVisibility())
    const pixelsPerFoot = document.querySelector<SVGSVGElement>('.plan > svg')?.getScreenCTM()?.a ?? 0
    return {
      frame: boxOf(document.querySelector('.plan') as Element),
      signs: visible('.sign > g').map(boxOf),
      mine: visible('svg.mine g').map(boxOf),
      numbers: visible('svg.free g').map(boxOf),
      free: visible('a.free').length,
      units: [...visible('a.free'), ...visible('g.mine > g')].map(boxOf),
      letterSizes: visible('text').map((text) => Number.parseFloat(getComputedStyle(text).fontSize)),
      wayPoints: [...(document.querySelector('.map-way')?.getAttribute('d') ?? '').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)]
        .length,
      pixelsPerFoot,
    }
  })

type Box = Awaited<ReturnType<typeof measurePlan>>['frame']

const isOverlapping = (a: Box, b: Box) =>
  a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5

const isInside = (box: Box, frame: Box) =>
  box.left >= frame.left - 1 &&
  box.right <= frame.right + 1 &&
  box.top >= frame.top - 1 &&
  box.bottom <= frame.bottom + 1

test('the frame shows the whole floor with gate, entrance, elevator and free units, and no labels overlap', async ({
  plain,
}) => {
  for (const path of plans) {
    await plain.goto(path)
    const floors = await plain
      .getByRole('navigation', { name: 'Floors' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
    for (const address of floors.length > 0 ? floors : [path])
      for (const [width, height] of windows) {
        await plain.setViewportSize({ width, height })
        await plain.goto(address)
        const { frame, signs, mine, numbers, free, units, letterSizes } = await measurePlan(plain)
        const at = `${address} at ${width}`
        const rows = await main(plain).locator('.choose-list > li').count()
        expect(
          units.filter((unit) => !isInside(unit, frame)),
          at,
        ).toEqual([])
        expect(
          [...signs, ...mine, ...numbers].filter((label) => !isInside(label, frame)),
          at,
        ).toEqual([])
        expect(free + mine.length, at).toBeLessThanOrEqual(rows)
        expect(mine, at).toHaveLength(1)
        const onGround = address.includes('floor=1') || floors.length === 0
        const signNames = signs.map(({ text }) => text)
        if (onGround) expect(signNames, at).toEqual(expect.arrayContaining(['Gate', 'Entrance']))
        if (floors.length > 1) expect(signNames, at).toEqual(expect.arrayContaining(['Elevator', 'Stairs']))
        const labels = [...signs, ...mine, ...numbers]
        const overlaps = labels.flatMap((label, index) =>
          labels.slice(index + 1).flatMap((other) => (isOverlapping(label, other) ? [[label.text, other.text]] : [])),
        )
        expect(overlaps, at).toEqual([])
        expect(Math.min(...letterSizes), at).toBeGreaterThanOrEqual(11)
        expect(Math.max(...letterSizes), at).toBeLessThanOrEqual(15)
      }
  }
})

test('the nearest unit is preselected, and a phone’s first screen shows price, action and plan', async ({ plain }) => {
  const [path = ''] = plans
  for (const [width, height] of windows) {
    await plain.setViewportSize({ width, height })
    await plain.goto(path)
    await expect(main(plain)).toContainText('We picked the one nearest to the gate')
    for (const end of [false, true]) {
      const actions = await plain.evaluate((end) => {
        scrollTo(0, end ? document.documentElement.scrollHeight : 0)
        return [...document.querySelectorAll<HTMLElement>('main .btn-primary')].map((action) => {
          const { left, top, bottom, width } = action.getBoundingClientRect()
          const hit = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
          return {
            enough: innerWidth < 1024 ? 2 * width + 8 >= innerWidth - 40 : true,
            in: top >= 0 && bottom <= innerHeight,
            hit: action.contains(hit),
          }
        })
      }, end)
      if (end && width >= 1024) continue
      expect(actions, `${width} × ${height}, ${end ? 'end' : 'top'}`).toEqual([{ enough: true, in: true, hit: true }])
    }
    const { plan, bar } = await plain.evaluate(() => {
      scrollTo(0, 0)
      const [plan, bar] = ['.plan', '.action-bar .actions'].map((selector) =>
        document.querySelector(selector)?.getBoundingClientRect(),
      )
      return {
        plan: plan?.bottom ?? 9999,
        bar: document.querySelector('.sticks')?.getBoundingClientRect().top || bar?.top || 0,
      }
    })
    expect(plan, `plan at ${width} × ${height}`).toBeLessThanOrEqual(bar)
    // The page shows each of the two prices once: the amount due today, and the monthly price.
    if (width < 1024)
      expect((await main(plain).innerText()).match(/\$\d+\.\d\d/g), `prices at ${width}`).toHaveLength(2)
  }
})

test('another unit is chosen in the list, enlarged and rented without scripts', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 664 })
  // On the plans of ATL01 the ground floor may have only one free unit.
  await plain.goto(plans[2] ?? '')
  const rows = main(plain).locator('.choose-list a')
  const second = (await rows.nth(1).locator('strong').textContent()) ?? ''
  await rows.nth(1).click()
  await expect(main(plain).locator('.choose-list [aria-current]')).toContainText(second)
  await expect(plain.locator('.action-bar summary')).toContainText(second)
  await expect(rows.nth(1)).toBeInViewport()
  const whole = await measurePlan(plain)
  await plain.getByRole('link', { name: 'Nearer' }).click()
  const near = await measurePlan(plain)
  expect(near.pixelsPerFoot).toBeGreaterThan(whole.pixelsPerFoot)
  expect(near.wayPoints).toBe(whole.wayPoints)
  for (const box of near.mine) expect(isInside(box, near.frame)).toBe(true)
  expect(near.signs.map(({ text }) => text)).toContain('Gate')
  await expect(plain.getByRole('link', { name: 'Whole floor' })).toBeVisible()
  await plain.getByRole('link', { name: `Rent now, ${second.toLowerCase()}` }).click()
  await expect(plain).toHaveURL(/rentNow=1/)
})

test('the page for choosing a unit passes axe, 320 px, doubled text and fourfold zoom', async ({ page }) => {
  for (const address of [plans[0] ?? '', `${plans[2]}?near=1`]) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(address)
    await inspect(page)
  }
})

test('the page for choosing a unit takes at most 14,600 bytes and loads no script or style sheet', async ({ page }) => {
  const resourceTypes: string[] = []
  page.on('request', (request) => resourceTypes.push(request.resourceType()))
  for (const path of plans) {
    const response = await page.goto(path)
    const { responseBodySize } = (await response?.request().sizes()) ?? { responseBodySize: 0 }
    expect(responseBodySize, path).toBeGreaterThan(8_000)
    expect(responseBodySize, path).toBeLessThanOrEqual(14_600)
  }
  expect(resourceTypes.filter((type) => type === 'stylesheet' || type === 'script')).toEqual([])
})

test('the map of a unit shows its whole route and keeps the page as wide as its window', async ({
  page,
  context,
  site,
}) => {
  await signInByToken(context, site, 'marcus.tilley@example.com')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await page.goto('/unit-map?unit=318')
    await expectNoSidewaysScroll(page)
    await expect.poll(() => isUnitFramed(page), `${width} × ${height}`).toBe(true)
  }
})

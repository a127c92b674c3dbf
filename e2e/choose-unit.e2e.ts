/** Choosing a unit on the plan of a floor, and finding one's own again. */
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'
import { inspect, isUnitFramed, windows } from './inspect.ts'
import { main, unitTypeId } from './journey.ts'
import { signInByToken } from './tenants.ts'

/** Facilities with low, long and single floors. */
const plans = [
  `/choose/ATL01/${unitTypeId('ATL01', 'CC1010')}`,
  `/choose/ATL01/${unitTypeId('ATL01', 'CC0505')}`,
  `/choose/ATL02/${unitTypeId('ATL02', 'DU1010')}`,
]

/** What stands on the plan, as boxes in the window. */
const planOf = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (one: Element) => {
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect()
      return { text: one.textContent ?? '', left, right, top, bottom, width, height }
    }
    const seen = (selector: string) =>
      [...document.querySelectorAll(`.plan ${selector}`)].filter((one) => one.checkVisibility())
    const foot = document.querySelector<SVGSVGElement>('.plan > svg')?.getScreenCTM()?.a ?? 0
    return {
      frame: boxOf(document.querySelector('.plan') as Element),
      signs: seen('.sign > g').map(boxOf),
      mine: seen('svg.mine g').map(boxOf),
      numbers: seen('svg.free g').map(boxOf),
      free: seen('a.free').length,
      units: [...seen('a.free'), ...seen('g.mine > g')].map(boxOf),
      letters: seen('text').map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
      way: [...(document.querySelector('.map-way')?.getAttribute('d') ?? '').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].length,
      foot,
    }
  })

type Box = Awaited<ReturnType<typeof planOf>>['frame']

const meet = (one: Box, other: Box) =>
  one.left < other.right - 0.5 &&
  other.left < one.right - 0.5 &&
  one.top < other.bottom - 0.5 &&
  other.top < one.bottom - 0.5

const inside = (one: Box, frame: Box) =>
  one.left >= frame.left - 1 &&
  one.right <= frame.right + 1 &&
  one.top >= frame.top - 1 &&
  one.bottom <= frame.bottom + 1

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
        const { frame, signs, mine, numbers, free, units, letters } = await planOf(plain)
        const at = `${address} at ${width}`
        const rows = await main(plain).locator('.choose-list > li').count()
        expect(
          units.filter((unit) => !inside(unit, frame)),
          at,
        ).toEqual([])
        expect(
          [...signs, ...mine, ...numbers].filter((one) => !inside(one, frame)),
          at,
        ).toEqual([])
        expect(free + mine.length, at).toBeLessThanOrEqual(rows)
        expect(mine, at).toHaveLength(1)
        const onGround = address.includes('floor=1') || floors.length === 0
        const named = signs.map(({ text }) => text)
        if (onGround) expect(named, at).toEqual(expect.arrayContaining(['Gate', 'Entrance']))
        if (floors.length > 1) expect(named, at).toEqual(expect.arrayContaining(['Elevator', 'Stairs']))
        const labels = [...signs, ...mine, ...numbers]
        const lying = labels.flatMap((label, index) =>
          labels.slice(index + 1).flatMap((other) => (meet(label, other) ? [[label.text, other.text]] : [])),
        )
        expect(lying, at).toEqual([])
        expect(Math.min(...letters), at).toBeGreaterThanOrEqual(11)
        expect(Math.max(...letters), at).toBeLessThanOrEqual(15)
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
        return [...document.querySelectorAll<HTMLElement>('main .btn-primary')].map((one) => {
          const { left, top, bottom, width } = one.getBoundingClientRect()
          const hit = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
          return {
            enough: innerWidth < 1024 ? 2 * width + 8 >= innerWidth - 40 : true,
            in: top >= 0 && bottom <= innerHeight,
            hit: one.contains(hit),
          }
        })
      }, end)
      if (end && width >= 1024) continue
      expect(actions, `${width} × ${height}, ${end ? 'end' : 'top'}`).toEqual([{ enough: true, in: true, hit: true }])
    }
    const { plan, bar } = await plain.evaluate(() => {
      scrollTo(0, 0)
      const [plan, bar] = ['.plan', '.action-bar .actions'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      )
      return {
        plan: plan?.bottom ?? 9999,
        bar: document.querySelector('.sticks')?.getBoundingClientRect().top || bar?.top || 0,
      }
    })
    expect(plan, `plan at ${width} × ${height}`).toBeLessThanOrEqual(bar)
    // The price stands once.
    if (width < 1024)
      expect((await main(plain).innerText()).match(/\$\d+\.\d\d/g), `prices at ${width}`).toHaveLength(2)
  }
})

test('another unit is chosen in the list, enlarged and rented without scripts', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 664 })
  // The ground floor of the other facilities may have one free unit alone.
  await plain.goto(plans[2] ?? '')
  const rows = main(plain).locator('.choose-list a')
  const second = (await rows.nth(1).locator('strong').textContent()) ?? ''
  await rows.nth(1).click()
  await expect(main(plain).locator('.choose-list [aria-current]')).toContainText(second)
  await expect(plain.locator('.action-bar summary')).toContainText(second)
  await expect(rows.nth(1)).toBeInViewport()
  const whole = await planOf(plain)
  await plain.getByRole('link', { name: 'Nearer' }).click()
  const near = await planOf(plain)
  expect(near.foot).toBeGreaterThan(whole.foot)
  expect(near.way).toBe(whole.way)
  for (const one of near.mine) expect(inside(one, near.frame)).toBe(true)
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

test('the page for choosing a unit arrives in one response of one flight', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.resourceType()))
  for (const path of plans) {
    const answer = await page.goto(path)
    const { responseBodySize } = (await answer?.request().sizes()) ?? { responseBodySize: 0 }
    expect(responseBodySize, path).toBeGreaterThan(8_000)
    expect(responseBodySize, path).toBeLessThanOrEqual(14_600)
  }
  expect(asked.filter((type) => type === 'stylesheet' || type === 'script')).toEqual([])
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

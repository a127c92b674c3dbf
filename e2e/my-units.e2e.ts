/** The tenant's home and unit page, on phones and on a desktop: what the first screen shows, the drawn door and the table. */
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'
import {
  expectAccessibleTall,
  expectNothingCutOff,
  expectTabbedUncovered,
  inspect,
  isFramed,
  windows,
} from './inspect.ts'
import { heading, main } from './renter-actions-and-locators.ts'
import { openUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

/** Returns where the first visible element of each selector ends, in pixels from the page's top; NaN for none. */
const measureBottoms = (page: Page, selectors: Record<string, string>) =>
  page.evaluate((selectors) => {
    scrollTo(0, 0)
    return Object.fromEntries(
      Object.entries(selectors).map(([name, selector]) => {
        const found = [...document.querySelectorAll(selector)].find((element) => element.checkVisibility())
        return [name, found ? Math.round(found.getBoundingClientRect().bottom) : Number.NaN]
      }),
    )
  }, selectors)

/** Inspects the page on phones and on a desktop, and checks by Tab that no focused element is covered. */
async function expectSound(page: Page): Promise<void> {
  // The window is tall enough for the whole page, so that no sticky bar covers a control while axe runs.
  await page.setViewportSize({ width: 360, height: 3000 })
  await inspect(page)
  // Axe has run at 360 px.
  await expectAccessibleTall(page, [390, 1440])
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await expectNoSidewaysScroll(page)
    await expectNothingCutOff(page)
    await expectTabbedUncovered(page)
  }
}

const home = {
  code: '.home-code .figure',
  due: '.home-due strong',
  pay: '.home-due .btn',
}

test('a paid-up tenant sees code, next payment and button in the first screen', async ({ page, context, site }) => {
  await signInByToken(context, site, 'marcus.tilley@example.com')
  await page.goto('/my-units')
  await expect(heading(page)).toHaveText('Select a Unit')
  // Until the gate has acknowledged the code, some seconds after the site's start, the page refreshes itself.
  await expect(page.locator('.home-code')).not.toContainText('Being given to the gate')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    for (const [name, bottom] of Object.entries(await measureBottoms(page, home)))
      expect(bottom, `${name} at ${width} × ${height}`).toBeLessThanOrEqual(height)
    const letters = await page.locator(home.code).evaluate((code) => Number.parseFloat(getComputedStyle(code).fontSize))
    expect(letters).toBeGreaterThanOrEqual(42)
    expect(letters).toBeLessThanOrEqual(54)
  }
  await expect(page.locator('.way .plan-labels .mine text')).toHaveText('318')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    expect(await isFramed(page, '.way .plan', ['.way .mine', '.way .map-way']), `the way at ${width}`).toBe(true)
  }
  for (const row of ['Details', 'Autopay', 'Insurance(?! Brochure)', 'Receipts', 'Change to another size', 'Move Out'])
    await expect(main(page).getByRole('link', { name: new RegExp(`^${row}`) })).toBeVisible()
  await expectSound(page)
})

test('a tenant sees an amount due within 460 px, and the button before the code', async ({ page, context, site }) => {
  // A tenant who can pay only by phone has the call as the primary button, which may end lower.
  for (const [user, maxBottom] of [
    ['owen.strand@example.com', 460],
    ['vera.lockett@example.com', 640],
  ] as const) {
    await signInByToken(context, site, user)
    await page.goto('/my-units')
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height })
      const { due, act, code } = await measureBottoms(page, { ...home, act: '.home-due .btn-primary' })
      expect(due, `due of ${user} at ${width}`).toBeLessThanOrEqual(460)
      expect(act, `button of ${user} at ${width}`).toBeLessThanOrEqual(maxBottom)
      expect(act, `button of ${user} before the code at ${width}`).toBeLessThan(code ?? 0)
    }
    await expect(main(page)).toContainText(/This unit is (locked|prepared for auction)/)
    await expectSound(page)
  }
})

test('the door is drawn open, shut or locked as the gate’s status says', async ({ page, context, site }) => {
  const state = async (user: string) => {
    await signInByToken(context, site, user)
    // A gate takes some seconds after the site's start to acknowledge its codes.
    await expect(async () => {
      await page.goto('/my-units')
      await expect(page.locator('.home-code')).not.toContainText('Being given to the gate', { timeout: 1 })
    }).toPass()
    return {
      door: await page.locator('[data-door]').getAttribute('data-door'),
      says: await page.locator('.home-code').innerText(),
    }
  }
  const anyHour = await state('roscoe.finch@example.com')
  expect(anyHour.says).toContain('Opens now, at any hour.')
  expect(anyHour.door).toBe('open')
  const locked = await state('owen.strand@example.com')
  expect(locked.says).toContain('Not accepted while the unit is past due.')
  expect(locked.door).toBe('locked')
  // The expected door depends on whether the site's time, which `CLOCK` can change, is within the gate's hours.
  const { door, says } = await state('marcus.tilley@example.com')
  expect(door).toBe(says.includes('Opens now') ? 'open' : 'shut')
})

test('forty units form one table with one gate code, also on a phone', async ({ page, context, site }) => {
  await signInByToken(context, site, 'edith@marlow-cabinets.example')
  await page.goto('/my-units')
  await expect(main(page)).not.toContainText('Being given to the gate')
  const rows = page.getByRole('table', { name: 'Your units' }).getByRole('row')
  await expect(rows).toHaveCount(41)
  await expect(main(page).getByText('Gate Code, all units')).toHaveCount(1)
  const code = await page.locator('.shared-code .price').innerText()
  expect((await main(page).innerText()).split(code)).toHaveLength(2)
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    expect(await page.evaluate(() => document.documentElement.scrollHeight), `${width}`).toBeLessThanOrEqual(
      width < 390 ? 2950 : 2900,
    )
  }
  await page.getByRole('columnheader', { name: 'Unit' }).getByRole('link').click()
  await expect(page).toHaveURL(/\?sort=unit$/)
  await page.getByRole('searchbox', { name: 'Find a unit' }).fill('past due')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(main(page)).toContainText('No unit here is called that.')
  await page.goto('/my-units')
  await expectSound(page)
})

test('the unit’s page shows its figures in one row, and the button to pay dues in the first screen', async ({
  page,
  context,
  site,
}) => {
  for (const user of ['marcus.tilley@example.com', 'owen.strand@example.com']) {
    await signInByToken(context, site, user)
    await openUnit(page)
    await expect(main(page)).not.toContainText('Being given to the gate')
    await page.setViewportSize({ width: 360, height: 640 })
    const bottoms = await page
      .locator('.unit-cells dd')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().bottom)))
    expect(new Set(bottoms).size, `rows of cells for ${user}`).toBe(1)
    const { pay } = await measureBottoms(page, { pay: '.btn-primary' })
    if (user.startsWith('owen')) expect(pay).toBeLessThanOrEqual(640)
    await expectSound(page)
  }
})

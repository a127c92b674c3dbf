/** The bar with price and action of the renter's steps, which covers nothing that has the focus. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { demoLinks } from '../demo/links-and-appointments.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessibleTall, expectTabbedUncovered, phones, windows } from './inspect.ts'
import { change } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  button,
  heading,
  main,
  newRenter,
  pathOf,
  rentQuickly,
  rentUntil,
} from './renter-actions-and-locators.ts'
import { payUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

/**
 * Returns for each primary action whether the action is in the window, is hit by a press at its middle, and is wide
 * `enough`: at least the window less 40 px, or half of that beside a secondary action.
 * @param end true scrolls to the page's end first, false to its top; null leaves the page where it is
 */
const primaryActions = (page: Page, end: boolean | null) =>
  page.evaluate((end) => {
    if (end !== null) scrollTo(0, end ? document.documentElement.scrollHeight : 0)
    return [...document.querySelectorAll<HTMLElement>('main .btn-primary')]
      .filter((action) => action.checkVisibility() && !action.closest('dialog'))
      .map((action) => {
        const { left, top, bottom, width } = action.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
        const hasSecondary = action.parentElement?.querySelector('.btn-secondary') !== null
        const enough = innerWidth - 40 <= width * (hasSecondary ? 2 : 1)
        return { enough, inWindow: top >= 0 && bottom <= innerHeight, hit: hit !== null && action.contains(hit) }
      })
  }, end)

async function expectOneBar(page: Page): Promise<void> {
  const size = page.viewportSize()
  for (const [width, height] of phones) {
    await page.setViewportSize({ width, height })
    for (const end of [false, true])
      expect(await primaryActions(page, end), `${page.url()} at ${width} × ${height}, ${end ? 'end' : 'top'}`).toEqual([
        { enough: true, inWindow: true, hit: true },
      ])
    const { bar, foot } = await page.evaluate(() => ({
      bar: document.querySelector('.action-bar')?.getBoundingClientRect().height ?? 0,
      foot: document.querySelector('footer')?.getBoundingClientRect().height ?? 0,
    }))
    expect(bar, `bar of ${page.url()} at ${width}`).toBeLessThanOrEqual(112)
    if (width === 390) expect(foot, `foot of ${page.url()}`).toBeLessThanOrEqual(125)
  }
  // On a desktop the price is beside the content, and the action at the content's end, where a press hits the action.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('main .btn-primary:visible').last().scrollIntoViewIfNeeded()
  expect(await primaryActions(page, null), `${page.url()} at 1440`).toEqual([
    { enough: expect.anything(), inWindow: true, hit: true },
  ])
  const desk = await page.evaluate(() => {
    scrollTo(0, 0)
    const [price, action] = ['aside', '.btn-primary'].map((selector) =>
      document.querySelector(`.action-bar ${selector}`)?.getBoundingClientRect(),
    )
    return price && action && { beside: price.left > action.right, top: price.top < 500 }
  })
  expect(desk, page.url()).toEqual({ beside: true, top: true })
  await page.setViewportSize(size ?? { width: 1280, height: 900 })
}

const look = async (page: Page): Promise<void> => {
  await expectOneBar(page)
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await expectTabbedUncovered(page)
  }
  await page.setViewportSize({ width: 390, height: 664 })
}

test('each step from reservation to payment shows one action, which covers no focused element', async ({ page }) => {
  test.setTimeout(300_000)
  const visited: string[] = []
  const onPage = async (_: Page, path: string) => {
    visited.push(path)
    await look(page)
  }
  const renter = newRenter()
  await page.setViewportSize({ width: 390, height: 664 })
  await rentUntil(page, 'ATL02', 'CC1010', '/payment-method', {
    renter,
    reserve: true,
    agent: true,
    lien: true,
    insurance: 'own',
    military: true,
    onPage,
  })
  await look(page)
  expect(visited).toEqual(expect.arrayContaining(['/reservation-date', '/add-contact', '/designated-agent', '/lease']))
  expect(visited.length).toBeGreaterThan(12)
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Cancel reservation' })).toBeVisible()
  await answerStepsUntil(page, '/process-payment', { renter })
  // The card provider's own button pays on the card page, and the price does not stick over the card fields.
  const bar = page.locator('.action-bar')
  await expect(bar).toBeVisible()
  await expect(bar).not.toHaveClass(/sticks/)
  await expect(bar.locator('.btn')).toHaveCount(0)
})

test('a bank account and the settlement of dues have the same action bar', async ({ page, context, site }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await rentQuickly(page, 'ATL01', 'CC1010', '/payment-method')
  await page.getByRole('radio', { name: /^Bank account/ }).check()
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/process-payment-ach/)
  await look(page)
  // Another journey on this site pays the demo's own link.
  const uuid = randomUUID()
  await change(site, async (tx) => {
    const links = tx.selectFrom('settlements').selectAll().where('uuid', '=', demoLinks.settlement.uuid)
    const link = await links.executeTakeFirstOrThrow()
    await tx
      .insertInto('settlements')
      .values({ ...link, uuid, state: 'open', order_id: null, paid_at: null })
      .execute()
  })
  await page.goto(`/p/${uuid}`)
  await expect(heading(page)).toHaveText('Settle what is past due')
  await look(page)
  await signInByToken(context, site, 'owen.strand@example.com')
  await payUnit(page)
  await look(page)
})

test('amounts, method and action end within 1280 px, and a folded answer can be changed', async ({ page, plain }) => {
  await rentQuickly(page, 'ATL01', 'CC1010', '/payment-method')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    const bottoms = await page.evaluate(() =>
      [':is(.card, aside) .sum', '[name=method]', 'main .btn-primary'].map((selector) =>
        Math.max(...[...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect().bottom)),
      ),
    )
    for (const bottom of bottoms) expect(bottom, `${bottoms} at ${width} × ${height}`).toBeLessThanOrEqual(1280)
    expect(bottoms[0]).toBeGreaterThan(300)
  }
  await expect(main(page).locator('details.terms > summary')).toContainText([
    /^You/,
    /^Unit and day.*moves in today$/,
    /^Insurance and lease.*autopay on$/,
    /^Vehicle, lien holder, military.*None of them$/,
  ])
  await main(page).getByText('Insurance and lease').click()
  await main(page).getByRole('link', { name: 'Change insurance' }).click()
  await expect(page).toHaveURL(/insurance-schemes\?review=1$/)
  await button(page, 'Next').click()
  await expect(page).toHaveURL(/payment-method$/)
  // The same rows fold open without scripts.
  await plain.context().addCookies(await page.context().cookies())
  await plain.goto('/payment-method')
  await plain.getByText('Unit and day').click()
  await expect(plain.getByText('Next billing date')).toBeVisible()
})

test('a low window has no sticky action bar', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await rentQuickly(page, 'ATL01', 'CC0510', '/customer-info')
  await expect(page.locator('.action-bar')).toHaveCSS('position', 'static')
  expect(pathOf(page)).toBe('/customer-info')
})

test('steps of the rental pass axe in a window as tall as the page, at each width', async ({ page }) => {
  for (const until of ['/insurance-schemes', '/customer-info', '/payment-method']) {
    await rentQuickly(page, 'DEN01', 'CC1015', until)
    await expectAccessibleTall(page)
  }
})

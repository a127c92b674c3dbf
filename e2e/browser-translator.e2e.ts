/**
 * Pages that the browser translates, as Chromium's translator does: each text is replaced by a <font>, before or after
 * hydration.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectPaidOnce } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  beforeScripts,
  button,
  dueToday,
  expectMovedIn,
  main,
  newRenter,
  payWithCard,
  rentUntil,
  waitForPath,
} from './renter-actions-and-locators.ts'
import { openUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

/**
 * Imitates Chromium's translator: replaces each text on the page, also later ones, by an element with the same text,
 * unless it is marked as not to be translated. Runs in the browser.
 */
function imitateTranslator(): void {
  const untranslated = 'font, script, style, textarea, svg, [translate="no"]'
  const replace = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = root instanceof Text ? [root] : []
    for (let next = walker.nextNode(); next; next = walker.nextNode()) texts.push(next as Text)
    for (const text of texts) {
      if (!text.isConnected || !text.data.trim() || text.parentElement?.closest(untranslated)) continue
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  replace(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const added of addedNodes) replace(added)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Translates each document of the tab after it has loaded. */
const translateOnLoad = (page: Page) =>
  page.addInitScript(`addEventListener('load', () => setTimeout(${imitateTranslator}, 50))`)

/** Reloads the page and translates it before its scripts run. `act` fills fields in meanwhile, like a quick user. */
async function reloadTranslated(page: Page, act: () => Promise<unknown> = async () => {}): Promise<void> {
  await beforeScripts(page, async () => {
    await page.waitForFunction(() => document.readyState !== 'loading' && document.querySelector('main'))
    await page.evaluate(() => document.querySelector('main')?.setAttribute('data-served', ''))
    await page.evaluate(imitateTranslator)
    await act()
  })
  // React has replaced the served page by its own rendering.
  await expect(page.locator('main[data-served]')).toHaveCount(0)
}

const expectTranslated = (page: Page) => expect(page.locator('main font').first()).toBeVisible()

test('a page translated after its scripts have loaded rents by card and updates its prices', async ({ page, site }) => {
  await translateOnLoad(page)
  const renter = newRenter()
  await rentUntil(page, 'PHX01', 'DU1020', '/lease', { renter, onPage: expectTranslated })
  const before = await dueToday(page)
  await page.getByRole('checkbox', { name: /^Pay automatically/ }).click()
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
  await expect.poll(() => dueToday(page)).not.toBe(before)
  const after = await dueToday(page)
  await answerStepsUntil(page, '/payment-method', { renter })
  await expectTranslated(page)
  await button(page, `Pay ${after} by card`).click()
  await payWithCard(page, 'visa')
  const { gateCode } = await expectMovedIn(page)
  expect(gateCode).toMatch(/^\d{3} \d{3}$/)
  await expectTranslated(page)
  await expectPaidOnce(site, renter.email)
})

test('a page translated before its scripts have loaded keeps the input and works', async ({ page, site }) => {
  const renter = newRenter()
  await rentUntil(page, 'PHX01', 'DU1020', '/lease', {
    renter,
    async onPage(_, path) {
      if (path !== '/customer-info') return
      const field = main(page).getByLabel("Driver's license number", { exact: true })
      await reloadTranslated(page, () => field.fill('W1234567'))
      await expect(field).toHaveValue('W1234567')
    },
  })
  const autopay = page.getByRole('checkbox', { name: /^Pay automatically/ })
  const before = await dueToday(page)
  await reloadTranslated(page, () => autopay.uncheck())
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
  await expect(autopay).not.toBeChecked()
  await expect.poll(() => dueToday(page)).not.toBe(before)
  await answerStepsUntil(page, '/payment-method', { renter })
  await reloadTranslated(page)
  await button(page, /^Pay .* by card$/).click()
  await payWithCard(page, 'visa')
  await expectMovedIn(page)
  await expectPaidOnce(site, renter.email)
})

test('a translated page lets a tenant see the unit, choose periods ahead and pay for them', async ({
  page,
  context,
  site,
}) => {
  await translateOnLoad(page)
  await signInByToken(context, site, 'marcus.tilley@example.com')
  await openUnit(page)
  const total = page.getByRole('region', { name: 'Total' }).locator('tfoot td')
  await expectTranslated(page)
  await expect(total).toHaveText('$100.69')
  await page.getByLabel('How far ahead').selectOption('2')
  await expect(total).toHaveText('$201.38')
  await reloadTranslated(page, () => page.getByLabel('How far ahead').selectOption('3'))
  await expect(total).toHaveText('$302.07')
  await expect(page.getByLabel('How far ahead')).toHaveValue('3')
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await waitForPath(page, '/online-payment-method')
  await expectTranslated(page)
  await button(page, /^(Pay \$|Continue)/).click()
  await payWithCard(page, 'visa', '/online-payment')
  await waitForPath(page, '/unit-lease-details')
  await expect(main(page)).toContainText(/You paid \$302\.07 with Visa ending 1111\./)
  await page.goto('/my-units')
  await reloadTranslated(page)
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
})

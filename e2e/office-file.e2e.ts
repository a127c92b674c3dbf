/** Who is calling, what they owe, why the gate does not open, and a follow-up: by keyboard alone, then on a phone without scripts. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, shown, test } from './fixtures.ts'
import { button, heading, main } from './journey.ts'
import { pressKey, signInToOffice } from './office.ts'

/** Of demo/people.ts: late and overlocked, so that the gate refuses his code. */
const caller = { phone: '(678) 555-0156', name: 'Silas Boone', file: /\/office\/tenants\/ATL01\/\d+/ }

/** Nothing is clicked from here on: the page answers. */
async function answers(page: Page): Promise<void> {
  await page.waitForURL(caller.file)
  await expect(heading(page)).toHaveText(caller.name)
  const lease = main(page).getByRole('row', { name: /^132/ })
  await expect(lease).toContainText('Past Due')
  await expect(lease).toContainText(/\$\d{3}\.\d\d/)
  await expect(lease).toContainText('The gate refuses the code')
}

const nextFriday = new Date(Date.now() + 4 * 86_400_000).toLocaleDateString('en-US', {
  ...{ month: '2-digit', day: '2-digit', year: 'numeric' },
})

test('a call answered and a follow-up written by keyboard alone', async ({ page }) => {
  await signInToOffice(page, 'agent')
  await pressKey(page, '/')
  await page.keyboard.type(caller.phone)
  await page.keyboard.press('Enter')
  await answers(page)
  await shown(page)
  await expectAccessible(page)
  await pressKey(page, 'n')
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.type('Says he pays on Friday')
  await page.keyboard.press('Tab')
  await page.keyboard.type(nextFriday)
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('list', { name: 'Open tasks' })).toContainText('Says he pays on Friday')
  // The next caller, from the same box.
  await pressKey(page, '/')
  await page.keyboard.type('ATL01 318')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Marcus Tilley')
})

test('the same on a phone, without scripts', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 844 })
  await signInToOffice(plain, 'manager')
  await plain.getByRole('searchbox').fill('silas boone')
  await plain.getByRole('search').getByRole('button', { name: 'Find' }).click()
  await answers(plain)
  await expectNoSidewaysScroll(plain)
  await plain.getByLabel('Note', { exact: true }).fill('Called back: left a message')
  await button(plain, 'Save note').click()
  await expect(main(plain)).toContainText('Called back: left a message')
  await expectNoSidewaysScroll(plain)
})

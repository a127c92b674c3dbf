/** The past-due list by keyboard, and a lien case up to its stop by payment. */
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { Presses, signInToOffice } from './office.ts'
import { button, heading, main } from './renter-actions-and-locators.ts'

const row = (page: import('@playwright/test').Page, unit: string) =>
  page.locator('tbody[data-row]').filter({ has: page.getByRole('link', { name: new RegExp(`^${unit}`) }) })

test('staff work through the calling list by keyboard with two keys for each tenant', async ({ page }) => {
  await signInToOffice(page, 'manager')
  await page.goto('/office/past-due?at=ATL01&show=all')
  await expectAccessible(page)
  const progress = main(page).getByText('done today').locator('strong')
  const before = Number((await progress.innerText()).split(' ')[0])
  const [owed] = /\$[\d,.]+/.exec(await row(page, '332').innerText()) ?? ['no sum']
  await row(page, '332').locator('a[data-open]').focus()
  const presses = new Presses(page)
  await presses.key('c')
  await expect(button(page, /^No answer/)).toBeVisible()
  await presses.press('2')
  await expect(page.getByRole('status')).toContainText('called today')
  presses.done('call a late tenant')
  await expect(page).toHaveURL(/\/office\/past-due\?/)
  await expect(progress).toHaveText(new RegExp(`^${before + 1} of`))
  // The focus is on the row where the list continues.
  await expect(page.locator('tbody[data-row] a[data-open]:focus')).toHaveCount(1)
  await row(page, '332').locator('a[data-open]').focus()
  await presses.key('p')
  await expect(page.getByLabel('Pays on')).toBeFocused()
  await expectAccessible(page)
  await presses.press('Enter')
  await expect(page.getByRole('status')).toContainText('promise is noted')
  presses.done('note a promise')
  await expect(page).toHaveURL(/\/office\/past-due\?/)
  await expect(row(page, '332')).toContainText(new RegExp(`[A-Z][a-z]{2} \\d+ \\${owed}`))
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
})

test('a lien case shows its next step, refuses a partial payment and stops on full payment', async ({ page }) => {
  await signInToOffice(page, 'manager')
  await page.goto('/office/liens?at=ATL02')
  await expectAccessible(page)
  await page.getByRole('link', { name: /^405/ }).click()
  await expect(heading(page)).toHaveText('Lien case, unit 405')
  await expect(page.getByText('Next: Advertisement')).toBeVisible()
  await expectAccessible(page)
  const caseAddress = page.url()
  await page.locator('main').getByRole('link', { name: 'Vera Lockett' }).click()
  await expect(page.getByRole('list', { name: 'Flags' })).toContainText('Lien case 405')
  const presses = new Presses(page)
  await presses.key('p')
  await expect(heading(page)).toHaveText('Take a payment')
  const amount = page.getByLabel('Amount')
  const owed = await amount.inputValue()
  await presses.fill(page.getByLabel('Number'), '9071')
  await amount.fill('40.00')
  await button(page, /^Receive/).click()
  await expect(page.locator('.problem')).toContainText('only the full')
  // The amount that the page suggested is the whole balance due.
  await amount.fill(owed)
  await presses.press('Control+Enter')
  await expect(page.getByRole('status').first()).toContainText('Received')
  presses.done('post a check')
  await page.goto(caseAddress)
  await expect(page.locator('main')).toContainText('Paid: nothing is owed any more.')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
})

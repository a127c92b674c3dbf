/**
 * A batch of three checks by keyboard, the count with a difference, the deposit's match by another staff member, and a
 * returned check.
 */
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { Presses, signInToOffice } from './office.ts'
import { beforeScripts, button, main } from './renter-actions-and-locators.ts'

test('staff enter three checks by keyboard, count and match them, and return one', async ({ page, elsewhere }) => {
  await signInToOffice(page, 'agent')
  await page.goto('/office/receipts')
  await page.locator('summary', { hasText: 'Open a drawer' }).click()
  await page.getByLabel('Where the money lies').selectOption('SAV01')
  await button(page, 'Open').click()
  await expect(page).toHaveURL(/stack/)
  const unit = page.getByLabel('Unit', { exact: true })
  await expect(unit).toBeFocused()
  const presses = new Presses(page)
  // The agent enters each check by keys alone: the unit, the amount and the check's number.
  for (const [index, unitNumber] of ['131', '132', '131'].entries()) {
    await page.keyboard.type(`ATL01 ${unitNumber}`)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(/^Amount/)).toBeFocused()
    await presses.type('40.00')
    await page.keyboard.press('Tab')
    await presses.type(`${5001 + index}`)
    await presses.press('Enter')
    await expect(main(page)).toContainText(`${index + 1} receipt`)
    presses.done('post a check of a stack')
    await expect(unit).toBeFocused()
    await expect(unit).toHaveValue('')
  }
  await expectAccessible(page)
  await main(page)
    .getByRole('link', { name: /^SAV01/ })
    .click()
  await expect(page).toHaveURL(/day-close/)
  await expectAccessible(page)
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(size)
  await expect(main(page)).not.toContainText('$120.00')
  await page.getByLabel('Cash counted').fill('2.00')
  await page.getByLabel('Check counted').fill('120.00')
  await page.getByLabel('Money order counted').fill('0')
  await button(page, 'Close drawer').click()
  await expectAccessible(page)
  await page.getByLabel('Why it differs').selectOption('found')
  await button(page, 'Close drawer').click()
  await expect(main(page)).toContainText('Counted. The deposit waits')
  const drawer = new URL(page.url()).pathname

  await signInToOffice(elsewhere, 'finance')
  await elsewhere.goto(drawer)
  await expect(elsewhere.getByLabel('The bank has')).toHaveValue('122.00')
  await button(elsewhere, 'Match').click()
  await expect(main(elsewhere)).toContainText('Matched with the bank')
  const receipt = main(elsewhere).getByRole('row', { name: /Check 5002/ })
  await receipt.getByRole('link').click()
  await main(elsewhere).getByRole('link', { name: 'Came back' }).click()
  await expect(elsewhere).toHaveURL(/return/)
  // The reason is chosen before the page's scripts run, and is previewed all the same.
  await beforeScripts(elsewhere, () => elsewhere.getByLabel('Why', { exact: true }).selectOption('nsf'))
  await expect(main(elsewhere)).toContainText('Check 5002: returned by the bank')
  await button(elsewhere, 'Take back').click()
  await expect(main(elsewhere)).toContainText('it is owed again')
  await elsewhere.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/office/receipts', drawer]) {
    await elsewhere.goto(path)
    await expectNoSidewaysScroll(elsewhere)
  }
})

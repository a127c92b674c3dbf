/**
 * Manual ledger entries: a fee charged and waived, and a credit that an agent requests and a second staff member
 * approves. Also keys that are pressed before their page is ready.
 */
import { expect, expectPageSound, test, waitForPageShown } from './fixtures.ts'
import { Presses, pressKey, signInToOffice } from './office.ts'
import { beforeScripts, button, heading, main } from './renter-actions-and-locators.ts'

const file = '/office/tenants/ATL01/1003'

test('staff charge and waive a fee by keyboard, and another person approves a requested credit', async ({
  page,
  plain,
}) => {
  await signInToOffice(page, 'manager')
  await page.goto(file)
  await expect(heading(page)).toHaveText('Owen Strand')
  await pressKey(page, 'c')
  await expect(heading(page)).toHaveText('Charge a fee')
  await waitForPageShown(page)
  await page.getByLabel('Fee', { exact: true }).selectOption({ label: '24 Hour Access Fee, $20.00' })
  await expect(main(page).getByRole('row', { name: /Balance/ })).toContainText('$164.94')
  await page.getByLabel('Why').selectOption('missed-charge')
  await expectPageSound(page)
  await heading(page).click()
  await pressKey(page, '?')
  await expect(page.getByRole('dialog')).toContainText('Ctrl EnterCharge')
  await page.keyboard.press('Escape')
  await page.getByLabel('Why').focus()
  await page.keyboard.press('Control+Enter')
  await expect(main(page).getByRole('status')).toHaveText('Charged.')

  // The fee is waived by a shortcut, the reason's first letters, and Ctrl+Enter. Choosing the reason shows the preview.
  const presses = new Presses(page)
  await presses.key('w')
  await expect(heading(page)).toHaveText('Waive a fee')
  await expect(page.getByLabel('Why')).toBeFocused()
  await presses.type('Our')
  await expect(page.getByLabel('Why').locator('option:checked')).toHaveText('Our mistake')
  await expect(main(page).getByRole('row', { name: /24 Hour Access Fee waived/ })).toContainText('−\u2060$20.00')
  await expectPageSound(page)
  await presses.press('Control+Enter')
  await expect(main(page).getByRole('status')).toHaveText('Waived.')
  presses.done('waive a fee')
  await expect(main(page).getByText('Our mistake · Miguel Serrano')).toBeVisible()

  // An agent cannot credit alone. Without scripts the preview is requested first.
  await signInToOffice(plain, 'agent', { scripts: false })
  await plain.goto(`${file}/leases/10003/credit`)
  await plain.getByLabel('How much').fill('40')
  await plain.getByLabel('Why').selectOption('service-problem')
  await button(plain, 'Preview').click()
  await expect(main(plain)).toContainText('It goes to a second person.')
  await button(plain, 'Ask for it').click()
  await expect(main(plain).getByRole('status')).toHaveText('Asked for. A second person decides.')

  await page.goto('/office/queue')
  await main(page)
    .getByRole('link', { name: /^Credit for .*, 332$/ })
    .click()
  await expect(heading(page)).toHaveText(/^Credit for/)
  await expect(main(page).getByRole('row', { name: /Tax on the credit/ })).toBeVisible()
  await waitForPageShown(page)
  await expectPageSound(page)
  await presses.key('a')
  await expect(page).toHaveURL(/\/office\/queue$/)
  presses.done('decide what waits')
  await plain.goto(file)
  await expect(main(plain)).toContainText('Problem with the unit or site · Miguel Serrano')
})

test('keys do nothing before the page is ready or while the next loads, and earlier choices are previewed', async ({
  page,
}) => {
  await signInToOffice(page, 'manager')
  const charge = `${file}/leases/10003/charge`
  await page.goto(charge)
  await beforeScripts(page, async () => {
    await page.getByLabel('Fee', { exact: true }).selectOption({ label: '24 Hour Access Fee, $20.00' })
    await page.getByLabel('Why').selectOption('missed-charge')
    await expect(page.locator('html[data-keys]')).toHaveCount(0)
    await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await heading(page).click()
    for (const key of ['g', 't']) await page.keyboard.press(key)
  })
  await expect(main(page).getByRole('row', { name: /24 Hour Access Fee/ })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(charge)

  // The first chosen operation wins, whatever is pressed while its page loads.
  await page.goto(file)
  const responses = Promise.withResolvers<void>()
  await page.route('**/*.data*', async (route) => {
    await responses.promise
    await route.continue()
  })
  await expect(page.locator('html[data-keys]')).toHaveCount(1)
  // Both keys arrive before the page can show that the first one acts.
  await page.evaluate(() => {
    for (const key of ['c', 'w']) document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await pressKey(page, 'w')
  responses.resolve()
  await waitForPageShown(page)
  await expect(heading(page)).toHaveText('Charge a fee')
})

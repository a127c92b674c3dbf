/**
 * Rents and rates: a lease's rent change from the proposal to the notice in the mailbox, and a rate that a visitor
 * sees at once.
 */
import { expect, expectPageSound, test, waitForPageShown } from './fixtures.ts'
import { pressKey, signInToOffice } from './office.ts'
import { button, heading, locationPath, main } from './renter-actions-and-locators.ts'

test('a proposed rent is approved by another person and announced; a street rate takes effect at once', async ({
  page,
  elsewhere,
}) => {
  await signInToOffice(page, 'manager')
  await page.goto('/office/tenants/ATL01/1003/leases/10003/rent')
  await expect(heading(page)).toHaveText(/^Rent of /)
  await waitForPageShown(page)
  await page.getByLabel('New rent, dollars').fill('149')
  await page.getByLabel('Why').fill('Yearly increase')
  await button(page, 'Preview').click()
  await expect(main(page).getByRole('status')).toContainText('it leaves once another staff member approves')
  await expectPageSound(page)
  await button(page, 'Propose').click()
  await expect(main(page)).toContainText('To approve')

  await signInToOffice(elsewhere, 'district')
  await elsewhere.goto('/office/rent-changes')
  await waitForPageShown(elsewhere)
  // The demo's own proposal is older and comes first.
  await pressKey(elsewhere, 'j')
  await elsewhere.keyboard.press('j')
  await elsewhere.keyboard.press('Enter')
  await expect(heading(elsewhere)).toHaveText('Rent change')
  await expectPageSound(elsewhere)
  await button(elsewhere, 'Approve').click()
  await expect(button(elsewhere, 'Approve')).toHaveCount(0)
  await expect(async () => {
    await elsewhere.goto('/dev/mailbox')
    await expect(elsewhere.getByText(/^Notice: the rent of unit .* changes on/).first()).toBeVisible({ timeout: 1000 })
  }).toPass()

  await elsewhere.goto('/office/setup/BNA01')
  await expectPageSound(elsewhere)
  const rate = elsewhere.getByLabel(/^Web rate of/).first()
  const before = Number(await rate.inputValue())
  await rate.fill(String(before - 1))
  await elsewhere.getByLabel('Why').fill('Many are empty')
  await button(elsewhere, 'See what changes').click()
  await expect(main(elsewhere)).toContainText(`$${before}.00 to $${before - 1}.00`)
  await button(elsewhere, 'Save the rates').click()
  await expect(main(elsewhere).getByRole('status')).toHaveText('Saved. Visitors see it now.')
  await page.goto(locationPath('BNA01'))
  await expect(main(page)).toContainText(`$${before - 1}`)
  await elsewhere.goto('/office/setup/BNA01/offers')
  await expectPageSound(elsewhere)
})

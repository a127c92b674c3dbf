/**
 * Staff answer a tenant's call: by keyboard alone with a follow-up, a note, a link and a new gate code, and on a phone
 * without scripts with a note and an opened gate.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, test, waitForPageShown } from './fixtures.ts'
import { Presses, pressKey, signInToOffice } from './office.ts'
import { button, heading, main, typedDay } from './renter-actions-and-locators.ts'

/** A demo tenant from demo/tenants-with-leases-and-reservations.ts who is past due and overlocked, so that the gate refuses his code. */
const caller = { phone: '(678) 555-0156', name: 'Silas Boone', file: /\/office\/tenants\/ATL01\/\d+/ }

/** Checks that the tenant's page shows status, balance due and the gate's refusal without a click. */
async function expectCallerShown(page: Page): Promise<void> {
  await expect(page).toHaveURL(caller.file)
  await expect(heading(page)).toHaveText(caller.name)
  const lease = main(page).getByRole('row', { name: /^132/ })
  await expect(lease).toContainText('Past Due')
  await expect(lease).toContainText(/\$\d{3}\.\d\d/)
  await expect(lease).toContainText('The gate refuses the code')
}

const followUpDay = typedDay('ATL01', 4)

test('staff write a follow-up and a note, send a link and change a gate code by keyboard', async ({ page }) => {
  await signInToOffice(page, 'agent')
  await pressKey(page, '/')
  await page.keyboard.type(caller.phone)
  await page.keyboard.press('Enter')
  const presses = new Presses(page)
  await expectCallerShown(page)
  presses.done('see who is calling')
  await waitForPageShown(page)
  await expectAccessible(page)
  const note = page.getByLabel('Note', { exact: true })
  await pressKey(page, 'n')
  await expect(note).toBeFocused()
  await presses.type('Says he pays on Friday')
  await page.keyboard.press('Tab')
  await presses.type(followUpDay)
  await presses.press('Enter')
  await expect(main(page).getByRole('list', { name: 'Open tasks' })).toContainText('Says he pays on Friday')
  presses.done('write a follow-up')
  await pressKey(page, 'n')
  await expect(note).toBeFocused()
  await presses.type('Asked for the amount')
  await presses.press('Control+Enter')
  await expect(note).toHaveValue('')
  await expect(main(page)).toContainText('Asked for the amount')
  presses.done('write a note')
  await presses.key('l')
  await expect(heading(page)).toHaveText('Send a link')
  await waitForPageShown(page)
  await presses.key('s')
  await expect(main(page)).toContainText('It is on its way')
  presses.done('send a link')
  // The next caller is found by the same search box.
  await pressKey(page, '/')
  await page.keyboard.type('ATL01 318')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Marcus Tilley')
  await waitForPageShown(page)
  // The first g starts the shortcut and the second opens the page; together they count as one press, like a click.
  await pressKey(page, 'g')
  await presses.key('g')
  await expect(heading(page)).toHaveText('Gate, Marcus Tilley')
  const change = main(page).locator('form', { has: page.getByRole('button', { name: 'Change the code' }) })
  await presses.fill(change.getByLabel('Why'), 'Somebody saw him type it')
  await presses.press('Enter')
  await expect(main(page)).toContainText('The new code')
  presses.done('change a gate code')
})

test('staff answer a call, write a note and open the gate on a phone without scripts', async ({ plain }) => {
  await plain.setViewportSize({ width: 390, height: 844 })
  await signInToOffice(plain, 'manager', { scripts: false })
  await plain.getByRole('searchbox').fill('silas boone')
  await plain.getByRole('search').getByRole('button', { name: 'Find' }).click()
  await expectCallerShown(plain)
  await expectNoSidewaysScroll(plain)
  await plain.getByLabel('Note', { exact: true }).fill('Called back: left a message')
  await button(plain, 'Save note').click()
  await expect(main(plain)).toContainText('Called back: left a message')
  await expectNoSidewaysScroll(plain)
  const presses = new Presses(plain)
  await presses.click(main(plain).getByRole('link', { name: /^Gate/ }))
  const overlock = main(plain).locator('form', {
    has: plain.getByRole('button', { name: 'Open the gate', exact: true }),
  })
  await presses.fill(overlock.getByLabel('Why'), 'Pays at the desk today')
  await presses.press('Enter')
  await expect(main(plain)).toContainText('Does not count through')
  presses.done('open the gate again')
})

test('what staff send without a connection waits for it, and what they typed stays', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInToOffice(page, 'manager')
  await page.goto('/office/tenants/ATL01/1003')
  const notice = page.getByText('There is no connection.')
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('Key handed over at the gate')
  await page.context().setOffline(true)
  await button(page, 'Save note').click()
  await expect(notice).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expect(note).toHaveValue('Key handed over at the gate')
  await page.context().setOffline(false)
  await expect(main(page).getByText('Key handed over at the gate')).toBeVisible()
  await expect(notice).toBeHidden()

  await page.goto('/office/tenants/ATL01/1003/leases/10003/charge')
  await waitForPageShown(page)
  await page.context().setOffline(true)
  const attempt = () => page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
  const firstAttempt = attempt()
  await page.getByLabel('Fee', { exact: true }).selectOption({ label: '24 Hour Access Fee, $20.00' })
  await firstAttempt
  // The second preview replaces the first, whose wait ends. The notice stays for the second.
  await page.getByLabel('Why').selectOption('missed-charge')
  for (let count = 0; count < 4; count += 1) await attempt()
  await expect(notice).toBeVisible()
  await page.context().setOffline(false)
  await expect(main(page).getByRole('row', { name: /24 Hour Access Fee/ })).toContainText('$20.00')
  await expect(notice).toBeHidden()
})

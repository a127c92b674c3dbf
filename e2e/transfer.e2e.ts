/**
 * A tenant transfers within the facility twice: first the office requests the transfer and the tenant signs by the
 * mailed link; later the tenant transfers alone.
 */
import { expect, expectPageSound, test, waitForPageShown } from './fixtures.ts'
import { pressKey, signInToOffice } from './office.ts'
import { readRecords, waitForMail } from './read-and-change-site-database.ts'
import {
  answerStepsUntil,
  button,
  expectMovedIn,
  main,
  pathOf,
  payWithCard,
  waitForPath,
} from './renter-actions-and-locators.ts'
import { logIn, openUnit } from './sign-in-and-pay-as-tenant.ts'

const priya = { first: 'Priya', last: 'Venkat', email: 'priya.venkat@example.com' }

test('the tenant signs a transfer requested by the office by link, and later transfers alone', async ({
  page,
  elsewhere,
  site,
}) => {
  await signInToOffice(page, 'manager')
  await page.goto('/office/find?q=Priya+Venkat')
  await expect(main(page)).toContainText('120')
  await pressKey(page, 't')
  await expect(page).toHaveURL(/\/transfer$/)
  await main(page).getByLabel('Days with both units').fill('0')
  const units = main(page).getByLabel('To', { exact: true })
  await units.selectOption({ index: 1 })
  await expect(main(page)).toContainText('Moved from unit 120')
  await expectPageSound(page)
  const number = /^\S+/.exec((await units.locator('option:checked').textContent()) ?? '')?.[0] ?? ''
  await main(page).getByLabel('Why').fill('Called: wants another size')
  await button(page, 'Hold the unit and send the link').click()
  await expect(main(page)).toContainText(`to ${number}, waits for signature`)

  const mail = await waitForMail(site, priya.email, /is reserved for you/)
  await elsewhere.goto(/\/reservation\/[0-9a-f-]{36}(?=\s|$)/m.exec(mail)?.[0] ?? '')
  await expect.poll(() => pathOf(elsewhere)).not.toMatch(/^\/reservation\//)
  const options = { facility: 'ATL02', renter: { ...priya } as never }
  await answerStepsUntil(elsewhere, '/process-payment', options)
  await payWithCard(elsewhere, 'visa')
  expect((await expectMovedIn(elsewhere)).unit).toBe(number)
  await page.reload()
  await expect(main(page)).toContainText(`moved to ${number}`)
  await expect(main(page)).toContainText('Closed')
  await expect(main(page)).toContainText(`Moved to unit ${number}`)

  await logIn(elsewhere, priya.email)
  await openUnit(elsewhere)
  await main(elsewhere).getByRole('link', { name: 'Change to another size' }).click()
  await waitForPath(elsewhere, '/change-size')
  await expectPageSound(elsewhere)
  await main(elsewhere).getByRole('radio').last().check()
  await button(elsewhere, 'Show what changes').click()
  await expect(main(elsewhere)).toContainText(`When unit ${number} ends`)
  await expectPageSound(elsewhere)
  await button(elsewhere, 'Hold a unit and sign').click()
  await expect.poll(() => pathOf(elsewhere)).not.toBe('/change-size')
  await waitForPageShown(elsewhere)
  await answerStepsUntil(elsewhere, '/process-payment', options)
  await payWithCard(elsewhere, 'visa')
  const next = (await expectMovedIn(elsewhere)).unit
  const leases = await readRecords(site, (db) =>
    db
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id')
          .onRef('tenants.location_code', '=', 'leases.location_code'),
      )
      .select(['unit_number', 'status', 'scheduled_move_out', 'gate_code'])
      .where('tenants.email', '=', priya.email)
      .orderBy('lease_number')
      .execute(),
  )
  expect(leases.map(({ unit_number }) => unit_number)).toEqual(['120', number, next])
  expect(leases.map(({ status }) => status === 'Closed')).toEqual([true, false, false])
  expect(leases[1]?.scheduled_move_out).not.toBeNull()
  expect(new Set(leases.map(({ gate_code }) => gate_code)).size).toBe(1)
})

/**
 * The gate follows the ledger: it accepts a renter's code after the payment, refuses the code while the unit is past
 * due, and accepts it again once the balance is paid.
 */
import { addDays } from '../domain/plain-date.ts'
import { updateStanding } from '../modules/standing/update-standing.ts'
import type { Services } from '../platform/operations/services.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, siteTime, test } from './fixtures.ts'
import { change } from './read-and-change-site-database.ts'
import {
  button,
  expectMovedIn,
  newRenter,
  payWithCard,
  rentQuickly,
  waitForPath,
} from './renter-actions-and-locators.ts'

test('the gate accepts a new renter’s code, refuses it when past due and accepts it after payment', async ({
  page,
  elsewhere,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL01', 'CC1010', '/process-payment', { renter })
  await payWithCard(page, 'visa')
  const { unit, gateCode } = await expectMovedIn(page)
  expect(gateCode).toMatch(/^\d{3} \d{3}$/)

  await elsewhere.goto(`${site.sandboxUrl}/gates`)
  await elsewhere.getByRole('link', { name: /ATL01/ }).click()
  /** Types the code until the gate shows the expected text, because a change reaches the gate only after seconds. */
  const expectGate = async (text: string) =>
    expect(async () => {
      await elsewhere.getByLabel('Gate code').fill(gateCode)
      await elsewhere.getByRole('button', { name: 'Enter' }).click()
      await expect(elsewhere.getByRole('status')).toContainText(text, { timeout: 1000 })
    }).toPass({ timeout: 30_000 })
  await expectGate(`Open. Unit ${unit}.`)
  await expectAccessible(elsewhere)
  for (const width of [1440, 390, 360, 320]) {
    await elsewhere.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(elsewhere)
  }

  await becomePastDue(site, unit)
  await expectGate('Not accepted. Please call')

  await page.goto('/guest/find-email')
  await page.getByLabel('Email').fill(renter.email)
  await button(page, 'Search').click()
  await waitForPath(page, '/guest/find-units')
  await button(page, `Select unit ${unit}`).click()
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await waitForPath(page, '/guest/select-method')
  await button(page, 'Continue').click()
  await payWithCard(page, 'visa', '/guest/process-payment')
  await waitForPath(page, '/guest/payment-completed')
  await expectGate(`Open. Unit ${unit}.`)
})

/** Moves the unit's lease 45 days back, ends its autopay, and charges the rent of the next period, as billing would. */
async function becomePastDue(site: { dataDir: string }, unit: string): Promise<void> {
  const days = 45
  await change(site, async (tx) => {
    const lease = await tx
      .selectFrom('leases')
      .selectAll()
      .where('location_code', '=', 'ATL01')
      .where('unit_number', '=', unit)
      .where('status', '!=', 'Closed')
      .executeTakeFirstOrThrow()
    const key = { location_code: 'ATL01', lease_number: lease.lease_number }
    const earlier = (on: string | null) => on && addDays(on, -days)
    const entries = await tx
      .selectFrom('ledger_entries')
      .selectAll()
      .where((eb) => eb.and(key))
      .execute()
    for (const { entry_id, posted_on, period_start, period_end } of entries)
      await tx
        .updateTable('ledger_entries')
        .set({
          posted_on: addDays(posted_on, -days),
          period_start: earlier(period_start),
          period_end: earlier(period_end),
        })
        .where('entry_id', '=', entry_id)
        .execute()
    const first = addDays(lease.paid_through, 1 - days)
    await tx
      .insertInto('ledger_entries')
      .values({
        entry_id: 'past-due',
        ...key,
        kind: 'rent',
        cents: lease.rent,
        description: 'Rent',
        once: `rent:${first}`,
        order_id: null,
        period_start: first,
        period_end: addDays(first, 29),
        posted_on: first,
        created_at: siteTime(),
        billing_run: null,
      })
      .execute()
    await tx
      .updateTable('leases')
      .set({ move_in_date: addDays(lease.move_in_date, -days), autopay: 0, autopay_sealed: null })
      .where((eb) => eb.and(key))
      .execute()
    await updateStanding(tx, { clock: { now: siteTime } } as Services, key)
  })
}

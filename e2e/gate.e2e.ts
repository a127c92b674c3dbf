/**
 * The gate follows the ledger: it accepts a renter's code after the payment, refuses the code while the unit is past
 * due, and accepts it again once the balance is paid.
 */
import { addDays } from '../domain/plain-date.ts'
import { updateStanding } from '../modules/standing/update-standing.ts'
import type { Services } from '../platform/operations/services.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, startSite, test } from './fixtures.ts'
import { button, expectMovedIn, newRenter, payWithCard, rentQuickly, waitForPath } from './journey.ts'
import { change } from './read-site-database.ts'

/** Noon at the facility, within its gate hours. The site's clock starts at this instant. */
const NOON = '2026-11-20T17:00:00Z'

test('the gate accepts a new renter’s code, refuses it when past due and accepts it after payment', async ({
  browser,
}) => {
  test.setTimeout(300_000)
  const site = await startSite({ CLOCK: NOON })
  try {
    const context = await browser.newContext({ baseURL: site.url })
    const page = await context.newPage()
    const keypad = await context.newPage()
    const renter = newRenter()
    await rentQuickly(page, 'ATL01', 'CC1010', '/process-payment', { renter })
    await payWithCard(page, 'visa')
    const { unit, gateCode } = await expectMovedIn(page)
    expect(gateCode).toMatch(/^\d{3} \d{3}$/)

    await keypad.goto(`${site.sandboxUrl}/gates`)
    await keypad.getByRole('link', { name: /ATL01/ }).click()
    /** Types the code until the gate shows the expected text, because a change reaches the gate only after seconds. */
    const expectGate = async (text: string) =>
      expect(async () => {
        await keypad.getByLabel('Gate code').fill(gateCode)
        await keypad.getByRole('button', { name: 'Enter' }).click()
        await expect(keypad.getByRole('status')).toContainText(text, { timeout: 1000 })
      }).toPass({ timeout: 30_000 })
    await expectGate(`Open. Unit ${unit}.`)
    await expectAccessible(keypad)
    for (const width of [1440, 390, 360, 320]) {
      await keypad.setViewportSize({ width, height: 800 })
      await expectNoSidewaysScroll(keypad)
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
  } finally {
    await site.stop()
  }
})

/** Moves the unit's lease 45 days back, ends its autopay, and charges the period that follows, as billing would. */
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
        created_at: Date.parse(NOON),
        billing_run: null,
      })
      .execute()
    await tx
      .updateTable('leases')
      .set({ move_in_date: addDays(lease.move_in_date, -days), autopay: 0, autopay_sealed: null })
      .where((eb) => eb.and(key))
      .execute()
    await updateStanding(tx, { clock: { now: () => Date.parse(NOON) } } as Services, key)
  })
}

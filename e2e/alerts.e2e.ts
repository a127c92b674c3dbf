/**
 * The alerts of the second specification that only a record taken away, or a second tab brings about: what the visitor reads, where they then stand, that closing it gives the page back, and that there is a way on.
 */
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { demoLinks } from '../demo/links.ts'
import {
  accountEmailIncorrect,
  accountExistsAskPassword,
  loginFailed,
  resetEmailFailed,
  resetOver,
  securityAnswerRequired,
} from '../domain/texts/account.ts'
import { emailIncorrect } from '../domain/texts/fields.ts'
import {
  accountInformationNotFound,
  authenticationRequired,
  declinedByIssuer,
  invalidGuestSession,
  invalidSettlementData,
  paymentFailed,
  unableToProcessPayment,
} from '../domain/texts/payment.ts'
import {
  autopayIsOn,
  mapNotAvailable,
  moveOutCannotBeCancelled,
  moveOutFailed,
  moveOutIsCancelled,
  moveOutIsScheduled,
  sessionLocationMissing,
  sessionTenantMissing,
  unitsAndBilling,
} from '../domain/texts/portal.ts'
import { lookupFailed, reservationNotFoundByName } from '../domain/texts/reserve.ts'
import { changedElsewhere } from '../domain/texts/site.ts'
import { expect, type RunningSite, test } from './fixtures.ts'
import { arrive, button, payWithCard } from './journey.ts'
import { change, look } from './records.ts'
import { enter, main, openUnit, told } from './tenants.ts'

test.use({ business: 'alerts' })

// One after the other on one site: what each takes away it puts back.
test.describe.configure({ mode: 'default' })

/** The form says this at its head, which has the focus. */
async function refused(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole('alert')
  await expect(alert).toContainText(sentence.trim())
  await expect.poll(() => alert.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await expect(page).toHaveTitle(/^Error: /)
}

/** The facility is no longer let at: it has the office's number, which only one may have. */
const swapWithOffice = (site: RunningSite, code: string) =>
  change(site, async (tx) => {
    const numberOf = async (one: string) =>
      (
        await tx
          .selectFrom('locations')
          .select('facility_id')
          .where('location_code', '=', one)
          .executeTakeFirstOrThrow()
      ).facility_id
    const [office, other] = [await numberOf('HQ01'), await numberOf(code)]
    const become = (one: string, facility_id: number) =>
      tx.updateTable('locations').set({ facility_id }).where('location_code', '=', one).execute()
    await become('HQ01', 9_999)
    await become(code, office)
    await become('HQ01', other)
  })

test('whose session, tenant or facility is gone', async ({ page, context, site }) => {
  for (const path of ['/online-payment-method', '/online-payment']) {
    await page.goto(path)
    await told(page, '/login', authenticationRequired)
    // Signing in goes on from there.
    expect(new URL(page.url()).searchParams.get('next')).toBe(path)
  }

  await enter(context, site, 'nadia.ferro@example.com')
  const nadia = await look(site, (db) =>
    db
      .selectFrom('tenants')
      .select(['tenant_id', 'account_id'])
      .where('first', '=', 'Nadia')
      .where('location_code', '=', 'ATL02')
      .executeTakeFirstOrThrow(),
  )
  await page.goto(`/my-units?at=ATL02:${nadia.tenant_id}`)
  await page.getByRole('link', { name: /^Pay For Unit/ }).click()
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await arrive(page, '/online-payment-method')

  const bind = (account_id: string | null) =>
    change(site, (tx) =>
      tx
        .updateTable('tenants')
        .set({ account_id })
        .where('location_code', '=', 'ATL02')
        .where('tenant_id', '=', nadia.tenant_id)
        .execute(),
    )
  await bind(null)
  await page.goto('/online-payment-method')
  await told(page, '/my-units', sessionTenantMissing)
  await bind(nadia.account_id)

  await swapWithOffice(site, 'ATL02')
  await page.goto(`/my-units?at=ATL02:${nadia.tenant_id}`)
  await told(page, '/', sessionLocationMissing)
  // The units at the other facility are still there to be seen.
  await page.goto('/my-units')
  await arrive(page, '/my-units')
  await expect(main(page)).toContainText('402')
  await page.goto('/online-payment-method')
  await told(page, '/my-units', sessionLocationMissing)
  await swapWithOffice(site, 'ATL02')
  await page.goto('/online-payment-method')
  await arrive(page, '/online-payment-method')
})

test('what a guest and a settlement link read when their records are gone', async ({ page, site }) => {
  await page.goto('/guest/find-email')
  await page.getByLabel('Email', { exact: true }).fill('gus.delacroix@')
  await button(page, 'Search').click()
  await refused(page, emailIncorrect)
  await page.getByLabel('Email', { exact: true }).fill('gus.delacroix@example.com')
  await button(page, 'Search').click()
  await arrive(page, '/guest/find-units')
  await page.goto('/guest/find-units?unit=TPA01:999999')
  await told(page, '/guest/find-units', invalidGuestSession)
  await main(page)
    .getByRole('link', { name: /^Select/ })
    .or(main(page).getByRole('button', { name: /^Select/ }))
    .first()
    .click()
  await button(page, 'Pay Now').click()
  const close = (from: string, to: string) =>
    change(site, (tx) =>
      tx
        .updateTable('leases')
        .set({ status: to as 'Closed' })
        .where('location_code', '=', 'TPA01')
        .where('unit_number', 'in', ['B-05', 'A-03'])
        .where('status', '=', from as 'Closed')
        .execute(),
    )
  const [{ status: open } = { status: '' }] = await look(site, (db) =>
    db
      .selectFrom('leases')
      .select('status')
      .where('location_code', '=', 'TPA01')
      .where('unit_number', '=', 'B-05')
      .execute(),
  )
  await close(open, 'Closed')
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await told(page, '/guest/find-email', invalidGuestSession)
  await close('Closed', open)

  const { uuid, path } = demoLinks.settlement
  await page.goto(`/p/${uuid}`)
  await main(page)
    .getByRole('link', { name: /^Pay \$/ })
    .click()
  await payWithCard(page, 'declined', '/past-due-payment-process')
  await page.waitForURL('**/past-due-payment-process?retry=true')
  await expect(main(page)).toContainText(unableToProcessPayment + declinedByIssuer)
  // A provider that refuses without a word.
  await change(site, (tx) =>
    tx
      .updateTable('payments')
      .set({ response_code: '999', response_text: '' })
      .where('link_uuid', '=', uuid)
      .where('state', '=', 'declined')
      .execute(),
  )
  await page.reload()
  await expect(main(page)).toContainText(unableToProcessPayment + paymentFailed)
  await expect(page.frameLocator('iframe[title]').getByLabel('Card number')).toBeVisible()

  const settle = (set: object) =>
    change(site, (tx) => tx.updateTable('settlements').set(set).where('uuid', '=', uuid).execute())
  const before = await look(site, (db) =>
    db.selectFrom('settlements').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow(),
  )
  // Paid at the counter meanwhile: less is owed than the link would take.
  await settle({ settlement_amount: 9_000_00 })
  await page.goto('/past-due-payment-process')
  await told(page, '/', invalidSettlementData)
  await settle({ settlement_amount: before.settlement_amount, state: 'paid' })
  await page.goto(path)
  await told(page, '/login', accountInformationNotFound)
  await settle({ state: before.state })
  await swapWithOffice(site, 'ATL01')
  await page.goto(path)
  await told(page, '/login', accountInformationNotFound)
  await swapWithOffice(site, 'ATL01')
  await page.goto(path)
  await arrive(page, path)
})

test('a reset, a registration and a look-up that come to nothing say so and lead on', async ({ page, site }) => {
  const mailOf = (email: string) =>
    change(site, (tx) =>
      tx.updateTable('accounts').set({ email }).where('username', '=', 'priya.venkat@example.com').execute(),
    )
  await mailOf('')
  await page.goto('/forgot')
  await page.getByLabel('E-mail or username').fill('priya.venkat@example.com')
  await button(page, 'Send me a code').click()
  await refused(page, resetEmailFailed)
  await mailOf('priya.venkat@example.com')
  await button(page, 'Send me a code').click()
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  await change(site, (tx) => tx.updateTable('reset_codes').set({ used_at: Date.now() }).execute())
  await page.getByLabel('Code', { exact: true }).fill('1234')
  await button(page, 'Go on').click()
  await refused(page, resetOver)
  // Another one is asked for right here.
  await page.getByLabel('E-mail or username').fill('priya.venkat@example.com')
  await button(page, 'Send me a code').click()
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()

  const beatrix = (email: string) =>
    change(site, (tx) =>
      tx.updateTable('tenants').set({ email, email_key: email }).where('first', '=', 'Beatrix').execute(),
    )
  await beatrix('')
  await page.goto('/register?locationCode=PHX01')
  await page.getByLabel('Last name').fill('Nolan')
  await page.getByLabel('Last 4 digits of your phone number').fill('0144')
  await page.getByLabel('Unit number').fill('0136')
  await button(page, 'Find my account').click()
  await arrive(page, '/complete-register')
  const field = (name: string) => main(page).getByLabel(name, { exact: true })
  await field('Email').fill('priya.venkat@')
  await field('Password').fill('saguaro after rain')
  await field('Confirm password').fill('saguaro after rain')
  await button(page, 'Create my account').click()
  await refused(page, accountEmailIncorrect)
  await expect(page.getByRole('alert')).toContainText(securityAnswerRequired)
  await field('Email').fill('priya.venkat@example.com')
  await field('Security answer').fill('Biscuit')
  await button(page, 'Create my account').click()
  await expect(main(page)).toContainText(accountExistsAskPassword)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add unit 0136 to your online account')
  await expect(main(page).getByRole('link', { name: 'Forgot Password' })).toHaveAttribute('href', '/forgot')
  await page.getByLabel('Password of your online account').fill('not the password')
  await button(page, 'Add this unit').click()
  await refused(page, loginFailed)
  await expect(main(page)).toContainText(accountExistsAskPassword)
  await beatrix('beatrix.nolan@example.com')

  await page.goto('/find-reservation?state=GA&location=ATL01')
  await page.getByLabel('Last name').fill('Nobody')
  await page.getByLabel('Last 4 digits of your phone number').fill('0000')
  await button(page, 'Search').click()
  await arrive(page, '/reservation-not-found')
  await expect(main(page)).toContainText(reservationNotFoundByName)
  await page.getByRole('link', { name: 'Try Again' }).click()
  await arrive(page, '/find-reservation')
  // No page sends a facility that is not in its list; a form that somebody has altered does.
  await page.getByLabel('Last name').fill('Nobody')
  await page.getByLabel('Last 4 digits of your phone number').fill('0000')
  await page.locator('input[name="location_code"]').evaluate((field: HTMLInputElement) => {
    field.value = "ATL01'--"
  })
  await button(page, 'Search').click()
  await refused(page, lookupFailed)
  await expect(page.getByLabel('Last name')).toHaveValue('Nobody')
})

test('a tenant’s map, terms, autopay and move-out', async ({ page, context, site }) => {
  await enter(context, site, 'adele.fontaine@example.com')
  await page.goto('/my-units')
  await arrive(page, '/complete-lease')
  // The lease names its tenant: another name is another lease than the one that was read.
  const adele = (first: string) =>
    change(site, (tx) => tx.updateTable('tenants').set({ first }).where('last', '=', 'Fontaine').execute())
  await adele('Adelaide')
  await button(page, 'Accept').click()
  await told(page, '/complete-lease', changedElsewhere)
  await button(page, 'Accept').click()
  await arrive(page, '/my-units')

  await enter(context, site, 'marcus.tilley@example.com')
  const mapped = (facility_map_enabled: 0 | 1) =>
    change(site, (tx) =>
      tx.updateTable('locations').set({ facility_map_enabled }).where('location_code', '=', 'ATL01').execute(),
    )
  await mapped(0)
  await page.goto('/unit-map')
  await arrive(page, '/unit-map')
  await expect(main(page)).toContainText(mapNotAvailable)
  await expect(page.getByRole('link', { name: unitsAndBilling }).first()).toBeVisible()
  await mapped(1)

  await openUnit(page)
  await page.getByRole('link', { name: 'Move Out' }).click()
  await arrive(page, '/schedule-move-out')
  await change(site, (tx) =>
    sql`create trigger no_move_outs before insert on move_outs begin select raise(abort, 'disk'); end`.execute(tx),
  )
  await button(page, 'Confirm').click()
  await refused(page, moveOutFailed)
  await change(site, (tx) => sql`drop trigger no_move_outs`.execute(tx))
  await button(page, 'Confirm').click()
  await told(page, '/my-units', moveOutIsScheduled)
  await openUnit(page)
  await page.getByRole('link', { name: 'Cancel Move Out' }).click()
  const second = await context.newPage()
  await second.goto(page.url())
  for (const [tab, sentence] of [
    [second, moveOutIsCancelled],
    [page, moveOutCannotBeCancelled],
  ] as const) {
    if (tab === second) await tab.getByRole('link', { name: 'Cancel Move Out' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Cancel Move Out' }).click()
    await told(tab, '/my-units', sentence)
  }
  await second.close()

  await openUnit(page)
  await button(page, 'Turn on autopay').click()
  await arrive(page, '/online-payment-method')
  await button(page, 'Continue').click()
  await payWithCard(page, 'visa', '/online-payment')
  await told(page, '/unit-lease-details', autopayIsOn)
})

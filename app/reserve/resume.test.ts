import { beforeEach, expect, it } from 'vitest'
import { UpdateTenantInfo } from '../../modules/accounts/profile.ts'
import { GetTenantUnitLeaseDetails } from '../../modules/leases/operations.ts'
import { paymentOf } from '../../modules/payments/payment.ts'
import { openPayingHouse, type PayingHouse, readyToPay, tillForTests } from '../../modules/payments/testing.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import type { Draft } from '../../modules/reservations/draft-facts.ts'
import { GetActiveReservation } from '../../modules/reservations/find-reservation.ts'
import { SaveReservationDetailsForExistingTenants } from '../../modules/reservations/operations.ts'
import { GetTenantInfo } from '../../modules/tenants/operations.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { callersOf } from '../../server/web/callers.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import * as completeRegister from '../account/complete-register.tsx'
import * as logOut from '../account/log-out.tsx'
import * as confirmRentalPayment from '../move-in/confirm-rental-payment.tsx'
import * as customerInfo from '../move-in/customer-info.tsx'
import * as details from '../move-in/details.tsx'
import * as lease from '../move-in/lease.tsx'
import * as leaseDocument from '../move-in/lease-document.tsx'
import * as paymentMethod from '../move-in/payment-method.tsx'
import * as processPayment from '../move-in/process-payment.tsx'
import * as processPaymentAch from '../move-in/process-payment-ach.tsx'
import * as rentalCompleted from '../move-in/rental-completed.tsx'
import { Browser, shown } from '../testing.ts'
import * as addContact from './add-contact.tsx'
import * as defaultNotice from './default-notice.tsx'
import * as findReservation from './find-reservation.tsx'
import * as byCode from './reservation-by-code.tsx'
import * as confirmed from './reservation-confirmed.tsx'
import * as reservationDetails from './reservation-details.tsx'
import * as link from './reservation-link.tsx'
import * as unitLoading from './unit-loading.tsx'

const { till, folder } = tillForTests('resume')

const told = {
  vehicle: false,
  hasLienHolder: true,
  lienHolder: { lien_name: 'Quillfeather Bank', phone_number: '4045550188', address: '', description: 'A harp' },
  insurance: { status: 2 as const },
  ownInsurance: { carrier: 'Acorn Mutual', policy_number: 'POL-778123', expiration_date: '2027-03-01' },
  brochureSeen: true,
  customerInfo: {
    drivers_license: '048213377',
    issued_state: 'GA',
    birth_date: '1987-05-14',
    expiration_date: '2029-05-14',
    brief_description: 'Clocks and cellos',
  },
  fullDayAccess: false,
  activeMilitary: true,
  military: { military_branch: 'Coast Guard', military_base: 'Tybee', commanding_officer: 'Cmdr Ibsen' },
  defaultNotice: 'email' as const,
}

/** All that a name and four digits must not read: in data, in pages, in documents. */
const secrets =
  /048213377|3377|1987|05\/14|POL-778123|by e-mail, at|Quillfeather|4045550188|Cmdr Ibsen|rae@|Spindle|Clocks/

const licence = {
  drivers_license: '555000111',
  issued_state: 'GA',
  birth_date: '01/02/1990',
  expiration_date: '05/06/2030',
  brief_description: 'Lamps',
}

class Renter extends Browser {
  find = () =>
    this.ask(findReservation.action, {
      path: '/find-reservation?state=GA&location=GA1',
      form: { location_code: 'GA1', last_name: "o'neill", phone_last_four: '0147' },
    })
  see = (page: { loader: unknown }, path: string, params = {}) => this.ask(page.loader, { path, params })
  send = (page: { action: unknown }, path: string, form: Record<string, string> = {}) =>
    this.ask(page.action, { path, form })
  async press() {
    const { data } = await this.see(paymentMethod, '/payment-method')
    return this.send(paymentMethod, '/payment-method', { method: 'CC', quote: data.quoteId })
  }
  async pay() {
    expect((await this.press()).to).toBe('/process-payment')
    const { card } = (await this.see(processPayment, '/process-payment')).data
    await payAtHostedPage(card.payPageUrl, 'visa')
    return this.back(card.orderId)
  }
  back = (order: string) => this.see(confirmRentalPayment, `/confirm-rental-payment?order=${order}`)
}

describeOnBothEngines('A rental resumed in another browser', (open) => {
  let services: PayingHouse
  let owner: Renter
  let draft: Draft
  beforeEach(async () => {
    services = await openPayingHouse(await open(), till, folder)
    await services.db.write.updateTable('locations').set({ state: 'SC' }).where('location_code', '=', 'GA1').execute()
    draft = await readyToPay(services, { answers: told })
    owner = new Renter(services, { draftId: draft.draftId })
    services.clock.advance(60_000)
  })
  const uuidOf = async () =>
    (await services.db.read.selectFrom('prospects').select('uuid').executeTakeFirstOrThrow()).uuid
  const byLink = async () => {
    const other = new Renter(services)
    const uuid = await uuidOf()
    const { to } = await other.see(link, `/reservation/${uuid}?open=1`, { uuid })
    return { other, to }
  }
  const callersIn = (browser: Browser) => callersOf(services, browser.ids, { address: '198.51.100.9', agent: 'test' })
  const answers = async () => (await loadDraft(services, draft.draftId))?.answers
  const gateCode = async () =>
    (
      await services.db.read
        .selectFrom('leases')
        .select('gate_code')
        .where('order_id', 'is not', null)
        .executeTakeFirst()
    )?.gate_code

  it('leads by link, code and look-up to the step reached, the signature kept', async () => {
    const { other, to } = await byLink()
    expect(to).toBe('/payment-method')
    const coded = new Renter(services)
    const code = `/reservation?rescode=${draft.reservationCode}&site=GA1&open=1`
    expect((await coded.see(byCode, code)).to).toBe('/payment-method')
    const named = new Renter(services)
    expect((await named.find()).to).toBe('/payment-method')
    for (const browser of [other, coded, named]) {
      expect((await browser.see(lease, '/lease')).data.signed).toBe(true)
      expect((await browser.see(paymentMethod, '/payment-method')).data.total).toBeGreaterThan(0)
    }
    // One rental: nothing was copied.
    expect(await services.db.read.selectFrom('rental_drafts').selectAll().execute()).toHaveLength(1)
    // Whoever has the link reads what they answered, the licence in part as everywhere.
    expect((await other.see(details, '/home-owner-insurance')).data.saved.policy_number).toBe('POL-778123')
    expect((await other.see(customerInfo, '/customer-info')).data.masked.license).toBe('•••• 3377')
    expect((await other.see(leaseDocument, '/lease-document/signed', { which: 'signed' })).status).toBe(200)
    expect((await other.pay()).to).toBe('/rental-completed')
    expect((await other.see(rentalCompleted, '/rental-completed')).data.rental.gateCode).toBe(await gateCode())
  })

  it('shows a name and four digits no sensitive answer, in no page, document or operation', async () => {
    const finder = new Renter(services)
    await finder.find()
    const pages: [{ loader: unknown; default?: unknown }, string, object?][] = [
      [confirmed, '/reservation-confirmed'],
      [reservationDetails, '/reservation-details'],
      [addContact, '/add-contact'],
      [defaultNotice, '/default-notice'],
      [defaultNotice, '/default-notice?change=1'],
      [details, '/lien-holder-details'],
      [details, '/lien-holder-details?change=1'],
      [details, '/home-owner-insurance'],
      [details, '/home-owner-insurance?change=1'],
      [customerInfo, '/customer-info'],
      [customerInfo, '/customer-info?change=1'],
      [details, '/military-details'],
      [details, '/military-details?change=1'],
      [lease, '/lease'],
      [paymentMethod, '/payment-method'],
    ]
    const seen: string[] = []
    for (const [page, path] of pages) {
      const answer = await finder.see(page, path)
      seen.push(path + JSON.stringify(answer.data))
      if (!answer.data || !page.default) continue
      const html = shown(page as { default: unknown }, answer.data, path)
      seen.push(path + html)
      // A form that replaces what is on file has a way back to it.
      const [step, replaces] = path.split('?')
      expect(html.includes(`<a href="${step}" data-discover="true">Keep what I gave you before</a>`), path).toBe(
        !!replaces,
      )
    }
    const preview = await finder.see(leaseDocument, '/lease-document/preview', { which: 'preview' })
    expect(preview.status).toBe(200)
    expect((await finder.see(leaseDocument, '/lease-document/signed', { which: 'signed' })).status).toBe(404)
    const callers = await callersIn(finder)
    const tenant = { location_code: 'GA1', tenant_id: draft.tenantId ?? 0 }
    seen.push(JSON.stringify(await perform(services, GetTenantInfo, tenant, callers)))
    const search = { location_code: 'GA1', last_name: "O'Neill", phone_last_four: '0147' }
    const found = await perform(services, GetActiveReservation, search, callers)
    seen.push(JSON.stringify(found))
    for (const one of seen) expect(one).not.toMatch(secrets)
    // The code is a stronger proof than what it was found by.
    for (const one of seen) expect(one).not.toContain(draft.reservationCode)
    expect(seen.join()).toContain('On file')
    expect((await finder.see(defaultNotice, '/default-notice?change=1')).data.chosen).toBeNull()
    const { groups } = (await finder.see(paymentMethod, '/payment-method')).data
    expect(JSON.stringify(groups)).toContain('{"label":"Default notices","value":"On file"')
    expect(JSON.stringify(groups)).toContain('{"label":"Insurance","value":"Your own: on file"')
    expect((await finder.see(lease, '/lease')).data.signed).toBe(true)
  })

  it('keeps what is on file where a finder sends nothing, and replaces it where they do', async () => {
    const finder = new Renter(services)
    await finder.find()
    const kept = await finder.send(customerInfo, '/customer-info?review=1', { keep: '1' })
    expect(kept.to).toBe('/payment-method')
    expect((await finder.send(defaultNotice, '/default-notice?review=1', { keep: '1' })).to).toBe('/payment-method')
    expect((await answers())?.customerInfo?.drivers_license).toBe('048213377')
    expect((await finder.send(customerInfo, '/customer-info?change=1', licence)).to).toBe('/full-day-access')
    expect((await answers())?.customerInfo?.drivers_license).toBe('555000111')
    // Nor is what they replaced it with read back.
    expect(JSON.stringify((await finder.see(customerInfo, '/customer-info')).data)).not.toMatch(/0111|1990/)
  })

  it('gives a finder neither the renter’s e-mail address to change nor their rental to take over', async () => {
    const finder = new Renter(services)
    await finder.find()
    const contact = { first: 'Rae', last: "O'Neill", email: 'mallory@example.com', cell_phone: '4045550147' }
    const at = { address: '1 Elsewhere', city: 'Macon', state: 'GA', zip: '31201' }
    const sent = await finder.send(addContact, '/add-contact', { ...contact, ...at, unit: 'GA1/1' })
    expect(sent.to).not.toBe('/reservation-details')
    await finder.send(reservationDetails, '/reservation-details')
    const callers = await callersIn(finder)
    const whose = { location_code: 'GA1', tenant_id: draft.tenantId ?? 0 }
    await perform(services, UpdateTenantInfo, { ...whose, ...contact, ...at }, callers)
    const again = { location_code: 'GA1', unit_type_id: 1, rent_now: 1 }
    await perform(services, SaveReservationDetailsForExistingTenants, again, callers)
    const tenant = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', draft.tenantId)
      .executeTakeFirstOrThrow()
    expect(tenant).toMatchObject({ email: 'rae@example.com', address: '240 Spindle Street' })
    expect((await answers())?.contact?.email).toBe('rae@example.com')
    // Choosing a unit, the same or another, makes the finder no owner and takes no answer along.
    for (const type of ['1', '3']) {
      await finder.see(unitLoading, `/rent/GA1/${type}?rentNow=1`, { locationCode: 'GA1', unitTypeId: type })
      expect(JSON.stringify((await finder.see(addContact, '/add-contact')).data)).not.toMatch(secrets)
      expect(finder.ids.draftId).not.toBe(draft.draftId)
    }
  })

  it('tells a finder who has not paid neither gate code nor receipt, while and after the owner pays', async () => {
    const finder = new Renter(services)
    await finder.find()
    expect((await owner.press()).to).toBe('/process-payment')
    const { card } = (await owner.see(processPayment, '/process-payment')).data
    await payAtHostedPage(card.payPageUrl, 'visa')
    const waiting = await finder.back(card.orderId)
    expect(waiting.to).toBe('/rental-completed')
    const after = await finder.see(rentalCompleted, '/rental-completed')
    expect(after.to).toBe('/reservation-not-found?location=GA1&rented=1')
    expect(finder.ids.completedOrderId).toBeUndefined()
    const made = await services.db.read
      .selectFrom('leases')
      .selectAll()
      .where('order_id', '=', card.orderId)
      .executeTakeFirstOrThrow()
    const asked = { location_code: 'GA1', tenant_id: made.tenant_id, lease_no: made.lease_number }
    expect(await perform(services, GetTenantUnitLeaseDetails, asked, await callersIn(finder))).toMatchObject({
      ok: false,
    })
    expect((await finder.see(completeRegister, '/complete-register')).to).not.toBe('')
    expect((await owner.back(card.orderId)).to).toBe('/rental-completed')
    expect((await owner.see(rentalCompleted, '/rental-completed')).data.rental.gateCode).toBe(made.gate_code)
  })

  it('never hands the owner’s open order to a finder, nor the finder’s to the owner', async () => {
    const stateOf = async (orderId: string) => (await paymentOf(services, orderId))?.state
    const finder = new Renter(services)
    await finder.find()
    await owner.press()
    const first = (await owner.see(processPayment, '/process-payment')).data.card
    await finder.press()
    const second = (await finder.see(processPayment, '/process-payment')).data.card
    expect(second.orderId).not.toBe(first.orderId)
    expect(await stateOf(first.orderId)).toBe('presented')
    // The owner goes on with their own card page, and closes none of the finder's.
    await owner.press()
    expect((await owner.see(processPayment, '/process-payment')).data.card.orderId).toBe(first.orderId)
    expect(await stateOf(second.orderId)).toBe('presented')
    await payAtHostedPage(second.payPageUrl, 'visa')
    expect((await finder.back(second.orderId)).to).toBe('/rental-completed')
    // They paid for it: unit and gate code are shown, the signed copy that names the renter is not.
    expect((await finder.see(rentalCompleted, '/rental-completed')).data.rental.gateCode).toBe(await gateCode())
    expect((await finder.see(leaseDocument, '/lease-document/signed', { which: 'signed' })).status).toBe(404)
  })

  it('lets one of two browsers keep its answer, and shows the other what there is now', async () => {
    const { other } = await byLink()
    const stale = await loadDraft(services, draft.draftId)
    await other.send(customerInfo, '/customer-info', licence)
    expect(stale && (await saveAnswers(services, stale, { autopay: false }))).toEqual({ ok: false, why: 'stale' })
    expect((await answers())?.customerInfo?.drivers_license).toBe('555000111')
  })

  it('ends with its own browser’s log-out and no other’s, and begins again by the link', async () => {
    const { other } = await byLink()
    const copy = new Renter(services, { ...other.ids })
    await other.send(logOut, '/log-out')
    expect((await copy.see(paymentMethod, '/payment-method')).to).toBe('/')
    expect((await owner.see(paymentMethod, '/payment-method')).status).toBe(200)
    await owner.send(logOut, '/log-out')
    expect((await byLink()).to).toBe('/payment-method')
  })

  it('keeps the stronger proof of a browser, whatever it is found by afterwards', async () => {
    await owner.find()
    expect(owner.ids.draftId).toBe(draft.draftId)
    const { other } = await byLink()
    const before = other.ids.draftId
    await other.find()
    expect(other.ids.draftId).toBe(before)
    const finder = new Renter(services)
    await finder.find()
    const uuid = await uuidOf()
    await finder.see(link, `/reservation/${uuid}?open=1`, { uuid })
    expect((await finder.see(details, '/home-owner-insurance')).data.saved.policy_number).toBe('POL-778123')
  })

  it('names the bank account’s holder to no finder', async () => {
    await services.db.write.updateTable('locations').set({ allow_ach: 1 }).execute()
    const current = await loadDraft(services, draft.draftId)
    if (current) await saveAnswers(services, current, { paymentMethod: 'ACH' })
    const finder = new Renter(services)
    await finder.find()
    const { data } = await finder.see(processPaymentAch, '/process-payment-ach')
    expect(data.entry.holder).toBe('')
    expect(JSON.stringify(data)).not.toMatch(secrets)
  })
})

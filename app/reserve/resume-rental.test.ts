import { beforeEach, expect, it } from 'vitest'
import { UpdateTenantInfo } from '../../modules/accounts/operations/update-tenant-info.ts'
import { GetTenantUnitLeaseDetails } from '../../modules/leases/operations/get-tenant-unit-lease-details.ts'
import { loadPayment } from '../../modules/payments/payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import { GetActiveReservation } from '../../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { SaveReservationDetailsForExistingTenants } from '../../modules/reservations/operations/save-reservation-for-existing-tenant.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import { GetTenantInfo } from '../../modules/tenants/operations/get-tenant-info.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { textOfPdf } from '../../tests/support/text-of-pdf.ts'
import { Renter } from './testing.ts'

const { till, folder } = sandboxForTests('resume')

const ownerAnswers = {
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

/**
 * Matches the renter's data that a session which found the rental by name and phone digits must not see in data, pages
 * or documents.
 */
const secrets =
  /048213377|(?<![0-9a-f-])(3377|1987)(?![0-9a-f])|05\/14|POL-778123|by e-mail, at|Quillfeather|4045550188|Cmdr Ibsen|rae@|Spindle|Clocks/

const license = {
  drivers_license: '555000111',
  issued_state: 'GA',
  birth_date: '01/02/1990',
  expiration_date: '05/06/2030',
  brief_description: 'Lamps',
}

describeOnBothEngines('A rental resumed in another browser', (open) => {
  let services: PayingServices
  let owner: Renter
  let draft: Draft
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    await change(services, 'locations', { location_code: 'GA1' }, { state: 'SC' })
    draft = await readyToPay(services, { answers: ownerAnswers })
    owner = new Renter(services, { draftId: draft.draftId })
    services.clock.advance(60_000)
  })
  const loadUuid = async () => (await recordOf(services, 'prospects')).uuid
  const byLink = async () => {
    const other = new Renter(services)
    const uuid = await loadUuid()
    const { to } = await other.get(`/reservation/${uuid}?open=1`)
    return { other, to }
  }
  const callersIn = (browser: Renter) =>
    loadSessionCallers(services, browser.ids, { address: '198.51.100.9', agent: 'test' })
  const answers = async () => (await loadDraft(services, draft.draftId))?.answers
  const gateCode = async () =>
    (await recordsOf(services, 'leases')).find(({ order_id }) => order_id !== null)?.gate_code

  it('returns by link, code and search to the current step and keeps the signature', async () => {
    const { other, to } = await byLink()
    expect(to).toBe('/payment-method')
    const byCode = new Renter(services)
    const code = `/reservation?rescode=${draft.reservationCode}&site=GA1&open=1`
    expect((await byCode.get(code)).to).toBe('/payment-method')
    const byName = new Renter(services)
    expect((await byName.findReservation()).to).toBe('/payment-method')
    for (const browser of [other, byCode, byName]) {
      expect((await browser.get('/lease')).data.signed).toBe(true)
      expect((await browser.openPaymentMethod()).data.total).toBeGreaterThan(0)
    }
    expect(await recordsOf(services, 'rental_drafts')).toHaveLength(1)
    expect((await other.get('/home-owner-insurance')).data.saved.policy_number).toBe('POL-778123')
    expect((await other.get('/customer-info')).data.masked.license).toBe('•••• 3377')
    expect((await other.get('/lease-document/signed')).status).toBe(200)
    expect((await other.payWith('visa')).to).toBe('/rental-completed')
    expect((await other.openCompleted()).data.rental.gateCode).toBe(await gateCode())
  })

  it('shows a finder by name and four digits no sensitive answer on pages or by operations, and no signed lease', async () => {
    const finder = new Renter(services)
    await finder.findReservation()
    const detailed = [
      '/default-notice',
      '/lien-holder-details',
      '/home-owner-insurance',
      '/customer-info',
      '/military-details',
    ]
    const pages = [
      '/reservation-confirmed',
      '/reservation-details',
      '/add-contact',
      '/lease',
      '/payment-method',
      ...detailed.flatMap((path) => [path, `${path}?change=1`]),
    ]
    const outputs: string[] = []
    for (const path of pages) {
      const answer = await finder.get(path)
      outputs.push(path + JSON.stringify(answer.data))
      if (!answer.data) continue
      const html = answer.html()
      outputs.push(path + html)
      // A form that replaces an answer on file links back to keeping it.
      const [step, replaces] = path.split('?')
      expect(html.includes(`<a href="${step}" data-discover="true">Keep what I gave you before</a>`), path).toBe(
        !!replaces,
      )
    }
    const preview = await finder.get('/lease-document/preview')
    expect(preview.status).toBe(200)
    outputs.push(textOfPdf(new Uint8Array((await preview.response?.arrayBuffer()) ?? [])).pages.join(' '))
    expect((await finder.get('/lease-document/signed')).status).toBe(404)
    const callers = await callersIn(finder)
    const tenant = { location_code: 'GA1', tenant_id: draft.tenantId ?? 0 }
    outputs.push(JSON.stringify(await perform(services, GetTenantInfo, tenant, callers)))
    const search = { location_code: 'GA1', last_name: "O'Neill", phone_last_four: '0147' }
    const searchOutcome = await perform(services, GetActiveReservation, search, callers)
    outputs.push(JSON.stringify(searchOutcome))
    for (const output of outputs) expect(output).not.toMatch(secrets)
    // The session found the rental by name and digits, which prove less than the code.
    for (const output of outputs) expect(output).not.toContain(draft.reservationCode)
    expect(outputs.join()).toContain('On file')
    expect((await finder.get('/default-notice?change=1')).data.chosen).toBeNull()
    const { groups } = (await finder.openPaymentMethod()).data
    expect(JSON.stringify(groups)).toContain('{"label":"Default notices","value":"On file"')
    expect(JSON.stringify(groups)).toContain('{"label":"Insurance","value":"Your own: on file"')
    expect((await finder.get('/lease')).data.signed).toBe(true)
  })

  it('keeps stored values that a finder keeps and replaces those they submit', async () => {
    const finder = new Renter(services)
    await finder.findReservation()
    const response = await finder.post('/customer-info?review=1', { keep: '1' })
    expect(response.to).toBe('/payment-method')
    expect((await finder.post('/default-notice?review=1', { keep: '1' })).to).toBe('/payment-method')
    expect((await answers())?.customerInfo?.drivers_license).toBe('048213377')
    expect((await finder.post('/customer-info?change=1', license)).to).toBe('/full-day-access')
    expect((await answers())?.customerInfo?.drivers_license).toBe('555000111')
    expect(JSON.stringify((await finder.get('/customer-info')).data)).not.toMatch(/0111|1990/)
  })

  it('lets a finder neither change the renter’s e-mail address nor take over the rental', async () => {
    const finder = new Renter(services)
    await finder.findReservation()
    const contact = { first: 'Rae', last: "O'Neill", email: 'mallory@example.com', cell_phone: '4045550147' }
    const at = { address: '1 Elsewhere', city: 'Macon', state: 'GA', zip: '31201' }
    const sent = await finder.post('/add-contact', { ...contact, ...at, unit: 'GA1/1' })
    expect(sent.to).not.toBe('/reservation-details')
    await finder.post('/reservation-details')
    const callers = await callersIn(finder)
    const tenantKey = { location_code: 'GA1', tenant_id: draft.tenantId ?? 0 }
    await perform(services, UpdateTenantInfo, { ...tenantKey, ...contact, ...at }, callers)
    const again = { location_code: 'GA1', unit_type_id: 1, rent_now: 1 }
    await perform(services, SaveReservationDetailsForExistingTenants, again, callers)
    const tenant = await recordOf(services, 'tenants', { tenant_id: tenantKey.tenant_id })
    expect(tenant).toMatchObject({ email: 'rae@example.com', address: '240 Spindle Street' })
    expect((await answers())?.contact?.email).toBe('rae@example.com')
    // Choosing a unit of the same or another type neither raises the proof level nor copies answers.
    for (const type of ['1', '3']) {
      await finder.startRental('?rentNow=1', type)
      expect(JSON.stringify((await finder.get('/add-contact')).data)).not.toMatch(secrets)
      expect(finder.ids.draftId).not.toBe(draft.draftId)
    }
  })

  it('shows a finder who has not paid neither gate code nor receipt during and after the owner’s payment', async () => {
    const finder = new Renter(services)
    await finder.findReservation()
    const card = await owner.submitCard()
    const waiting = await finder.returnFromCard(card.orderId)
    expect(waiting.to).toBe('/rental-completed')
    const after = await finder.get('/rental-completed')
    expect(after.to).toBe('/reservation-not-found?location=GA1&rented=1')
    expect(finder.ids.completedOrderId).toBeUndefined()
    const lease = await recordOf(services, 'leases', { order_id: card.orderId })
    const input = { location_code: 'GA1', tenant_id: lease.tenant_id, lease_no: lease.lease_number }
    expect(await perform(services, GetTenantUnitLeaseDetails, input, await callersIn(finder))).toMatchObject({
      ok: false,
    })
    expect((await finder.get('/complete-register')).to).not.toBe('')
    expect((await owner.returnFromCard(card.orderId)).to).toBe('/rental-completed')
    expect((await owner.openCompleted()).data.rental.gateCode).toBe(lease.gate_code)
  })

  it('shares no open order between owner and finder', async () => {
    const loadState = async (orderId: string) => (await loadPayment(services, orderId))?.state
    const finder = new Renter(services)
    await finder.findReservation()
    await owner.press()
    const first = (await owner.openCardPage()).data.card
    await finder.press()
    const second = (await finder.openCardPage()).data.card
    expect(second.orderId).not.toBe(first.orderId)
    expect(await loadState(first.orderId)).toBe('presented')
    // The owner continues with their own card page, and the finder's stays open.
    await owner.press()
    expect((await owner.openCardPage()).data.card.orderId).toBe(first.orderId)
    expect(await loadState(second.orderId)).toBe('presented')
    await payAtHostedPage(second.payPageUrl, 'visa')
    expect((await finder.returnFromCard(second.orderId)).to).toBe('/rental-completed')
    // The finder paid, so unit and gate code are shown, but not the signed copy with the renter's name.
    expect((await finder.openCompleted()).data.rental.gateCode).toBe(await gateCode())
    expect((await finder.get('/lease-document/signed')).status).toBe(404)
  })

  it('keeps the answers that one of two browsers saved first and refuses the other’s as stale', async () => {
    const { other } = await byLink()
    const stale = await loadDraft(services, draft.draftId)
    await other.post('/customer-info', license)
    expect(stale && (await saveAnswers(services, stale, { autopay: false }))).toEqual({ ok: false, why: 'stale' })
    expect((await answers())?.customerInfo?.drivers_license).toBe('555000111')
  })

  it('ends with its own browser’s logout only and starts again by the link', async () => {
    const { other } = await byLink()
    const copy = new Renter(services, { ...other.ids })
    await other.post('/log-out')
    expect((await copy.openPaymentMethod()).to).toBe('/')
    expect((await owner.openPaymentMethod()).status).toBe(200)
    await owner.post('/log-out')
    expect((await byLink()).to).toBe('/payment-method')
  })

  it('keeps a browser’s strongest proof however it finds the rental later', async () => {
    await owner.findReservation()
    expect(owner.ids.draftId).toBe(draft.draftId)
    const { other } = await byLink()
    const before = other.ids.draftId
    await other.findReservation()
    expect(other.ids.draftId).toBe(before)
    const finder = new Renter(services)
    await finder.findReservation()
    const uuid = await loadUuid()
    await finder.get(`/reservation/${uuid}?open=1`)
    expect((await finder.get('/home-owner-insurance')).data.saved.policy_number).toBe('POL-778123')
  })

  it('does not reveal the bank account’s holder to a finder', async () => {
    await change(services, 'locations', {}, { allow_ach: 1 })
    const current = await loadDraft(services, draft.draftId)
    if (current) await saveAnswers(services, current, { paymentMethod: 'ACH' })
    const finder = new Renter(services)
    await finder.findReservation()
    const { data } = await finder.get('/process-payment-ach')
    expect(data.entry.holder).toBe('')
    expect(JSON.stringify(data)).not.toMatch(secrets)
  })
})

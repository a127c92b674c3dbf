import { beforeEach, expect, it } from 'vitest'
import { signIn } from '../../modules/accounts/sessions.ts'
import { loadPaymentFacts } from '../../modules/payments/receipt.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { plainAnswers, saveTestAnswers } from '../../modules/payments/testing-rent-until-card-page.ts'
import { rentalCallerOf, saveAnswers } from '../../modules/reservations/draft.ts'
import { loadDraftOfSession } from '../../modules/reservations/draft-sessions-across-browsers.ts'
import { attachReservationToTenant } from '../../modules/reservations/operations/attach-reservation-to-matched-tenant.ts'
import { SaveReservationDetailsForExistingTenants } from '../../modules/reservations/operations/save-reservation-for-existing-tenant.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, visitor } from '../../tests/support/small-operator.ts'
import { contactFormValues, designatedAgentForm, Renter } from './testing.ts'

const { till, folder } = sandboxForTests('identity')

class Reserver extends Renter {
  /** Reserves, and answers Yes when asked whether to continue as the tenant on file. */
  async reserve(form: Record<string, string>) {
    await this.startRental()
    await this.post('/reservation-date', { move_in_date: '11/22/2026' })
    const response = await this.post('/add-contact', form)
    if (response.data?.ask)
      expect((await this.post('/add-contact', { ...form, continue_as: form.email ?? '' })).to).toBe(
        '/reservation-details',
      )
    const summary = (await this.get('/reservation-details')).data
    expect((await this.post('/reservation-details')).to).toBe('/reservation-confirmed')
    return { summary, shown: (await this.get('/reservation-confirmed')).data }
  }
}

describeOnBothEngines('The tenant of a rental', (open) => {
  let services: PayingServices
  let renter: Reserver
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    renter = new Reserver(services)
  })
  const ada = () => recordOf(services, 'tenants', { tenant_id: 1001 })
  const reservation = () =>
    services.db.read.selectFrom('reservations').selectAll().where('status', '!=', 'cancelled').executeTakeFirstOrThrow()
  const notes = () => services.db.read.selectFrom('tenant_notes').select(['tenant_id', 'note']).execute()
  const renterDraft = async () => {
    const draft = await loadDraftOfSession(services, renter.ids.draftId as string)
    if (!draft) throw new Error('There is no draft')
    return draft
  }
  /** Picks what is about the person; unit and code differ by chance. */
  const aboutPerson = ({ summary, shown }: Awaited<ReturnType<Reserver['reserve']>>) => ({
    person: summary.person,
    renter: shown.renter,
  })
  const signAndPay = async () => {
    await saveTestAnswers(services, await renterDraft(), plainAnswers)
    const { data } = await renter.get('/lease')
    const signing = { intent: 'sign', quote: data.quoteId, consent: '1', method: 'typed', typed: data.signer }
    expect((await renter.post('/lease', { ...signing, signer: 'Somebody Else' })).to).toBe('/payment-method')
    const card = await renter.submitCard()
    expect((await renter.returnFromCard(card.orderId)).to).toBe('/rental-completed')
    return { orderId: card.orderId as string, sections: JSON.stringify(data.sections), signer: data.signer }
  }

  it('is matched only by last name and phone number of the record, and the pages look the same either way', async () => {
    const before = await ada()
    const matchingForm = {
      ...contactFormValues,
      first: 'Mallory',
      last: 'bYRNE',
      email: 'ada@example.com',
      cell_phone: before.cell_phone,
    }
    const proven = await renter.reserve(matchingForm)
    expect(await reservation()).toMatchObject({ tenant_id: 1001 })
    expect(await notes()).toEqual([])
    for (const otherForm of [
      { ...matchingForm, last: "O'Neill" },
      { ...matchingForm, cell_phone: '4045550999' },
    ]) {
      await change(services, 'reservations', {}, { status: 'cancelled' })
      renter = new Reserver(services)
      const unauthenticated = await renter.reserve(otherForm)
      const { tenant_id } = await reservation()
      expect(tenant_id).not.toBe(1001)
      expect(await notes()).toContainEqual({
        tenant_id,
        note: 'Possible duplicate of tenant 1001: the same email address, with another last name or phone.',
      })
      const personText = (result: typeof unauthenticated) =>
        JSON.stringify(aboutPerson(result)).replace(/O'Neill|bYRNE|\(\d{3}\) \d{3}-\d{4}/g, '')
      expect(personText(unauthenticated)).toBe(personText(proven))
      // When the form is sent again, the renter is not asked again.
      expect((await renter.post('/add-contact', otherForm)).data?.ask).toBeUndefined()
    }
    expect(await ada()).toEqual(before)
  })

  it('is named in lease, signature and receipt, whatever name was typed', async () => {
    const { cell_phone } = await ada()
    await renter.reserve({
      ...contactFormValues,
      first: 'Mallory',
      last: 'Byrne',
      email: 'ada@example.com',
      cell_phone,
    })
    const { orderId, sections, signer } = await signAndPay()
    expect(signer).toBe('Ada Byrne')
    expect(sections).toContain('Ada Byrne')
    expect(sections).not.toContain('Mallory')
    const { evidence } = await recordOf(services, 'lease_documents')
    expect(JSON.parse(evidence)).toMatchObject({ signerName: 'Ada Byrne' })
    expect(await loadPaymentFacts(services, orderId)).toMatchObject({ name: 'Ada Byrne', to: 'ada@example.com' })
    expect(await recordsOf(services, 'leases', { order_id: orderId })).toMatchObject([{ tenant_id: 1001 }])
  })

  it('is the typed person where the e-mail address on file is not proven to be theirs', async () => {
    await renter.reserve({ ...contactFormValues, email: 'ada@example.com' })
    const { orderId, sections } = await signAndPay()
    expect(sections).toContain("Rae O'Neill")
    expect(await loadPaymentFacts(services, orderId)).toMatchObject({ name: "Rae O'Neill" })
  })

  it('uses corrections made after reserving in lease and receipt alike', async () => {
    await renter.reserve(contactFormValues)
    const sent = await renter.post('/add-contact', { ...contactFormValues, first: 'Rachel' })
    expect(sent.to).not.toBe('')
    const { orderId, sections } = await signAndPay()
    expect(sections).toContain("Rachel O'Neill")
    expect(await loadPaymentFacts(services, orderId)).toMatchObject({ name: "Rachel O'Neill" })
  })

  it('is confirmed where a found reservation lacks an e-mail address, as on the first form', async () => {
    await renter.reserve({ ...contactFormValues, last: 'Byrne', cell_phone: (await ada()).cell_phone })
    await services.db.write.deleteFrom('rental_drafts').execute()
    await services.db.write
      .updateTable('tenants')
      .set({ email: '', email_key: '' })
      .where('tenant_id', '!=', 1001)
      .execute()
    renter = new Reserver(services)
    const response = await renter.findReservation({
      location_code: 'GA1',
      last_name: 'byrne',
      phone_last_four: (await ada()).cell_phone.slice(-4),
    })
    expect(response.to).toBe('/add-contact#reserved')
    const form = { email: 'ada@example.com', designated_agent: '1', active_military: '1' }
    const question = await renter.post('/add-contact', form)
    expect(question.data).toMatchObject({ ask: 'ada@example.com' })
    const yes = await renter.post('/add-contact', { ...form, continue_as: 'ada@example.com' })
    expect(yes.to).toBe('/designated-agent')
    expect(await reservation()).toMatchObject({ tenant_id: 1001 })
    expect((await renterDraft()).answers).toMatchObject({ activeMilitary: true, wantsAgent: true })
    expect(JSON.stringify((await renter.get('/reservation-confirmed')).data)).not.toContain('Ada')
  })

  it('is not linked, and gets no mail, when the reservation expires meanwhile', async () => {
    const { cell_phone } = await ada()
    await renter.reserve({ ...contactFormValues, last: 'Byrne', cell_phone })
    const { reservation_code, tenant_id } = await reservation()
    await change(services, 'reservations', { reservation_code }, { status: 'expired' })
    const jobs = () => recordsOf(services, 'jobs', { kind: 'reservation_confirmed' })
    const before = await jobs()
    await attachReservationToTenant(
      services,
      { locationCode: 'GA1', reservationCode: reservation_code, tenantId: tenant_id },
      { last: 'Byrne', email: 'ada@example.com', cell_phone },
    )
    expect(await jobs()).toEqual(before)
    expect(await recordOf(services, 'prospects', { res_code: reservation_code })).toMatchObject({ tenant_id })
    expect(await renterDraft()).toMatchObject({ tenantId: tenant_id, existingTenant: false })
  })

  it('is asked for an agent in Georgia when signed in, on the summary or before the vehicle', async () => {
    renter = new Reserver(services, { token: await signIn(services.db.write, services, 'ada', visitor()) })
    expect((await renter.startRental('?rentNow=1')).to).toBe('/designated-agent')
    expect((await renter.get('/designated-agent')).data.optional).toBe(true)
    expect((await renter.post('/designated-agent', { without: '1' })).to).toBe('/vehicle')

    const later = new Reserver(services, { token: await signIn(services.db.write, services, 'ada', visitor()) })
    await later.startRental('', 2)
    await later.post('/reservation-date', { move_in_date: '11/22/2026' })
    expect((await later.get('/reservation-details')).data.asksAgent).toBe(true)
    const ticked = await later.post('/reservation-details', { designated_agent: '1' })
    expect(ticked.to).toBe('/designated-agent')
    expect((await later.post('/designated-agent', designatedAgentForm)).to).toBe('/reservation-details')
    expect(JSON.stringify((await later.get('/reservation-details')).data.person)).toContain('Bo Agent')
    expect((await later.post('/reservation-details', { designated_agent: '1' })).to).toBe('/reservation-confirmed')
  })

  it('keeps an agent named on an earlier lease', async () => {
    await change(
      services,
      'leases',
      { tenant_id: 1001 },
      { details: JSON.stringify({ designatedAgent: designatedAgentForm }) },
    )
    renter = new Reserver(services, { token: await signIn(services.db.write, services, 'ada', visitor()) })
    expect((await renter.startRental('?rentNow=1')).to).toBe('/vehicle')
    expect((await renterDraft()).answers.designatedAgent).toEqual(designatedAgentForm)
    const later = new Reserver(services, { token: await signIn(services.db.write, services, 'ada', visitor()) })
    await later.startRental('', 2)
    const dated = await later.post('/reservation-date', { move_in_date: '11/22/2026' })
    expect(dated.to).toBe('/reservation-details')
    const summary = (await later.get('/reservation-details')).data
    expect([summary.namesAgent, summary.chrome.back]).toEqual([true, '/reservation-date'])
    expect((await later.get('/designated-agent')).data.agent).toEqual(designatedAgentForm)
    expect((await later.post('/designated-agent', designatedAgentForm)).to).toBe('/reservation-details')
    const kiosk = { ...asAda, address: '198.51.100.20' }
    const input = { location_code: 'GA1', unit_type_id: 2, rent_now: 1 }
    const reserved = await perform(services, SaveReservationDetailsForExistingTenants, input, kiosk)
    const kioskDraft = reserved.ok ? await loadDraftOfSession(services, reserved.grants?.draftId ?? '') : null
    expect(kioskDraft?.answers).toMatchObject({ designatedAgent: designatedAgentForm, wantsAgent: true })
    if (kioskDraft) await saveAnswers(services, kioskDraft, { wantsAgent: false })
    const again = { ...kiosk, ...(kioskDraft && { rental: rentalCallerOf(kioskDraft) }) }
    expect(await perform(services, SaveReservationDetailsForExistingTenants, input, again)).toMatchObject({ ok: true })
    expect((await loadDraftOfSession(services, kioskDraft?.draftId ?? ''))?.answers.designatedAgent).toBeUndefined()
  })
})

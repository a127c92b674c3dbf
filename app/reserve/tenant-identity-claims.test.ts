/** Tests of what a browser gains by claiming to be a tenant, of limits on claims, and of mails to changed addresses. */
import { beforeEach, describe, expect, it } from 'vitest'
import { formatPhone } from '../../domain/phone.ts'
import { signIn } from '../../modules/accounts/sessions.ts'
import { LeasePdf } from '../../modules/move-in/operations/preview-or-sign-lease-pdf.ts'
import { previewLease } from '../../modules/move-in/sign-lease.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { plainAnswers } from '../../modules/payments/testing-rent-until-card-page.ts'
import { saveAnswers } from '../../modules/reservations/draft.ts'
import { loadDraftOfSession } from '../../modules/reservations/draft-sessions-across-browsers.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import { perform } from '../../platform/operations/operation.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { textOfPdf } from '../../tests/support/text-of-pdf.ts'
import { enterAccount } from '../account/start-and-end-session.ts'
import { contextOf } from '../request/context.ts'
import { contactFormValues, designatedAgentForm, Renter } from './testing.ts'

const { till, folder } = sandboxForTests('claims')

class Visitor extends Renter {
  signsIn = async (token: string) => {
    await this.ask(
      ({ context }: { context: Parameters<typeof contextOf>[0] }) => enterAccount(contextOf(context), token),
      {
        path: '/login',
      },
    )
  }
}

describeOnBothEngines('A claim', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })
  const ada = () => recordOf(services, 'tenants', { tenant_id: 1001 })
  const uuid = async () => (await recordOf(services, 'prospects')).uuid

  const rentNow = async (renter: Visitor, form: Record<string, string>) => {
    if (!renter.ids.draftId) await renter.startRental('?rentNow=1')
    return renter.post('/add-contact?rentNow=1', { ...form, continue_as: form.email ?? '' })
  }
  const tenantOfReservation = async () => (await recordOf(services, 'reservations')).tenant_id
  const mails = async () => {
    await services.runDueJobs()
    const sent = (await recordsOf(services, 'mailbox')).sort((a, b) => a.created_at - b.created_at)
    return sent.filter(({ text }) => text.includes('/reservation/'))
  }

  it('by signing in keeps a rental that was opened by link, even after the browser that began it has logged out', async () => {
    const first = new Visitor(services)
    await rentNow(first, {
      ...contactFormValues,
      last: 'Byrne',
      email: 'ada@example.com',
      cell_phone: (await ada()).cell_phone,
    })
    for (const leaves of ['before', 'after']) {
      const second = new Visitor(services)
      const response = await second.get(`/reservation/${await uuid()}?open=1`)
      expect(response.to).toBe('/vehicle')
      const stale = new Visitor(services, { ...second.ids })
      if (leaves === 'before') await first.post('/log-out')
      await second.signsIn(await signIn(services.db.write, services, 'ada', visitor()))
      await first.post('/log-out')
      expect((await second.get('/vehicle')).status).toBe(200)
      expect((await stale.get('/vehicle')).to).toBe('/')
      await second.post('/log-out')
      expect((await second.get('/vehicle')).to).toBe('/')
    }
  })

  it('to be the tenant on file is checked ten times in 15 minutes, and an eleventh attempt looks the same', async () => {
    const { cell_phone } = await ada()
    const matchingForm = { ...contactFormValues, last: 'Byrne', email: 'ada@example.com', cell_phone }
    const renter = new Visitor(services)
    for (let index = 0; index < 10; index += 1) {
      const response = await rentNow(renter, { ...matchingForm, cell_phone: `404555700${index}` })
      expect(response.to).toBe('/vehicle')
    }
    expect((await rentNow(renter, matchingForm)).to).toBe('/vehicle')
    expect(await tenantOfReservation()).not.toBe(1001)
    services.clock.advance(15 * 60_000)
    expect((await rentNow(renter, matchingForm)).to).toBe('/vehicle')
    expect(await tenantOfReservation()).toBe(1001)
  })

  it('to be the tenant on file leaves the agent named in this browser visible in the lease', async () => {
    const { cell_phone } = await ada()
    const renter = new Visitor(services)
    const matchingForm = {
      ...contactFormValues,
      last: 'Byrne',
      email: 'ada@example.com',
      cell_phone,
      designated_agent: '1',
    }
    expect((await rentNow(renter, matchingForm)).to).toBe('/designated-agent')
    expect((await renter.post('/designated-agent', designatedAgentForm)).to).toBe('/vehicle')
    const draft = await loadDraftOfSession(services, renter.ids.draftId ?? '')
    if (!draft) throw new Error('There is no draft')
    const answered = await saveAnswers(services, draft, plainAnswers)
    if (!answered.ok) throw new Error(answered.why)
    const lease = async (draft: Draft) => JSON.stringify((await previewLease(services, draft)).sections)
    expect(await lease(answered.draft)).toContain('Bo Agent')
    expect(await lease(answered.draft)).not.toContain((await ada()).address)
    expect(await lease({ ...answered.draft, proof: 'link' })).not.toContain('Bo Agent')
  })

  describe('to a rental signs with the tenant’s full contact data and shows', () => {
    const contactOf = ({ address, city, zip, email, cell_phone }: Awaited<ReturnType<typeof ada>>) => [
      `${address}, ${city}, GA ${zip}`,
      email,
      formatPhone(cell_phone),
    ]
    const wordsOf = (pdf: Uint8Array) => textOfPdf(pdf).pages.join(' ').replace(/\s+/g, ' ')
    const preview = async (renter: Visitor) => {
      const { response } = await renter.get('/lease-document/preview')
      return wordsOf(new Uint8Array((await response?.arrayBuffer()) ?? []))
    }
    const copy = (renter: Visitor) => renter.get('/lease-document/signed')

    async function saveAnswersOf(renter: Visitor) {
      const draft = await loadDraftOfSession(services, renter.ids.draftId ?? '')
      const saved = draft && (await saveAnswers(services, draft, plainAnswers))
      if (!saved?.ok) throw new Error('not answered')
    }

    /**
     * Signs the masked lease.
     * @returns the text of the stored document
     */
    async function signMaskedLease(renter: Visitor, name: string, contact: string[]) {
      const leaseText = await preview(renter)
      expect(leaseText).toContain('***')
      for (const secret of contact) expect(leaseText).not.toContain(secret)
      const { quoteId: quote } = (await renter.get('/lease')).data
      const form = { intent: 'sign', consent: '1', method: 'typed', typed: name, signer: name, quote }
      expect((await renter.post('/lease', form)).to).toBe('/payment-method')
      const storedFile = await services.files.get((await recordOf(services, 'lease_documents', { void: 0 })).file_key)
      if (!storedFile) throw new Error('No document is kept')
      return wordsOf(storedFile.content)
    }

    it('none of it after typed details, and the tenant’s address in the tenant’s own account', async () => {
      const contact = contactOf(await ada())
      const { cell_phone } = await ada()
      const renter = new Visitor(services)
      await rentNow(renter, { ...contactFormValues, last: 'Byrne', email: 'ada@example.com', cell_phone })
      await saveAnswersOf(renter)
      const storedText = await signMaskedLease(renter, 'Ada Byrne', contact)
      for (const words of contact) expect(storedText).toContain(words)
      expect(storedText).not.toContain('***')
      expect((await renter.get('/lease')).data).toMatchObject({ signed: true, signedCopy: false })
      expect((await copy(renter)).status).toBe(404)
      const kiosk = await loadSessionCallers(services, renter.ids, { address: '198.51.100.9', agent: 'kiosk' })
      const signature = {
        format: 'file',
        accepted_timestamp: '11/20/2026 12:00:00',
        tenant_signature_name: 'Ada Byrne',
      }
      const answer = await perform(services, LeasePdf, { location_code: 'GA1', ...signature }, kiosk)
      if (!answer.ok) throw new Error(answer.message)
      const answered = wordsOf(answer.value as Uint8Array)
      expect(answered).toContain('Ada Byrne')
      for (const secret of contact) expect(answered).not.toContain(secret)
      await renter.signsIn(await signIn(services.db.write, services, 'ada', visitor()))
      expect((await copy(renter)).status).toBe(200)
      expect(await preview(renter)).toContain(contact[0])
    })

    it('no signed copy after name and digits, and the signed copy after the mailed link', async () => {
      const owner = new Visitor(services)
      await rentNow(owner, contactFormValues)
      await saveAnswersOf(owner)
      const contact = contactOf(await recordOf(services, 'tenants', { last: "O'Neill" }))
      const finder = new Visitor(services)
      await finder.findReservation()
      const storedText = await signMaskedLease(finder, "Rae O'Neill", contact)
      for (const words of contact) expect(storedText).toContain(words)
      expect((await copy(finder)).status).toBe(404)
      const linked = new Visitor(services)
      await linked.get(`/reservation/${await uuid()}?open=1`)
      expect((await copy(linked)).status).toBe(200)
      expect((await copy(owner)).status).toBe(200)
    })
  })

  it('mails corrected e-mail addresses a limited number of times, and a link sent to the wrong address opens nothing', async () => {
    const renter = new Visitor(services)
    await rentNow(renter, { ...contactFormValues, email: 'tpyo@example.com' })
    const earlierUuid = await uuid()
    await mails()
    services.clock.advance(60_000)
    await rentNow(renter, contactFormValues)
    await rentNow(renter, { ...contactFormValues, first: 'Rachel' })
    const sent = await mails()
    expect(sent.map((mail) => mail.recipient)).toEqual(['tpyo@example.com', contactFormValues.email])
    const other = new Visitor(services)
    const response = await other.get(`/reservation/${earlierUuid}?open=1`)
    expect(response.to).toBe('/reservation-not-found')
    expect(sent[1]?.text).toContain(await uuid())
    expect((await other.get(`/reservation/${await uuid()}?open=1`)).to).toBe('/vehicle')
    for (let index = 0; index < 10; index += 1)
      await rentNow(renter, { ...contactFormValues, email: `other${index}@example.com` })
    expect(await mails()).toHaveLength(6)
  })

  it('sends the promised mail to an e-mail address that was added to a found reservation', async () => {
    await rentNow(new Visitor(services), contactFormValues)
    await mails()
    await services.db.write
      .updateTable('tenants')
      .set({ email: '', email_key: '' })
      .where('tenant_id', '!=', 1001)
      .execute()
    await change(services, 'prospects', {}, { email_address: '' })
    await services.db.write.deleteFrom('mailbox').execute()
    await services.db.write.deleteFrom('rental_drafts').execute()
    const renter = new Visitor(services)
    const response = await renter.findReservation()
    expect(response.to).toBe('/add-contact#reserved')
    await renter.post('/add-contact', { email: 'found@example.com' })
    expect((await mails()).map((mail) => mail.recipient)).toEqual(['found@example.com'])
  })
})

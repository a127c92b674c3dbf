import { beforeEach, describe, expect, it } from 'vitest'
import { chooseOne } from '../../domain/texts/field-errors.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { signatureFaultMessages } from '../../modules/agreements/signature/validate-drawn-or-typed-signature.ts'
import {
  colorRequired,
  licenseDigitsOnly,
  missingVehicleAnswer,
  modelRequired,
  selectCoverage,
  signatureNameDiffers,
  vehicleInsuranceUnconfirmed,
} from '../../modules/move-in/texts/move-in.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import { proveRenter } from '../../modules/reservations/limit-and-extend-unproven-holds.ts'
import { SaveReservationDetails_WEB } from '../../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { startDraft } from '../../modules/reservations/operations/start-draft.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Files } from '../../ports/files/files.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { contact, openTestServices, type TestServices, withDraft } from '../../tests/support/small-operator.ts'
import { type Answer, Browser } from '../testing.ts'

function memoryFiles(): Files {
  const stored = new Map<string, { content: Uint8Array<ArrayBuffer>; contentType: string }>()
  return {
    put: async (key, content, contentType) => void stored.set(key, { content: new Uint8Array(content), contentType }),
    get: async (key) => stored.get(key) ?? null,
    delete: async (key) => void stored.delete(key),
  }
}

class Renter extends Browser {
  declare readonly services: TestServices

  async draft() {
    const draft = this.ids.draftId ? await loadDraft(this.services, this.ids.draftId) : null
    if (!draft) throw new Error('There is no draft')
    return draft
  }

  async answers(): Promise<Answers> {
    return (await this.draft()).answers
  }

  async reserve(unitTypeId = 1, locationCode = 'GA1', email = contact.email): Promise<this> {
    const { services } = this
    const draft = await startDraft(services, { locationCode, unitTypeId, rentNow: true })
    if (!draft) throw new Error('There is no such unit type')
    this.ids.draftId = draft.draftId
    await saveAnswers(services, draft, {
      contact: {
        ...contact,
        email,
        cell_phone: '4045550147',
        state: 'GA',
        active_military: false,
        designated_agent: false,
      },
    })
    const saved = await perform(
      services,
      SaveReservationDetails_WEB,
      { ...contact, email, location_code: locationCode, unit_type_id: unitTypeId, rent_now: 1 },
      await withDraft(services, draft.draftId),
    )
    if (!saved.ok) throw new Error(JSON.stringify(saved))
    return this
  }

  async toLease(coverage = '2'): Promise<this> {
    await this.post('/vehicle', { answer: 'no' })
    await this.post('/lien-holder', { answer: 'no' })
    await this.post('/insurance-schemes', { coverage })
    await this.post('/shield-brochure')
    await this.post('/customer-info', license)
    await this.post('/full-day-access', { answer: 'no' })
    expect((await this.post('/military', { answer: 'no' })).to).toBe('/lease')
    return this
  }

  async sign(change: Record<string, string> = {}): Promise<Answer> {
    const { data } = await this.get('/lease')
    return this.post('/lease', {
      intent: 'sign',
      quote: data.quoteId,
      consent: '1',
      method: 'typed',
      typed: "Rae O'Neill",
      ...change,
    })
  }
}

const license = {
  drivers_license: '123456789',
  issued_state: 'ga',
  birth_date: '02/03/1985',
  expiration_date: '05/06/2030',
  brief_description: 'Furniture',
}

describe('the pages of the move-in', () => {
  const open = openerForTests()
  let services: TestServices
  let renter: Renter
  beforeEach(async () => {
    services = await openTestServices(await open())
    services.files = memoryFiles()
    renter = await new Renter(services).reserve()
  })

  it('refuses a question without an answer or with an unknown one, and saves nothing', async () => {
    const answer = await renter.post('/vehicle')
    expect(answer).toMatchObject({ status: 400, data: { fields: { answer: chooseOne('yes or no') } } })
    expect((await renter.post('/vehicle', { answer: 'maybe' })).status).toBe(400)
    expect((await renter.answers()).vehicle).toBeUndefined()
  })

  it('requires a vehicle’s model, color and insurance, and skips the insurance pages', async () => {
    expect((await renter.post('/vehicle', { answer: 'yes' })).to).toBe('/vehicle-info')
    const short = await renter.post('/vehicle-info', { make: 'Toyota', color: ' ' })
    expect(short.data.fields).toEqual({
      model: modelRequired,
      color: colorRequired,
      confirmValid: vehicleInsuranceUnconfirmed,
    })
    expect(short.data.values.make).toBe('Toyota')
    const truck = { make: 'Toyota', model: 'Tacoma', color: 'Red', confirmValid: '1' }
    expect((await renter.post('/vehicle-info', truck)).to).toBe('/lien-holder')
    expect((await renter.post('/lien-holder', { answer: 'no' })).to).toBe('/customer-info')
    expect((await renter.get('/insurance-schemes')).to).toBe('/customer-info?from=insurance-schemes')
  })

  it('deletes the details of vehicle and lien holder once the answer becomes no', async () => {
    await renter.post('/vehicle', { answer: 'yes' })
    await renter.post('/vehicle-info', { make: 'A', model: 'B', color: 'C', confirmValid: '1' })
    await renter.post('/vehicle', { answer: 'no' })
    await renter.post('/lien-holder', { answer: 'yes' })
    const bank = { lien_name: 'First Bank', phone_number: '(404) 555-0111', description: 'Boat' }
    await renter.post('/lien-holder-details', bank)
    expect((await renter.answers()).lienHolder).toMatchObject({ phone_number: '4045550111', address: '' })
    expect((await renter.get('/lien-holder-details')).data.saved.phone_number).toBe('(404) 555-0111')
    await renter.post('/lien-holder', { answer: 'no' })
    const answers = await renter.answers()
    expect(answers).not.toHaveProperty('vehicleDetails')
    expect(answers).not.toHaveProperty('lienHolder')
  })

  it('redirects a page opened too early to the first incomplete page, which says why', async () => {
    const early = await renter.get('/lease')
    expect(early.to).toBe('/vehicle?from=lease')
    expect((await renter.get(early.to)).data.chrome.because).toBe(missingVehicleAnswer)
    expect((await renter.post('/military', { answer: 'no' })).to).toBe('/vehicle?from=military')
  })

  it('shows no page without a rental session', async () => {
    const stranger = new Renter(services)
    expect((await stranger.get('/vehicle')).to).toBe('/')
    expect(stranger.alert).toBe('invalidSession')
  })

  describe('insurance', () => {
    beforeEach(async () => {
      await renter.post('/vehicle', { answer: 'no' })
      await renter.post('/lien-holder', { answer: 'no' })
    })

    it.each<Record<string, string>>([{}, { coverage: '' }, { coverage: '99' }, { coverage: '1 or 1=1' }])(
      'Next with %j asks for a selection',
      async (form) => {
        const answer = await renter.post('/insurance-schemes', form)
        expect(answer).toMatchObject({ status: 400, data: { fields: { coverage: selectCoverage } } })
        expect((await renter.answers()).insurance).toBeUndefined()
      },
    )

    it('leads from a plan to the brochure and includes the plan in the price', async () => {
      expect((await renter.post('/insurance-schemes', { coverage: '1' })).to).toBe('/shield-brochure')
      const brochure = await renter.get('/shield-brochure')
      const { chrome } = brochure.data
      expect(brochure.html()).toContain('The brochure is a PDF. It opens in a page of its own')
      expect(chrome.summary.lines).toContainEqual(expect.objectContaining({ label: 'Cover $5,000', cents: 24_00 }))
      expect((await renter.post('/shield-brochure')).to).toBe('/customer-info')
    })

    it('asks for the tenant’s own policy and refuses an expired one', async () => {
      expect((await renter.post('/insurance-schemes', { coverage: 'own' })).to).toBe('/home-owner-insurance')
      const policy = { carrier: 'Acme', policy_number: 'HO-77', expiration_date: '11/19/2026' }
      const expired = await renter.post('/home-owner-insurance', policy)
      expect(Object.keys(expired.data.fields)).toEqual(['expiration_date'])
      const empty = await renter.post('/home-owner-insurance')
      expect(Object.keys(empty.data.fields)).toEqual(['carrier', 'policy_number', 'expiration_date'])
      const today = await renter.post('/home-owner-insurance', {
        ...policy,
        expiration_date: '11/20/2026',
      })
      expect(today.to).toBe('/shield-brochure')
    })

    it('skips its pages and has no brochure where no plan is offered', async () => {
      const islander = await new Renter(services).reserve(1, 'HI1', 'lani@example.com')
      await islander.post('/vehicle', { answer: 'no' })
      expect((await islander.post('/lien-holder', { answer: 'no' })).to).toBe('/customer-info')
      expect((await islander.post('/customer-info', license)).to).toBe('/military')
      expect((await islander.get('/brochure/HI1')).status).toBe(404)
    })
  })

  it('serves the facility’s brochure file, or 404 without the file or the facility', async () => {
    const getBrochure = (locationCode: string, query = '') => renter.get(`/brochure/${locationCode}${query}`)
    expect((await getBrochure('GA1')).status).toBe(404)
    await services.files.put('brochures/protection.pdf', Buffer.from('%PDF brochure'), 'application/pdf')
    const { response } = await getBrochure('GA1')
    expect(response?.headers.get('Content-Type')).toBe('application/pdf')
    expect(response?.headers.get('Content-Disposition')).toBe('inline; filename="protection.pdf"')
    expect(await response?.text()).toBe('%PDF brochure')
    expect((await getBrochure('GA1', '?download=1')).response?.headers.get('Content-Disposition')).toMatch(
      /^attachment/,
    )
    expect((await getBrochure('../GA1')).status).toBe(404)
  })

  describe('customer info', () => {
    beforeEach(async () => {
      await renter.post('/vehicle', { answer: 'no' })
      await renter.post('/lien-holder', { answer: 'no' })
      await renter.post('/insurance-schemes', { coverage: '2' })
      await renter.post('/shield-brochure')
    })

    it('accepts only digits as license number and only adults', async () => {
      const letters = await renter.post('/customer-info', { ...license, drivers_license: 'A1' })
      expect(letters.data.fields).toEqual({ drivers_license: licenseDigitsOnly })
      const empty = await renter.post('/customer-info')
      expect(Object.keys(empty.data.fields)).toEqual(Object.keys(license))
      const tomorrow18 = await renter.post('/customer-info', { ...license, birth_date: '11/21/2008' })
      expect(Object.keys(tomorrow18.data.fields)).toEqual(['birth_date'])
      const today18 = await renter.post('/customer-info', { ...license, birth_date: '11/20/2008' })
      expect(today18.to).toBe('/full-day-access')
    })

    it('returns masked values: neither license nor birth date leaves the server again', async () => {
      await renter.post('/customer-info', license)
      for (const path of ['/customer-info', '/customer-info?change=1']) {
        const { data } = await renter.get(path)
        expect(data.masked).toMatchObject({ license: '•••• 6789', birth: '••/••/1985', stateName: 'Georgia' })
        expect(JSON.stringify(data)).not.toMatch(/12345|02.03.1985|1985-02-03/)
      }
      expect((await renter.post('/customer-info', { keep: '1' })).to).toBe('/full-day-access')
      expect((await renter.answers()).customerInfo?.drivers_license).toBe('123456789')
    })

    it('has no answer to keep before the first submission', async () => {
      expect((await renter.post('/customer-info', { keep: '1' })).status).toBe(400)
    })

    it('adds the facility’s own 24-hour access fee, and keeps details of military service only after yes', async () => {
      await renter.post('/customer-info', license)
      expect((await renter.get('/full-day-access')).data).toMatchObject({
        fee: 20_00,
        chosen: undefined,
      })
      expect((await renter.post('/full-day-access', { answer: 'yes' })).to).toBe('/military')
      const { chrome } = (await renter.get('/military')).data
      expect(chrome.summary.lines).toContainEqual(
        expect.objectContaining({ label: '24 Hour Access Fee', cents: 20_00 }),
      )
      expect((await renter.post('/military', { answer: 'yes' })).to).toBe('/military-details')
      const empty = await renter.post('/military-details')
      expect(Object.keys(empty.data.fields)).toEqual(['military_branch', 'military_base', 'commanding_officer'])
      const service = { military_branch: 'Army', military_base: 'Fort Moore', commanding_officer: 'Col. Reyes' }
      expect((await renter.post('/military-details', service)).to).toBe('/lease')
      await renter.post('/military', { answer: 'no' })
      expect(await renter.answers()).not.toHaveProperty('military')
    })
  })

  describe('the lease', () => {
    beforeEach(async () => {
      await renter.toLease()
    })

    it('shows the same price as the summary beside it', async () => {
      const { data } = await renter.get('/lease')
      const prices = JSON.stringify(data.sections)
      expect(data.chrome.summary.totalCents).toBe(data.dueToday)
      for (const { label } of data.chrome.summary.lines) expect(prices).toContain(label)
      expect(data).toMatchObject({ autopay: true, signed: false, signer: "Rae O'Neill", freeMonth: 'First Month Free' })
    })

    it('loses First Month Free, as announced, when autopay is declined, and is generated again', async () => {
      const before = (await renter.get('/lease')).data
      expect((await renter.post('/lease', { intent: 'autopay' })).to).toBe('/lease')
      const after = (await renter.get('/lease')).data
      expect(after.autopay).toBe(false)
      expect(after.dueToday).toBe(before.otherDueToday)
      // The price with autopay is the same before and after, although declining adds a card fee here.
      expect(after.autopayPerPeriod).toBe(before.autopayPerPeriod)
      expect(after.dueToday).toBeGreaterThan(before.dueToday)
      expect(JSON.stringify(after.sections)).not.toContain('First Month Free')
      await renter.post('/lease', { intent: 'autopay', autopay: '1' })
      expect((await renter.get('/lease')).data.dueToday).toBe(before.dueToday)
    })

    it('is signed with consent and a name and leads to payment', async () => {
      const nothing = await renter.sign({ consent: '', typed: '' })
      expect(nothing.status).toBe(400)
      expect(nothing.data.fields).toMatchObject({ signature: signatureFaultMessages.missing })
      expect(Object.keys(nothing.data.fields)).toEqual(['consent', 'signature'])
      expect((await renter.sign({ method: 'drawn', image: 'data:image/png;base64,AAAA' })).data.fields).toEqual({
        signature: signatureFaultMessages.not_an_image,
      })
      for (const intent of ['', 'signed'])
        expect((await renter.sign({ intent })).data.fields).toEqual({ form: formUnreadable })
      expect((await renter.answers()).signature).toBeUndefined()
      for (const typed of ['Donald Duck', 'Rae', "O'Neill"])
        expect((await renter.sign({ typed })).data.fields).toEqual({ signature: signatureNameDiffers })
      expect(await recordsOf(services, 'lease_documents')).toEqual([])
      expect((await renter.sign({ typed: ' RAE M. o’neill ' })).to).toBe('/payment-method')
      expect((await renter.get('/lease')).data.signed).toBe(true)
      expect((await renter.post('/lease', { intent: 'go-on' })).to).toBe('/payment-method')
    })

    it('lists the changed lines of a price that has changed and signs nothing', async () => {
      const { quoteId } = (await renter.get('/lease')).data
      await change(services, 'fees', { fee_id: 1 }, { amount: 39_00 })
      const answer = await renter.sign({ quote: quoteId })
      expect(answer.status).toBe(409)
      expect(answer.data.changes).toContainEqual({ label: 'Administration Fee', before: 29_00, now: 39_00 })
      expect((await renter.answers()).signature).toBeUndefined()
      expect((await renter.sign()).to).toBe('/payment-method')
    })

    it('asks again for a price shown half an hour ago and refuses another rental’s quote', async () => {
      const { quoteId } = (await renter.get('/lease')).data
      // An unproven renter's hold ends before the quoted price expires.
      await proveRenter(services.db.write, services, { draftId: (await renter.draft()).draftId })
      services.clock.advance(31 * 60_000)
      expect(await renter.sign({ quote: quoteId })).toMatchObject({ status: 409, data: { changes: [] } })
      const other = await new Renter(services).reserve(1, 'GA1', 'else@example.com')
      await other.toLease()
      const theirs = (await other.get('/lease')).data.quoteId
      expect((await renter.sign({ quote: theirs })).data.fields).toEqual({ form: formUnreadable })
    })

    it('voids the signature and its document when the autopay choice changes', async () => {
      await renter.sign()
      const copy = () => renter.get('/lease-document/signed')
      expect((await copy()).response?.headers.get('Content-Type')).toBe('application/pdf')
      await renter.post('/lease', { intent: 'autopay' })
      expect((await renter.get('/lease')).data.signed).toBe(false)
      expect((await copy()).status).toBe(404)
      expect((await renter.post('/lease', { intent: 'go-on' })).status).toBe(400)
    })

    it('is downloadable only by the renter', async () => {
      const preview = await renter.get('/lease-document/preview')
      expect((await preview.response?.text())?.slice(0, 5)).toBe('%PDF-')
      expect(preview.response?.headers.get('Cache-Control')).toBe('private, no-store')
      await renter.sign()
      const other = await new Renter(services).reserve(1, 'GA1', 'else@example.com')
      expect((await other.get('/lease-document/signed')).status).toBe(404)
      expect((await other.get('/lease-document/preview')).to).toBe('/vehicle?from=lease')
      expect((await renter.get('/lease-document/10001')).status).toBe(404)
    })
  })
})

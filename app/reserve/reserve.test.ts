import { beforeEach, describe, expect, it } from 'vitest'
import { sitePageTexts } from '../../demo/site-page-texts.ts'
import {
  emailIncorrect,
  invalidDate,
  lastNameRequired,
  phoneTenDigits,
  plainTextOnly,
  required,
  stateInvalid,
  tooLong,
  zipFiveDigits,
} from '../../domain/texts/field-errors.ts'
import { previewLease } from '../../modules/move-in/sign-lease.ts'
import { loadDraft, saveAnswers } from '../../modules/reservations/draft.ts'
import { loadDraftOfSession } from '../../modules/reservations/draft-sessions-across-browsers.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import type { Contact } from '../../modules/reservations/rules/reservation-form.ts'
import {
  dateOutsideWindow,
  lookupFailed,
  tooManyDrafts,
  tooManyDraftsTitle,
  tooManyReservations,
  unitsGone,
  unitTypeUnavailable,
  unitTypeUnavailableTitle,
} from '../../modules/reservations/texts/reserve.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { contactFormValues, designatedAgentForm, Renter, reservationLookupForm } from './testing.ts'

class Browser extends Renter {
  declare readonly services: TestServices

  constructor(services: TestServices, base = visitor()) {
    super(services, {}, base)
  }

  async toDetails(form: Record<string, string> = contactFormValues, unitTypeId = 1): Promise<void> {
    await this.startRental('', unitTypeId)
    await this.post('/reservation-date', { move_in_date: '11/22/2026' })
    const answer = await this.post('/add-contact', form)
    expect(answer.to).toBe('/reservation-details')
  }

  async reserve(form: Record<string, string> = contactFormValues, unitTypeId = 1): Promise<string> {
    await this.toDetails(form, unitTypeId)
    expect((await this.post('/reservation-details')).to).toBe('/reservation-confirmed')
    return (await this.get('/reservation-confirmed')).data.code
  }
}

describe('The pages from a unit to its reservation', () => {
  const open = openerForTests()
  let services: TestServices
  let browser: Browser
  beforeEach(async () => {
    services = await openTestServices(await open())
    browser = new Browser(services)
  })
  const reservations = () => recordsOf(services, 'reservations', { status: 'active' })
  const jobs = (kind: string) => recordsOf(services, 'jobs', { kind })
  const tenant = (tenantId: number) => recordOf(services, 'tenants', { tenant_id: tenantId })

  it('reserves by date, contact and summary, and notifies the renter once', async () => {
    expect((await browser.startRental()).to).toBe('/reservation-date')
    const day = await browser.get('/reservation-date')
    expect(day.data).toMatchObject({
      window: { earliest: '2026-11-20', latest: '2026-12-03' },
      today: '2026-11-20',
      chosen: null,
      chrome: { summary: { totalLabel: 'At move-\u2060in, 11/20/2026', freeToday: true } },
    })
    expect((await browser.post('/reservation-date', { move_in_date: '11/22/2026' })).to).toBe('/add-contact')
    expect((await browser.post('/add-contact', contactFormValues)).to).toBe('/reservation-details')
    const summary = await browser.get('/reservation-details')
    expect(summary.data.rows).toContainEqual(
      expect.objectContaining({
        label: 'Move-in date',
        value: 'Sunday, 11/22/2026',
        change: '/reservation-date',
      }),
    )
    expect(summary.data.person).toContainEqual({ label: 'Name', value: "Rae O'Neill", change: '/add-contact' })
    expect(await reservations()).toHaveLength(0)
    expect((await browser.post('/reservation-details')).to).toBe('/reservation-confirmed')
    const [reservation] = await reservations()
    expect((await browser.get('/reservation-confirmed')).data).toMatchObject({
      code: reservation?.reservation_code,
      unit: reservation?.unit_number,
      heldUntil: 'the end of Sunday, 11/22/2026',
      // The summary shows the price on the chosen day, and nothing to pay today.
      chrome: {
        summary: { totalLabel: 'At move-\u2060in, 11/22/2026', freeToday: true },
        hold: { text: 'the end of 11/22/2026' },
      },
      renter: { name: "Rae O'Neill", phone: '(404) 555-0147' },
    })
    const sentence = 'your lease and rent then start today'
    const confirmed = (await browser.get('/reservation-confirmed')).html()
    expect(confirmed).toContain(sentence)
    for (const words of [confirmed, sitePageTexts.faq]) expect(words).toContain('about ten minutes')
    services.clock.advance(2 * 86_400_000)
    expect((await browser.get('/reservation-confirmed')).html()).not.toContain(sentence)
    await browser.post('/reservation-details')
    expect(await reservations()).toHaveLength(1)
    expect(await jobs('reservation_confirmed')).toHaveLength(1)
    expect((await browser.post('/reservation-confirmed')).to).toBe('/vehicle')
  })

  it('prices the move-in from today, from its first page on, whatever day was reserved', async () => {
    await browser.toDetails()
    await browser.post('/reservation-details')
    await browser.post('/reservation-confirmed')
    const first = (await browser.get('/vehicle')).data.chrome.summary
    expect(first).toMatchObject({ totalLabel: 'Due today', subtitle: expect.stringContaining('moving in today') })
    await browser.post('/vehicle', { answer: 'no' })
    expect((await browser.get('/lien-holder')).data.chrome.summary).toEqual(first)
  })

  it('creates one reservation from two concurrent presses', async () => {
    await browser.toDetails()
    const responses = await Promise.all([1, 2].map(() => browser.post('/reservation-details')))
    expect(responses.map((response) => response.to)).toEqual(['/reservation-confirmed', '/reservation-confirmed'])
    expect(await reservations()).toHaveLength(1)
  })

  it('refuses a date outside the window and keeps the input', async () => {
    await browser.startRental()
    for (const move_in_date of ['11/19/2026', '12/04/2026']) {
      const answer = await browser.post('/reservation-date', { move_in_date })
      expect(answer).toMatchObject({
        status: 400,
        data: { fields: { move_in_date: dateOutsideWindow('11/20/2026', '12/03/2026') }, typed: move_in_date },
      })
    }
    const nonsense = await browser.post('/reservation-date', { move_in_date: '02/30/2027' })
    expect(nonsense.data.fields.move_in_date).toBe(invalidDate)
  })

  it('refuses invalid contact fields with a message for each and keeps the input', async () => {
    await browser.startRental()
    await browser.post('/reservation-date', { move_in_date: '11/22/2026' })
    const invalidForm = {
      ...contactFormValues,
      first: 'Rae\r\nBcc: all@example.com',
      last: 'x'.repeat(10_000),
      email: 'rae@',
      cell_phone: '404-555-01',
      address: '',
      state: 'ZZ',
      zip: '3030',
    }
    const answer = await browser.post('/add-contact', invalidForm)
    expect(answer).toMatchObject({ status: 400, data: { values: invalidForm } })
    expect(answer.data.fields).toEqual({
      first: plainTextOnly('First Name'),
      last: tooLong('Last Name', 60),
      email: emailIncorrect,
      cell_phone: phoneTenDigits,
      address: required('Address'),
      state: stateInvalid,
      zip: zipFiveDigits,
    })
    expect((await browser.post('/add-contact')).status).toBe(400)
    const odd = await browser.post('/add-contact', { ...contactFormValues, first: '🦝 <b>Rae</b>' })
    expect(odd.to).toBe('/reservation-details')
  })

  it('asks before continuing as an existing tenant, then reveals and changes none of their data', async () => {
    await browser.startRental()
    await browser.post('/reservation-date', { move_in_date: '11/22/2026' })
    const before = await tenant(1001)
    const form = { ...contactFormValues, last: before.last, cell_phone: before.cell_phone, email: 'ADA@example.com' }
    const question = await browser.post('/add-contact', form)
    expect(question).toMatchObject({ to: '', data: { ask: 'ADA@example.com', values: form } })
    // Yes for one address does not count for another.
    const other = await browser.post('/add-contact', {
      ...form,
      email: 'cy@example.com',
      continue_as: 'ada@example.com',
    })
    expect(other.data.ask).toBe('cy@example.com')
    const yes = await browser.post('/add-contact', { ...form, continue_as: 'ADA@example.com' })
    expect(yes.to).toBe('/reservation-details')
    await browser.post('/reservation-details')
    expect(await reservations()).toMatchObject([{ tenant_id: 1001 }])
    expect(await tenant(1001)).toEqual(before)
    const confirmation = await browser.get('/reservation-confirmed')
    expect(confirmation.data.renter).toMatchObject({ name: 'Rae Byrne' })
    expect(JSON.stringify(confirmation.data)).not.toContain('Ada')
  })

  it('rents now from the contact form through the designated agent to the move-in', async () => {
    expect((await browser.startRental('?rentNow=1')).to).toBe('/add-contact?rentNow=1')
    expect((await browser.get('/add-contact?rentNow=1')).data).toMatchObject({
      rentNow: true,
      asksAgent: true,
    })
    const sent = await browser.post('/add-contact?rentNow=1', { ...contactFormValues, designated_agent: '1' })
    expect(sent.to).toBe('/designated-agent')
    expect(await reservations()).toMatchObject([{ required_date: '2026-11-20' }])
    const response = await browser.post('/designated-agent', { ...designatedAgentForm, agent_email: 'bo' })
    expect(response.data.fields).toEqual({ agent_email: emailIncorrect })
    expect((await browser.post('/designated-agent', designatedAgentForm)).to).toBe('/vehicle')
    expect((await browser.startRental('?rentNow=1')).to).toBe('/vehicle')
    expect(await reservations()).toHaveLength(1)
  })

  it('reserves at once for a signed-in tenant who rents now, but not from another site’s link', async () => {
    const ada = new Browser(services, asAda)
    const lured = await ada.get('/rent/GA1/1?rentNow=1', { 'sec-fetch-site': 'cross-site' })
    expect(lured.to).toBe('/reservation-details')
    expect(await reservations()).toHaveLength(0)
    expect((await ada.startRental('?rentNow=1')).to).toBe('/designated-agent')
    expect(await reservations()).toMatchObject([{ tenant_id: 1001, required_date: '2026-11-20' }])
  })

  it('advises the renter when the network’s limit of reservations is reached', async () => {
    const key = 'taken:reservation:GA1:198.51.100.1'
    const spent = { key, points: 10, expires_at: services.clock.now() + 1000 }
    await browser.toDetails(contactFormValues)
    await services.db.write.insertInto('limits').values(spent).execute()
    const failed = await browser.post('/reservation-details')
    expect(failed.data.failed).toBe(tooManyReservations('(404) 555-0199'))
    expect(await reservations()).toHaveLength(0)
    services.clock.advance(1000)
    expect((await browser.post('/reservation-details')).to).toBe('/reservation-confirmed')
  })

  it('stops a visitor who starts draft after draft, with or without a cookie, but keeps the current one', async () => {
    const browser = new Browser(services, visitor('203.0.113.9'))
    for (let index = 0; index < 120; index += 1)
      expect((await browser.startRental('', 1 + (index % 2))).to).toBe('/reservation-date')
    const stopped = await browser.startRental()
    expect(stopped.status).toBe(429)
    expect(stopped.data).toMatchObject({ title: tooManyDraftsTitle, sentence: tooManyDrafts })
    expect((await browser.startRental('', 2)).to).toBe('/reservation-date')
    expect((await new Browser(services, visitor('203.0.113.9')).startRental()).status).toBe(429)
    expect((await new Browser(services, visitor('203.0.113.77')).startRental()).to).toBe('/reservation-date')
    const { length } = await recordsOf(services, 'rental_drafts')
    expect(length).toBe(121)
  })

  it('reports a unit type that is no longer available, before and after the form', async () => {
    const late = new Browser(services)
    await late.toDetails({ ...contactFormValues, email: 'late@example.com' }, 2)
    await browser.reserve(contactFormValues, 2)
    expect((await new Browser(services).startRental('', 2)).data).toMatchObject({
      title: unitTypeUnavailableTitle,
      sentence: unitTypeUnavailable,
      back: { href: '/storage-units/ga/atlanta/1-depot-street' },
    })
    const failed = await late.post('/reservation-details')
    expect(failed.data.failed).toBe(unitsGone('(404) 555-0199'))
    for (const [type, location] of [
      ['9', 'GA1'],
      ['1', 'HQ'],
      ['1', 'NOPE'],
      ['1%00', 'GA1'],
      ['1', '%00'],
    ] as const)
      expect((await new Browser(services).get(`/rent/${location}/${type}`)).status, `${location}/${type}`).toBe(404)
  })

  it('does not reserve the unit selected in another tab', async () => {
    await browser.toDetails()
    const { unit } = (await browser.get('/reservation-details')).data
    await browser.startRental('', 3)
    await browser.post('/reservation-date', { move_in_date: '11/23/2026' })
    const stale = await browser.post('/reservation-details', { unit })
    expect(stale.to).toBe('/reservation-details')
    expect(browser.alert).toBe('changedElsewhere')
    expect(await reservations()).toHaveLength(0)
  })

  it('starts over with the contact kept after a hold has expired', async () => {
    await browser.reserve()
    services.clock.set(Date.parse('2026-11-23T17:00:00Z'))
    expect((await browser.get('/reservation-confirmed')).to).toBe('/storage-units/ga/atlanta/1-depot-street')
    expect(browser.alert).toBe('holdExpired')
    expect((await browser.startRental()).to).toBe('/reservation-date')
    await browser.post('/reservation-date', { move_in_date: '11/24/2026' })
    expect((await browser.get('/add-contact')).data.typed).toMatchObject({ email: 'rae@example.com' })
    await browser.post('/add-contact', contactFormValues)
    await browser.post('/reservation-details')
    services.clock.set(Date.parse('2026-11-26T17:00:00Z'))
    await browser.get('/reservation-confirmed')
    expect((await browser.startRental('?rentNow=1', 3)).to).toBe('/add-contact?rentNow=1')
    expect((await browser.get('/add-contact?rentNow=1')).data.typed).toMatchObject({ first: 'Rae' })
  })

  describe('finding a reservation again', () => {
    const reserveBefore = async () => {
      const code = await browser.reserve()
      services.clock.advance(60_000)
      return code
    }

    it('asks for state, location, name and digits and shows the match masked', async () => {
      await reserveBefore()
      const elsewhere = new Browser(services)
      const page = await elsewhere.get('/find-reservation')
      expect(page.data.states).toContainEqual({ code: 'GA', name: 'Georgia', facilities: 1 })
      expect((await elsewhere.get('/find-reservation?state=ga')).data.places).toMatchObject([{ code: 'GA1' }])
      expect((await elsewhere.findReservation({ ...reservationLookupForm, last_name: '' })).data.fields).toEqual({
        last_name: lastNameRequired,
      })
      expect((await elsewhere.findReservation({ ...reservationLookupForm, phone_last_four: '9999' })).to).toBe(
        '/reservation-not-found?location=GA1&by=name',
      )
      expect((await elsewhere.findReservation()).to).toBe('/reservation-confirmed')
      const confirmation = (await elsewhere.get('/reservation-confirmed')).data
      // The code would open more than a name and four digits do.
      expect(confirmation).toMatchObject({
        code: '',
        renter: { name: 'R*** O***', email: 'r***@e***', phone: '******0147' },
      })
      expect(confirmation.chrome.back).toBe('/find-reservation')
      // A session that found the reservation by names can neither move its date nor overwrite its contact data.
      expect((await elsewhere.get('/reservation-date')).to).toBe('/reservation-confirmed')
      expect((await elsewhere.post('/reservation-details')).to).toBe('/reservation-confirmed')
      expect((await elsewhere.get('/add-contact')).to).toBe('/reservation-confirmed')
    })

    it('asks for correct information when the form has an invalid facility code', async () => {
      await reserveBefore()
      const elsewhere = new Browser(services)
      // The page cannot send these: its facility comes from its own list.
      const answers = [
        { ...reservationLookupForm, location_code: "GA1'--" },
        { ...reservationLookupForm, location_code: 'x'.repeat(300) },
      ]
      for (const altered of answers) {
        const { status, data } = await elsewhere.findReservation(altered)
        expect([status, data.fields.form], altered.location_code).toEqual([400, lookupFailed])
        expect(data.values.last_name).toBe("O'NEILL")
      }
      expect(elsewhere.ids).toEqual({})
    })

    it('asks only for missing contact fields', async () => {
      await reserveBefore()
      // The reservation looks like an imported one.
      await services.db.write.deleteFrom('rental_drafts').execute()
      await change(services, 'tenants', { last: "O'Neill" }, { email: '', email_key: '', zip: '' })
      const elsewhere = new Browser(services)
      expect((await elsewhere.findReservation()).to).toBe('/add-contact#reserved')
      expect((await elsewhere.get('/add-contact')).data.onFile).toMatchObject({
        first: 'R***',
        email: '',
        zip: '',
      })
      const response = await elsewhere.post('/add-contact', { email: 'new@example.com' })
      expect(response).toMatchObject({ status: 400, data: { fields: { zip: zipFiveDigits } } })
      const sent = await elsewhere.post('/add-contact', {
        email: 'new@example.com',
        zip: '30309',
        first: 'Mallory',
      })
      expect(sent.to).toBe('/reservation-confirmed')
      const [reservation] = await reservations()
      expect(await tenant(reservation?.tenant_id as number)).toMatchObject({
        first: 'Rae',
        email: 'new@example.com',
        zip: '30309',
      })
    })

    it('opens the mailed link on another device, and keeps the draft of the browser that reserved', async () => {
      const code = await reserveBefore()
      const { uuid } = await recordOf(services, 'prospects')
      const path = `/reservation/${uuid}`
      const phone = new Browser(services)
      // Fetching the link, as previews and scanners do, starts no session.
      expect(await phone.get(path)).toMatchObject({ to: '', status: 200 })
      expect(phone.ids).toEqual({})
      expect((await phone.get(`${path}?open=1`)).to).toBe('/reservation-confirmed')
      expect((await phone.get('/reservation-confirmed')).data.code).toBe(code)
      const { draftId } = browser.ids
      await browser.get(`${path}?open=1`)
      expect(browser.ids.draftId).toBe(draftId)
      for (const unknownUuid of ['abc', '00000000-0000-4000-8000-000000000000']) {
        expect((await phone.get(`/reservation/${unknownUuid}?open=1`)).to).toBe('/reservation-not-found')
      }
    })

    it('says after too many links that there were too many tries, and not that the reservation was not found', async () => {
      await reserveBefore()
      const { uuid } = await recordOf(services, 'prospects')
      let answer = await browser.get(`/reservation/${uuid}?open=1`)
      for (let attempt = 0; attempt < 60 && answer.status !== 429; attempt += 1)
        answer = await browser.get(`/reservation/${uuid}?open=1`)
      expect(answer).toMatchObject({ to: '', status: 429 })
      const html = answer.html()
      expect(html).toContain('Too many tries. Please try again in')
      expect(html).toContain(`href="/reservation/${uuid}"`)
    })

    it('recognizes the link of a rented unit in the renter’s browser and in any other', async () => {
      await reserveBefore()
      const { uuid } = await recordOf(services, 'prospects')
      await change(services, 'reservations', {}, { status: 'completed', lease_number: 10001 })
      const open = (visitorBrowser: Browser) => visitorBrowser.get(`/reservation/${uuid}?open=1`)
      expect((await open(browser)).to).toBe('/rental-completed')
      const phone = new Browser(services)
      const { to } = await open(phone)
      expect(to).toBe('/reservation-not-found?location=GA1&rented=1')
      expect(phone.ids).toEqual({})
      expect((await phone.get(to)).data.why).toBe('The unit of this reservation has been rented')
    })

    it('keeps Georgia’s designated agent on another device without revealing the name', async () => {
      const code = await reserveBefore()
      const agent = {
        agent_name: 'Percy Quill',
        agent_email: 'percy@example.com',
        agent_address: '9 Larch Way',
        agent_city: 'Macon',
        agent_state: 'GA',
        agent_zip: '31201',
      }
      const own = (await loadDraft(services, browser.ids.draftId as string)) as Draft
      const contact = { ...(own.answers.contact as Contact), designated_agent: true }
      expect(await saveAnswers(services, own, { contact, wantsAgent: true, designatedAgent: agent })).toMatchObject({
        ok: true,
      })
      const phone = new Browser(services)
      await phone.get(`/reservation?rescode=${code}&site=GA1&open=1`)
      const onFile = (await phone.get('/designated-agent')).html()
      expect(onFile).toContain('We show it only to the browser it was given in.')
      expect(onFile).not.toMatch(/Quill|the link in your mail/)
      const foundDraft = (await loadDraftOfSession(services, phone.ids.draftId as string)) as Draft
      const { sections } = await previewLease(services, foundDraft)
      const words = JSON.stringify(sections)
      expect(words).toContain('P***')
      expect(words).not.toMatch(/Quill|percy|Larch/)
    })

    it('opens by code, and asks for name and digits where the code could be guessed', async () => {
      const code = await reserveBefore()
      const at = (rescode: string) => `/reservation?rescode=${encodeURIComponent(rescode)}&site=GA1&open=1`
      expect((await new Browser(services).get(at(code))).to).toBe('/reservation-confirmed')
      expect((await new Browser(services).get('/reservation?open=1')).to).toBe('/reservation-not-found')
      const guesser = new Browser(services)
      let late = await guesser.get(at('WRONGCODE0'))
      for (let guess = 1; late.status !== 429 && guess < 40; guess += 1) {
        late = await guesser.get(at(`WRONGCODE${guess}`))
      }
      expect(late).toMatchObject({ status: 429, data: { ask: false, late: expect.stringContaining('Too many tries') } })
      await services.db.write.deleteFrom('limits').execute()
      await change(services, 'reservations', {}, { reservation_code: '1001' })
      const elsewhere = new Browser(services)
      expect((await elsewhere.get(at('1001'))).data.ask).toBe(true)
      const proof = { last_name: "o'neill", phone_last_four: '0147' }
      expect((await elsewhere.post(at('1001'), { ...proof, phone_last_four: '1' })).status).toBe(400)
      expect((await elsewhere.post(at('1001'), { ...proof, phone_last_four: '1111' })).to).toBe(
        '/reservation-not-found?location=GA1',
      )
      expect((await elsewhere.post(at('1001'), proof)).to).toBe('/reservation-confirmed')
    })
  })
})

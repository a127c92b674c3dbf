/** What a claim to be somebody gives a browser, and what guessing at one costs. */
import { beforeEach, expect, it } from 'vitest'
import { signIn } from '../../modules/accounts/sessions.ts'
import { previewLease } from '../../modules/move-in/sign-lease.ts'
import { openPayingHouse, type PayingHouse, plainAnswers, tillForTests } from '../../modules/payments/testing.ts'
import { draftOfSession, saveAnswers } from '../../modules/reservations/draft.ts'
import type { Draft } from '../../modules/reservations/draft-facts.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { contact, visitor } from '../../tests/support/small-operator.ts'
import * as logOut from '../account/log-out.tsx'
import { enterAccount } from '../account/signing-in.ts'
import * as question from '../move-in/question.tsx'
import { contextOf } from '../request/context.ts'
import { Browser } from '../testing.ts'
import * as addContact from './add-contact.tsx'
import * as designatedAgent from './designated-agent.tsx'
import * as findReservation from './find-reservation.tsx'
import * as link from './reservation-link.tsx'
import * as unitLoading from './unit-loading.tsx'

const { till, folder } = tillForTests('claims')

const { active_military: _, designated_agent: __, ...typed } = contact

const agent = {
  agent_name: 'Bo Agent',
  agent_email: 'bo@example.com',
  agent_address: '1 A Street',
  agent_state: 'GA',
  agent_city: 'Macon',
  agent_zip: '31201',
}

class Renter extends Browser {
  see = (page: { loader: unknown }, path: string, params = {}) => this.ask(page.loader, { path, params })
  send = (page: { action: unknown }, path: string, form: Record<string, string> = {}) =>
    this.ask(page.action, { path, form })
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
  let services: PayingHouse
  beforeEach(async () => {
    services = await openPayingHouse(await open(), till, folder)
  })
  const ada = () =>
    services.db.read.selectFrom('tenants').selectAll().where('tenant_id', '=', 1001).executeTakeFirstOrThrow()
  const uuid = async () =>
    (await services.db.read.selectFrom('prospects').select('uuid').executeTakeFirstOrThrow()).uuid

  const rentNow = async (renter: Renter, form: Record<string, string>) => {
    if (!renter.ids.draftId)
      await renter.see(unitLoading, '/rent/GA1/1?rentNow=1', { locationCode: 'GA1', unitTypeId: '1' })
    return renter.send(addContact, '/add-contact?rentNow=1', { ...form, continue_as: form.email ?? '' })
  }
  const tenantOfReservation = async () =>
    (await services.db.read.selectFrom('reservations').select('tenant_id').executeTakeFirstOrThrow()).tenant_id
  const mails = async () => {
    await services.sendMail()
    const rows = await services.db.read
      .selectFrom('mailbox')
      .select(['recipient', 'text'])
      .orderBy('created_at')
      .execute()
    return rows.filter((row) => row.text.includes('/reservation/'))
  }

  it('by signing in keeps a rental come back to by link, though the browser that began it has logged out', async () => {
    const first = new Renter(services)
    await rentNow(first, { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone: (await ada()).cell_phone })
    for (const leaves of ['before', 'after']) {
      const second = new Renter(services)
      const opened = await second.see(link, `/reservation/${await uuid()}?open=1`, { uuid: await uuid() })
      expect(opened.to).toBe('/vehicle')
      const stale = new Renter(services, { ...second.ids })
      if (leaves === 'before') await first.send(logOut, '/log-out')
      await second.signsIn(await signIn(services.db.write, services, 'ada', visitor()))
      await first.send(logOut, '/log-out')
      expect((await second.see(question, '/vehicle')).status).toBe(200)
      // A copy of the cookie from before the sign-in leads nowhere.
      expect((await stale.see(question, '/vehicle')).to).toBe('/')
      await second.send(logOut, '/log-out')
      expect((await second.see(question, '/vehicle')).to).toBe('/')
    }
  })

  it('to be the tenant on file is compared ten times in a quarter of an hour, and the eleventh looks no different', async () => {
    const { cell_phone } = await ada()
    const right = { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone }
    const renter = new Renter(services)
    for (let at = 0; at < 10; at += 1) {
      const wrong = await rentNow(renter, { ...right, cell_phone: `404555700${at}` })
      expect(wrong.to).toBe('/vehicle')
    }
    expect((await rentNow(renter, right)).to).toBe('/vehicle')
    expect(await tenantOfReservation()).not.toBe(1001)
    services.clock.advance(15 * 60_000)
    expect((await rentNow(renter, right)).to).toBe('/vehicle')
    expect(await tenantOfReservation()).toBe(1001)
  })

  it('to be the tenant on file hides in the lease nothing of the agent whom this browser has named', async () => {
    const { cell_phone } = await ada()
    const renter = new Renter(services)
    const right = { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone, designated_agent: '1' }
    expect((await rentNow(renter, right)).to).toBe('/designated-agent')
    expect((await renter.send(designatedAgent, '/designated-agent', agent)).to).toBe('/vehicle')
    const draft = await draftOfSession(services, renter.ids.draftId ?? '')
    if (!draft) throw new Error('There is no draft')
    const answered = await saveAnswers(services, draft, plainAnswers)
    if (!answered.ok) throw new Error(answered.why)
    const lease = async (of: Draft) => JSON.stringify((await previewLease(services, of)).sections)
    expect(await lease(answered.draft)).toContain('Bo Agent')
    expect(await lease(answered.draft)).not.toContain((await ada()).address)
    expect(await lease({ ...answered.draft, proof: 'link' })).not.toContain('Bo Agent')
  })

  it('a corrected e-mail address gets the mail, and the link that the wrong one has opens nothing', async () => {
    const renter = new Renter(services)
    await rentNow(renter, { ...typed, email: 'tpyo@example.com' })
    const wrong = await uuid()
    await mails()
    services.clock.advance(60_000)
    await rentNow(renter, typed)
    await rentNow(renter, { ...typed, first: 'Rachel' })
    const sent = await mails()
    expect(sent.map((mail) => mail.recipient)).toEqual(['tpyo@example.com', typed.email])
    const other = new Renter(services)
    const opened = await other.see(link, `/reservation/${wrong}?open=1`, { uuid: wrong })
    expect(opened.to).toBe('/reservation-not-found')
    expect(sent[1]?.text).toContain(await uuid())
    expect((await other.see(link, `/reservation/${await uuid()}?open=1`, { uuid: await uuid() })).to).toBe('/vehicle')
    // Nobody's mailboxes are filled by correcting on and on.
    for (let at = 0; at < 10; at += 1) await rentNow(renter, { ...typed, email: `other${at}@example.com` })
    expect(await mails()).toHaveLength(6)
  })

  it('an e-mail address that a found reservation lacked gets the mail that the form promises', async () => {
    await rentNow(new Renter(services), typed)
    await mails()
    await services.db.write
      .updateTable('tenants')
      .set({ email: '', email_key: '' })
      .where('tenant_id', '!=', 1001)
      .execute()
    await services.db.write.updateTable('prospects').set({ email_address: '' }).execute()
    await services.db.write.deleteFrom('mailbox').execute()
    await services.db.write.deleteFrom('rental_drafts').execute()
    const renter = new Renter(services)
    const found = await renter.send(findReservation, '/find-reservation?state=GA&location=GA1', {
      location_code: 'GA1',
      last_name: typed.last,
      phone_last_four: '0147',
    })
    expect(found.to).toBe('/add-contact#reserved')
    await renter.send(addContact, '/add-contact', { email: 'found@example.com' })
    expect((await mails()).map((mail) => mail.recipient)).toEqual(['found@example.com'])
  })
})

/** What a claim to be somebody gives a browser, and what guessing at one costs. */
import { beforeEach, expect, it } from 'vitest'
import { signIn } from '../../modules/accounts/sessions.ts'
import { previewLease } from '../../modules/move-in/sign-lease.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { plainAnswers } from '../../modules/payments/testing-renter.ts'
import { tillForTests } from '../../modules/payments/testing-till.ts'
import { draftOfSession, saveAnswers } from '../../modules/reservations/draft.ts'
import type { Draft } from '../../modules/reservations/draft-facts.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { enterAccount } from '../account/signing-in.ts'
import { contextOf } from '../request/context.ts'
import { agent, Renter, typed } from './testing.ts'

const { till, folder } = tillForTests('claims')

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
    if (!renter.ids.draftId) await renter.begin('?rentNow=1')
    return renter.post('/add-contact?rentNow=1', { ...form, continue_as: form.email ?? '' })
  }
  const tenantOfReservation = async () => (await recordOf(services, 'reservations')).tenant_id
  const mails = async () => {
    await services.sendMail()
    const sent = (await recordsOf(services, 'mailbox')).sort((a, b) => a.created_at - b.created_at)
    return sent.filter(({ text }) => text.includes('/reservation/'))
  }

  it('by signing in keeps a rental come back to by link, though the browser that began it has logged out', async () => {
    const first = new Visitor(services)
    await rentNow(first, { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone: (await ada()).cell_phone })
    for (const leaves of ['before', 'after']) {
      const second = new Visitor(services)
      const opened = await second.get(`/reservation/${await uuid()}?open=1`)
      expect(opened.to).toBe('/vehicle')
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

  it('to be the tenant on file is compared ten times in a quarter of an hour, and the eleventh looks no different', async () => {
    const { cell_phone } = await ada()
    const right = { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone }
    const renter = new Visitor(services)
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
    const renter = new Visitor(services)
    const right = { ...typed, last: 'Byrne', email: 'ada@example.com', cell_phone, designated_agent: '1' }
    expect((await rentNow(renter, right)).to).toBe('/designated-agent')
    expect((await renter.post('/designated-agent', agent)).to).toBe('/vehicle')
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
    const renter = new Visitor(services)
    await rentNow(renter, { ...typed, email: 'tpyo@example.com' })
    const wrong = await uuid()
    await mails()
    services.clock.advance(60_000)
    await rentNow(renter, typed)
    await rentNow(renter, { ...typed, first: 'Rachel' })
    const sent = await mails()
    expect(sent.map((mail) => mail.recipient)).toEqual(['tpyo@example.com', typed.email])
    const other = new Visitor(services)
    const opened = await other.get(`/reservation/${wrong}?open=1`)
    expect(opened.to).toBe('/reservation-not-found')
    expect(sent[1]?.text).toContain(await uuid())
    expect((await other.get(`/reservation/${await uuid()}?open=1`)).to).toBe('/vehicle')
    for (let at = 0; at < 10; at += 1) await rentNow(renter, { ...typed, email: `other${at}@example.com` })
    expect(await mails()).toHaveLength(6)
  })

  it('an e-mail address that a found reservation lacked gets the mail that the form promises', async () => {
    await rentNow(new Visitor(services), typed)
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
    const found = await renter.find()
    expect(found.to).toBe('/add-contact#reserved')
    await renter.post('/add-contact', { email: 'found@example.com' })
    expect((await mails()).map((mail) => mail.recipient)).toEqual(['found@example.com'])
  })
})

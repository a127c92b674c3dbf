import { createHmac } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { createMailbox } from '../../modules/messages/development-mailbox.ts'
import { contactTextConsent, ownTextConsent } from '../../modules/messages/texts/sms-consent.ts'
import { capturedSms } from '../../ports/sms/captured.ts'
import { httpSms } from '../../ports/sms/http.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { createTestSite } from '../../tests/support/site.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { signedInStaff } from '../office/testing.ts'
import { contactFormValues, Renter } from '../reserve/testing.ts'
import { Browser, createSignInToken } from '../testing.ts'

const adasPhone = '4045550111'
const file = '/office/tenants/GA1/1001'

describeOnBothEngines('Text messages', (open) => {
  let services: TestServices
  let ada: Browser
  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    const { readReply } = httpSms({ url: 'http://127.0.0.1:1', key: 'sms-key', from: '4045550100', form: 'json' })
    const captured = capturedSms({ mailbox: createMailbox(services.db), clock: services.clock })
    services.sms = { send: captured.send, readReply }
    ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
  })

  const reply = async (text: string) => {
    services.clock.advance(1000)
    const body = JSON.stringify({ id: text, from: `+1${adasPhone}`, text })
    const headers = { 'X-Signature': `sha256=${createHmac('sha256', 'sms-key').update(body).digest('hex')}` }
    expect((await createTestSite(services).request('/texts/reply', { method: 'POST', body, headers })).status).toBe(200)
  }
  const profile = async () => (await ada.get('/account-profile')).html()
  const choose = async (texts: 'on' | 'off') => {
    services.clock.advance(1000)
    await ada.post('/account-profile', { intent: 'texts', texts })
    return ada.alert
  }
  /** Returns whether a gate code requested by phone number is sent as a text message. */
  const isTexted = async () => {
    services.clock.advance(11 * 60_000)
    const before = (await recordsOf(services, 'mailbox', { channel: 'sms' })).length
    await new Browser(services).post('/find-gate-code', { contact: adasPhone })
    await runDueMessageJobs(services)
    return (await recordsOf(services, 'mailbox', { channel: 'sms' })).length > before
  }

  it('are turned off and on in the profile, which shows the consent wording', async () => {
    expect(await isTexted()).toBe(true)
    expect(await profile()).toContain('Turn texts off')
    expect(await choose('off')).toBe('textsTurnedOff')
    expect(await isTexted()).toBe(false)
    const off = await profile()
    expect(off).toContain('Turn texts on')
    expect(off).toContain(ownTextConsent)
    expect(await choose('on')).toBe('textsTurnedOn')
    expect(await isTexted()).toBe(true)
    const [agreed] = await recordsOf(services, 'text_choices', { asked_at: 'profile', choice: 'agreed' })
    expect(agreed).toMatchObject({ phone: adasPhone, wording: ownTextConsent })
  })

  it('are turned on again after STOP by START from the number, not in the profile', async () => {
    await isTexted()
    await reply('STOP')
    expect(await profile()).toContain('has asked for no more texts')
    expect(await choose('on')).toBe('textsTurnedOff')
    expect(await isTexted()).toBe(false)
    await reply('START')
    expect(await profile()).toContain('Turn texts off')
    expect(await isTexted()).toBe(true)
  })

  it('are ended in one click by staff with write access, with an audit event', async () => {
    const agent = await signedInStaff(services, 'agent')
    const auditor = await signedInStaff(services, 'auditor')
    await isTexted()
    expect((await agent.get(file)).html()).toContain('texts: agreed')
    expect((await auditor.get(file)).html()).not.toContain('No more texts')
    expect(await auditor.post(file, { intent: 'stop-texts' })).toMatchObject({ status: 403 })
    expect(await isTexted()).toBe(true)
    services.clock.advance(1000)
    expect(await agent.post(file, { intent: 'stop-texts' })).toMatchObject({ status: 302, to: file })
    expect(await isTexted()).toBe(false)
    const stopped = await recordOf(services, 'text_choices', { choice: 'stopped' })
    expect(stopped).toMatchObject({ phone: adasPhone, asked_at: 'office', staff_id: (await agent.caller()).staffId })
    expect(await recordOf(services, 'audit_events', { kind: 'texts.stopped' })).toMatchObject({ tenant_id: 1001 })
    const html = (await agent.get(file)).html()
    expect(html).toContain('no more texts')
    expect(html).toContain('ended text messages to their number')
    expect(await choose('on')).toBe('textsTurnedOff')
    expect(await profile()).toContain('has asked for no more texts')
  })

  it('offer nothing to change without a cell phone', async () => {
    await change(services, 'tenants', { location_code: 'GA1', tenant_id: 1001 }, { cell_phone: '' })
    const agent = await signedInStaff(services, 'agent')
    expect(await profile()).toContain('Add a cell phone')
    await choose('on')
    expect((await agent.get(file)).html()).not.toContain('No more texts')
    expect((await agent.post(file, { intent: 'stop-texts' })).status).toBe(409)
    expect(await recordsOf(services, 'text_choices', {})).toEqual([])
  })

  it.each([
    ['/add-contact?rentNow=1', '?rentNow=1'],
    ['/add-contact', ''],
  ])('need a box ticked on the contact page (%s), which is not ticked in advance', async (path, query) => {
    const rent = async (form: Record<string, string>) => {
      const renter = new Renter(services)
      await renter.startRental(query)
      if (query === '') await renter.post('/reservation-date', { move_in_date: '11/21/2026' })
      const html = (await renter.get(path)).html()
      const box = /<input[^>]*name="texts"[^>]*>/.exec(html)?.[0]
      expect(html).toContain(contactTextConsent)
      expect(box).not.toContain('checked')
      const answer = await renter.post(path, { ...contactFormValues, ...form })
      expect(answer.status).toBe(302)
      // Consent that was given in this rental is not asked for again.
      expect((await renter.get(path)).html().includes('name="texts"')).toBe(form.texts !== '1')
      return recordsOf(services, 'text_choices', {})
    }
    expect(await rent({ email: 'silent@example.com', cell_phone: '404-555-0181' })).toEqual([])
    expect(await rent({ email: 'texts@example.com', cell_phone: '404-555-0182', texts: '1' })).toMatchObject([
      { phone: '4045550182', choice: 'agreed', asked_at: 'rental', wording: contactTextConsent },
    ])
  })
})

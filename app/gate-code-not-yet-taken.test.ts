import { beforeEach, expect, it } from 'vitest'
import { handleGateContact } from '../modules/gate/answer-gate-list-pull.ts'
import { syncGates } from '../modules/gate/refresh-stored-gate-lists.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import { storeCodesRefusedByController } from '../modules/gate/store-codes-refused-by-controller.ts'
import { watchGates } from '../modules/gate/watch-gates.ts'
import { createMailbox } from '../modules/messages/development-mailbox.ts'
import { capturedSms } from '../ports/sms/captured.ts'
import { runDueMessageJobs } from '../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from './office/testing.ts'
import { Browser, createSignInToken, row, rows } from './testing.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const MINUTE = 60_000
const coming = 'Your code is being given to the gate: try it in a minute.'
const late = 'The gate has not taken your code yet. Call (404) 555-0199: we open it.'

describeOnBothEngines('What people read of a code that a gate has yet to take', (open) => {
  let services: TestServices
  let agent: StaffBrowser

  /** The gate of GA1 has taken the codes of Ada Byrne, unit 301, and of Cy Dorn, unit 302. */
  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    services.sms = capturedSms({ mailbox: createMailbox(services.db), clock: services.clock })
    agent = await signedInStaff(services, 'agent')
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    await takesAll()
    services.clock.advance(1)
  })

  const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
  const takesAll = async () => void (await contact(`"${(await contact())?.etag}"`))
  /** Gives Ada another code, which the gate has yet to take. */
  const changeCode = async () => {
    services.clock.advance(1000)
    const page = '/office/tenants/GA1/1001/gate'
    const { mark, formKey } = (await agent.get(page)).data
    const form = { made_from: mark, key: formKey, reason: 'Asked on the phone', intent: 'code', gate_code: '' }
    expect((await agent.post(page, form)).status).toBe(200)
    await syncGates(services, () => false)
  }
  /** Makes the change late: a minute after receiving the new list, the gate still names the version applied before. */
  const becomesLate = async () => {
    await contact()
    services.clock.advance(MINUTE + 1)
    const { epoch, applied_version } = await row(services, 'gates', { location_code: 'GA1' })
    await contact(`"${epoch}-${applied_version}"`)
  }
  /** Lets the gate's controller report that it cannot store Ada's code. */
  const refuses = async () => {
    const { gate_code } = await row(services, 'leases', { lease_number: 10001 })
    const { code_id } = await row(services, 'gate_wanted', { gate_code })
    await services.db.transaction((tx) =>
      storeCodesRefusedByController(tx, services, { locationCode: 'GA1' }, [{ id: code_id, why: 'in use' }]),
    )
  }
  /**
   * Requests the gate code by e-mail address and by phone number.
   * @returns texts of the mail and of the text message
   */
  const requestCode = async () => {
    services.clock.advance(11 * MINUTE)
    for (const contactText of ['ada@example.com', '4045550111'])
      await new Browser(services).post('/find-gate-code', { contact: contactText })
    const [mail] = await runDueMessageJobs(services)
    const texts = await rows(services, 'mailbox', { channel: 'sms', created_at: services.clock.now() })
    return [mail?.text ?? '', texts[0]?.text ?? '']
  }

  it('the mail with another code says that it is being given to the gate, or that the gate has not taken it', async () => {
    await changeCode()
    const [mail] = await runDueMessageJobs(services)
    expect(mail?.text).toContain(coming)
    await changeCode()
    await becomesLate()
    expect((await runDueMessageJobs(services))[0]?.text).toContain(late)
  })

  it('the mail and the text with the code that a tenant asks for say the same, with the number to call once', async () => {
    const [mail, text] = await requestCode()
    for (const message of [mail, text]) expect(message).not.toMatch(/being given|has not taken/)
    await changeCode()
    await becomesLate()
    const [lateMail, lateText = ''] = await requestCode()
    expect(lateMail).toContain(late)
    expect(lateText).toContain(late)
    expect(lateText.split('(404) 555-0199')).toHaveLength(2)
  })

  it('the mail names the unit whose code the gate lacks, where the gate has the code of the tenant’s other unit', async () => {
    const { balance: _, ...first } = await row(services, 'leases', { lease_number: 10001 })
    const second = { ...first, lease_number: 10003, unit_id: 4, unit_number: '201', gate_code: '603718' }
    const [code] = await rows(services, 'gate_codes', { tenant_id: 1001 })
    await services.db.write.insertInto('leases').values(second).execute()
    await services.db.write
      .insertInto('gate_codes')
      .values({ ...code, gate_code: '603718', lease_number: 10003 } as never)
      .execute()
    const [mail] = await requestCode()
    expect(mail).toContain(`Unit 201: ${late}`)
  })

  it('a tenant whose code the gate has taken after all gets a mail, unless the office has changed it meanwhile', async () => {
    await changeCode()
    await becomesLate()
    await watchGates(services, () => false)
    await runDueMessageJobs(services)
    await takesAll()
    await watchGates(services, () => false)
    await changeCode()
    const subjects = (await runDueMessageJobs(services)).map(({ subject }) => subject)
    expect(subjects).toEqual(['Your gate code at Storage GA1 has changed'])
    await takesAll()
    await changeCode()
    await becomesLate()
    await watchGates(services, () => false)
    await takesAll()
    await watchGates(services, () => false)
    const ready = (await runDueMessageJobs(services)).find(({ subject }) => subject.startsWith('Your gate code opens'))
    expect(ready?.text).toContain('had not taken your code. It has now.')
  })

  const words = async (browser: Browser, path: string) =>
    (await browser.get(path))
      .html()
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  const tenantPages = async () => {
    const ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
    return { home: await words(ada, '/my-units'), unit: await words(ada, '/unit-lease-details?lease=10001') }
  }
  /** Returns the text of the pages that show a tenant or the office the state of Ada's code. */
  const pages = async () => {
    return {
      ...(await tenantPages()),
      file: await words(agent, '/office/tenants/GA1/1001'),
      gate: await words(agent, '/office/tenants/GA1/1001/gate'),
      today: await words(agent, '/office'),
    }
  }
  const contains = (text: string) => expect.stringContaining(text)

  it('the pages say whether the gate is being given a code, is late in taking it or has it', async () => {
    await changeCode()
    expect(await pages()).toEqual({
      home: contains('Being given to the gate.'),
      unit: contains('Being given to the gate.'),
      file: contains('The code is being given to the gate.'),
      gate: contains('The code is being given to the gate.'),
      today: contains('Gate heard '),
    })
    await becomesLate()
    await watchGates(services, () => false)
    expect(await pages()).toEqual({
      home: contains(late),
      unit: contains(late),
      file: contains('The gate has not taken the code yet.'),
      gate: contains('The gate has not taken the code yet.'),
      today: contains('The gate has not taken the codes of: 301. Open it for who calls.'),
    })
    expect((await pages()).today).toContain('Gate heard, 1 code not taken')
    await takesAll()
    await watchGates(services, () => false)
    expect(await pages()).toEqual({
      home: contains('Opens now, until 9 PM.'),
      unit: contains('Opens now, until 9 PM.'),
      file: contains('The gate has the code.'),
      gate: contains('The gate has the code.'),
      today: expect.not.stringContaining('not taken'),
    })
  })

  it('pages without scripts load again by themselves while the gate is being given a code', async () => {
    const refresh = '<noscript><meta http-equiv="refresh" content="5"/></noscript>'
    const paths = ['/my-units', '/unit-lease-details?lease=10001']
    const ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
    await changeCode()
    for (const path of paths) expect((await ada.get(path)).html()).toContain(refresh)
    await takesAll()
    for (const path of paths) expect((await ada.get(path)).html()).not.toContain(refresh)
  })

  it('the pages say whether the gate opens now by the time zone that it has acknowledged', async () => {
    // 9:30 PM in New York, 8:30 PM in Chicago.
    services.clock.set(Date.parse('2026-11-21T02:30:00Z'))
    await takesAll()
    const closed = { home: contains('Opens tomorrow at 5 AM.'), unit: contains('Opens tomorrow at 5 AM.') }
    expect(await tenantPages()).toEqual(closed)
    const zone = { time_zone: 'America/Chicago' }
    await services.db.write.updateTable('locations').set(zone).where('location_code', '=', 'GA1').execute()
    expect(await tenantPages()).toEqual(closed)
    await syncGates(services, () => false)
    expect(await tenantPages()).toEqual(closed)
    await takesAll()
    const open = 'Opens now, until 9 PM.'
    expect(await tenantPages()).toEqual({ home: contains(open), unit: contains(open) })
  })

  it('the office’s pages say that the gate refuses a code, the tenant’s pages that it has not taken the code', async () => {
    await refuses()
    await watchGates(services, () => false)
    expect(await pages()).toEqual({
      home: contains(late),
      unit: contains(late),
      file: contains('The gate itself refuses this code: give another one.'),
      gate: contains('The gate itself refuses this code: give another one.'),
      today: contains('The gate refuses the code of 301: in use. Give another one.'),
    })
    expect((await pages()).today).toContain('Gate heard, 1 code refused')
  })

  it('Today distinguishes hours that the gate has not taken from codes', async () => {
    const later = Array.from({ length: 7 }, () => ['07:00', '18:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: later }))
    await becomesLate()
    const { today } = await pages()
    expect(today).toContain('Gate heard, hours not taken')
    await changeCode()
    await becomesLate()
    expect((await pages()).today).toContain('Gate heard, 1 code and hours not taken')
  })

  it('the number to call is the operator’s where the facility has none', async () => {
    await services.db.write.updateTable('locations').set({ phone: '' }).where('location_code', '=', 'GA1').execute()
    await refuses()
    const { home, unit } = await pages()
    for (const page of [home, unit]) expect(page).toContain('Call (404) 555-0100: we open it.')
  })
})

import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountExistsAskPassword, resetOver, unitAsOnLease } from '../../domain/texts/account.ts'
import { tenantLookup } from '../../modules/accounts/operations/find-tenant-for-registration.ts'
import { login as loginOperation } from '../../modules/accounts/operations/login.ts'
import { ValidatePasswordRequestIsExist } from '../../modules/accounts/operations/mail-password-reset-code.ts'
import { checkResetCode } from '../../modules/accounts/password-reset.ts'
import { createMailbox } from '../../modules/messages/development-mailbox.ts'
import { loadDraft } from '../../modules/reservations/draft.ts'
import { insertDraft } from '../../modules/reservations/insert-draft.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { capturedSms } from '../../ports/sms/captured.ts'
import { httpSms } from '../../ports/sms/http.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { createTestSite } from '../../tests/support/site.ts'
import { contact, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
import { findRefusalAdvice } from '../ui/refusal-advice-texts.ts'

class Visitor extends Browser {
  logIn = (form: Record<string, string>, query = '') => this.post(`/login${query}`, form)
  login = (query = '') => this.get(`/login${query}`)
  register = (form: Record<string, string>) => this.post('/register', form)
  create = (form: Record<string, string>) => this.post('/complete-register', form)
  forgot = (form: Record<string, string>) => this.post('/forgot', form)
  forgotStep = async () => (await this.get('/forgot')).data.step
  gateCode = (contact: string) => this.post('/find-gate-code', { contact })
  pay = (email: string) => this.post('/guest/find-email', { email })
}

const open = openerForTests()
let services: TestServices
let sent: { to: string; text: string }[]
let browser: Visitor

beforeEach(async () => {
  services = await openTestServices(await open())
  services.sms = capturedSms({ mailbox: createMailbox(services.db), clock: services.clock })
  sent = []
  browser = new Visitor(services)
})

const deliver = async () => void sent.push(...(await runDueMessageJobs(services)))

const ada = { username: 'ada@example.com', password: 'ada-secret' }
const securityAnswer = { question_id: '1', security_answer: 'Rex' }
const twice = (password: string) => ({ password, confirm_password: password })

it('refuses a form without a known intent with the page’s own message', async () => {
  const unreadable = { status: 400, data: { fields: { form: 'We could not read this form. Please try again.' } } }
  for (const form of [{ ...ada }, { ...ada, intent: '' }, { ...ada, intent: 'Login' }])
    expect(await browser.logIn(form)).toMatchObject(unreadable)
  expect(browser.ids.token).toBeUndefined()
  expect(await browser.forgot({ username: ada.username, intent: 'codes' })).toMatchObject(unreadable)
  expect(browser.ids.resetId).toBeUndefined()
  expect(await browser.register({ intent: 'invites', invite: 'forged' })).toMatchObject(unreadable)
  expect(browser.ids.registers).toBeUndefined()
})

describe('/login', () => {
  it('asks for the username, then the password, without revealing whether the account exists', async () => {
    expect((await browser.logIn({ intent: 'next', username: ' ' })).data.fields).toHaveProperty('username')
    const odd = ["x' or 1=1 --", '%', '_', 'É', '<b>', 'a'.repeat(200)]
    for (const username of [ada.username, 'nobody@example.com', ...odd]) {
      const answer = await browser.logIn({ intent: 'next', username })
      expect(answer).toMatchObject({ status: 200, data: { step: 'password', fields: {} } })
    }
    const wrong = await browser.logIn({ ...ada, intent: 'login', password: 'wrong' })
    const unknown = await browser.logIn({ intent: 'login', username: 'nobody', password: 'wrong' })
    expect(wrong.data.fields).toEqual({ password: 'Login failed. Please try again.' })
    expect([unknown.status, unknown.data.fields]).toEqual([wrong.status, wrong.data.fields])
  })

  it('returns to the requested page of this site and drops data of another identity', async () => {
    browser.ids = { guestToken: 'x', auction: 'y', orderId: 'z', resetId: 'r' }
    expect((await browser.logIn({ ...ada, intent: 'login' }, '?next=%2Frecent-activity')).to).toBe('/recent-activity')
    expect(Object.keys(browser.ids).sort()).toEqual(['known', 'token'])
    expect((await browser.login('?next=%2F%2Fevil')).to).toBe('/my-units')
  })

  it('lets a tenant of several facilities choose one and then opens the requested page', async () => {
    await change(services, 'tenants', { tenant_id: 1002 }, { account_id: 'ada' })
    expect((await browser.logIn({ ...ada, intent: 'login' }, '?next=%2Frecent-activity')).to).toBe('/login?choose=1')
    expect((await browser.login('?choose=1')).data.facilities).toEqual([
      { value: 'GA1:1001', label: 'Storage GA1, Ada Byrne, unit 301' },
      { value: 'GA1:1002', label: 'Storage GA1, Cy Dorn, unit 302' },
    ])
    expect((await browser.logIn({ intent: 'choose', at: 'HI1:1' })).to).toBe('/login')
    expect((await browser.logIn({ intent: 'choose', at: 'GA1:1002' })).to).toBe('/recent-activity')
    expect(browser.ids).toMatchObject({ at: 'GA1:1002' })
    const menu = (await browser.get('/recent-activity')).html()
    expect(menu).toContain('<option value="GA1:1002" selected="">Storage GA1, Cy Dorn, unit 302</option>')
    expect(browser.ids.next).toBeUndefined()
  })

  it('a cookie issued before sign-in gives no access afterwards', async () => {
    const draftInput = { locationCode: 'GA1', unitTypeId: 1, answers: { moveInDate: '2026-11-22' } }
    const chosen = await insertDraft(services.db.write, services, draftInput)
    browser.ids = { draftId: chosen.draftId }
    const planted = { ...browser.ids }
    await browser.logIn({ ...ada, intent: 'login' })
    expect(browser.ids.draftId).toMatch(/^[0-9a-f]{32}$/)
    expect(browser.ids.draftId).not.toBe(planted.draftId)
    const at = { address: '', agent: '' }
    expect((await loadSessionCallers(services, planted, at)).rental).toBeUndefined()
    expect((await loadSessionCallers(services, browser.ids, at)).rental).toMatchObject({ locationCode: 'GA1' })

    const before = { ...browser.ids }
    const found = await insertDraft(services.db.write, services, {
      ...draftInput,
      tenantId: 1002,
      reservationCode: 'R1',
    })
    browser.ids = { ...before, draftId: found.draftId }
    await browser.logIn({ ...ada, intent: 'login' })
    expect(browser.ids.draftId).toBeUndefined()
    expect((await loadSessionCallers(services, { token: before.token! }, at)).tenant).toBeUndefined()
  })

  it('keeps the chosen unit at sign-in but not another person’s answers', async () => {
    const answersFor = (email: string): Answers => ({
      moveInDate: '2026-11-22',
      contact: { ...contact, email } as never,
      activeMilitary: true,
      customerInfo: { drivers_license: '048213377', issued_state: 'GA' } as never,
    })
    const signedInAfter = async (email: string) => {
      const draft = await insertDraft(services.db.write, services, {
        locationCode: 'GA1',
        unitTypeId: 1,
        answers: answersFor(email),
      })
      browser.ids = { draftId: draft.draftId }
      await browser.logIn({ ...ada, intent: 'login' })
      return (await loadDraft(services, browser.ids.draftId ?? ''))?.answers
    }
    expect(await signedInAfter('rae@example.com')).toEqual({ moveInDate: '2026-11-22', rentNow: false })
    expect(await signedInAfter('Ada@example.com')).toMatchObject(answersFor('Ada@example.com'))
  })

  it('asks the tenant to wait while the facility is being taken over', async () => {
    await change(services, 'locations', { location_code: 'GA1' }, { coming_soon: 1 })
    const answer = await browser.logIn({ ...ada, intent: 'login' })
    expect(answer.data.fields.password).toMatch(/still in the process of migrating/)
  })

  it('a stranger’s attempts lock out strangers, not the owner’s browser, and a mailed link unlocks another browser', async () => {
    await browser.logIn({ ...ada, intent: 'login' })
    const own = { known: browser.ids.known ?? [] }
    for (let guess = 0; guess < 40; guess += 1) {
      await perform(
        services,
        loginOperation,
        { username: ada.username, password: `guess ${guess}` },
        visitor(`203.0.113.${guess}`),
      )
    }
    const stranger = await new Visitor(services).logIn({ ...ada, intent: 'login' })
    expect(stranger).toMatchObject({ status: 429, data: { locked: true } })
    expect((await new Visitor(services, own).logIn({ ...ada, intent: 'login' })).to).toBe('/my-units')

    const owner = await new Visitor(services).logIn({ intent: 'unlock', username: 'ada@example.com' })
    const unknown = await new Visitor(services).logIn({ intent: 'unlock', username: 'nobody' })
    expect([owner.status, owner.data.mailed]).toEqual([unknown.status, unknown.data.mailed])
    await deliver()
    expect(sent).toHaveLength(1)
    const [link] = /\/login\?unlock=\S+/.exec(sent[0]!.text) ?? []
    const elsewhere = new Visitor(services)
    // Opening the link, as mail scanners do, changes nothing.
    const { unlock } = (await elsewhere.login(link!.slice('/login'.length))).data
    expect((await elsewhere.logIn({ ...ada, intent: 'login' })).status).toBe(429)
    expect((await elsewhere.logIn({ intent: 'let in', unlock })).data).toMatchObject({
      letIn: true,
      username: ada.username,
    })
    expect((await elsewhere.logIn({ ...ada, intent: 'login' })).to).toBe('/my-units')
    expect((await new Visitor(services).logIn({ ...ada, intent: 'login' })).status).toBe(429)
    expect((await new Visitor(services).login('?unlock=forged')).data.unlock).toBe('')
    services.clock.advance(30 * 60_000)
    expect((await new Visitor(services).logIn({ intent: 'let in', unlock })).to).toBe('/login?unlock=')
  })
})

describe('/register', () => {
  const cy = { location_code: 'GA1', last_name: 'Dorn', last_4_digits_of_phone_number: '0122', unit_number: '302' }
  beforeEach(async () => {
    await change(services, 'tenants', { tenant_id: 1002 }, { account_id: null, grant_online_access: 0 })
    await services.db.write.deleteFrom('accounts').where('account_id', '=', 'cy').execute()
  })

  it.each([
    ['another name', { last_name: 'Byrne' }],
    ['other digits', { last_4_digits_of_phone_number: '0123' }],
    ['another unit', { unit_number: '301' }],
    ['SQL', { last_name: "x' or '1'='1" }],
    ['a wildcard', { last_name: '%' }],
    ['another facility', { location_code: 'HI1' }],
  ])('refuses %s with the same message and creates no account', async (_, change) => {
    const answer = await browser.register({ ...cy, ...change })
    expect(answer.data.fields.form).toBe('Please enter correct information.')
    expect((await browser.create({})).to).toBe('/register')
  })

  it('creates the account once, within half an hour, in the browser that entered the details', async () => {
    await browser.register(cy)
    const form = { ...securityAnswer, ...twice('rolling-door-47') }
    expect((await new Visitor(services).create(form)).to).toBe('/register')
    const late = new Visitor(services, { ...browser.ids })
    services.clock.advance(31 * 60_000)
    expect((await late.create(form)).to).toBe('/register')
    services.clock.advance(-31 * 60_000)
    expect((await browser.create({ ...form, ...twice('Password1') })).data.fields.password).toMatch(/tried first/)
    expect((await browser.create(form)).to).toBe('/my-units')
    expect((await browser.register(cy)).data.hasAccount).toBe(true)
    const cys = { intent: 'login', username: 'cy@example.com', password: form.password }
    expect((await new Visitor(services).logIn(cys)).to).toBe('/my-units')
  })

  it('adds the tenant to an existing account of the e-mail address after its password', async () => {
    await change(
      services,
      'accounts',
      { username: ada.username },
      { username: 'cy@example.com', email: 'cy@example.com' },
    )
    await browser.register(cy)
    expect((await browser.create({ ...securityAnswer, ...twice('rolling-door-47') })).data.joins).toBe(
      accountExistsAskPassword,
    )
    expect((await browser.create({ joins: '1', password: 'wrong' })).data.fields.password).toBe(
      'Login failed. Please try again.',
    )
    expect((await browser.create({ joins: '1', password: ada.password })).to).toBe('/my-units')
  })

  it('finds an account whose username differs from its e-mail address', async () => {
    await change(services, 'accounts', { account_id: 'ada' }, { email: 'cy@example.com' })
    await browser.register(cy)
    expect((await browser.create({ ...securityAnswer, ...twice('quiet lantern 9') })).data.joins).toBe(
      accountExistsAskPassword,
    )
    expect((await browser.create({ joins: '1', password: ada.password })).to).toBe('/my-units')
    await deliver()
    expect(sent.map((mail) => [mail.to, /can be reached|online account for unit 302/.test(mail.text)])).toEqual([
      ['cy@example.com', true],
    ])
  })

  it('asks for the unit number as on the lease, whichever detail was wrong', async () => {
    const page = await browser.get('/register')
    expect(page.html()).not.toContain(unitAsOnLease)
    for (const wrong of [{ unit_number: '0302' }, { last_name: 'Nobody' }]) {
      const answer = await browser.register({ ...cy, ...wrong })
      expect(page.html(answer.data)).toContain(unitAsOnLease)
    }
  })

  it('prefers the exact unit number to one that differs only by leading zeros', async () => {
    const { db } = services
    await change({ db }, 'units', { unit_number: '301' }, { unit_number: '0302' })
    await change({ db }, 'leases', { unit_number: '301' }, { unit_number: '0302' })
    await change({ db }, 'tenants', { tenant_id: 1001 }, { last: 'Dorn', last_key: 'dorn', cell_phone: '4045550122' })
    expect((await browser.register({ ...cy, unit_number: '0302' })).data.hasAccount).toBe(true)
    expect((await browser.register({ ...cy, unit_number: '302' })).to).toBe('/complete-register')
  })

  it('resists all 10,000 digit codes from 100 addresses in a day while a mailed link lets the tenant in', async () => {
    const order = Array.from({ length: 10_000 }, (_, digits) =>
      String((digits * 7919 + 4001) % 10_000).padStart(4, '0'),
    )
    expect(order).toContain(cy.last_4_digits_of_phone_number)
    const outcomes = new Map<string, number>()
    for (const [turn, last_4_digits_of_phone_number] of order.entries()) {
      const input = { ...cy, last_4_digits_of_phone_number }
      const answer = await perform(services, tenantLookup, input, visitor(`203.0.113.${turn % 100}`))
      const outcome = !answer.ok ? 'refused' : answer.value.user ? 'found' : 'not found'
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      services.clock.advance(8_600)
    }
    expect(Object.fromEntries(outcomes)).toEqual({ refused: 9970, 'not found': 30 })

    expect((await browser.register(cy)).status).toBe(429)
    const tenant = await browser.register({ ...cy, intent: 'mail' })
    const unknown = await new Visitor(services).register({ ...cy, last_name: 'Nobody', intent: 'mail' })
    expect([unknown.status, unknown.data]).toEqual([tenant.status, { ...tenant.data, values: unknown.data.values }])
    await browser.register({ ...cy, intent: 'mail' })
    await deliver()
    expect(sent.map((mail) => mail.to)).toEqual(['cy@example.com'])
    const [link] = /\/register\?invite=\S+/.exec(sent[0]!.text) ?? []
    const { invite } = (await browser.get(link!)).data
    expect((await browser.create(securityAnswer)).to).toBe('/register')
    expect((await browser.register({ intent: 'invite', invite })).to).toBe('/complete-register')
    expect((await browser.create({ ...securityAnswer, ...twice('quiet lantern 9') })).to).toBe('/my-units')
    services.clock.advance(8 * 86_400_000)
    expect((await new Visitor(services).register({ intent: 'invite', invite })).to).toBe('/register?invite=')
    expect((await new Visitor(services).register({ intent: 'invite', invite: 'forged' })).to).toBe('/register?invite=')
  })
})

describe('/forgot', () => {
  const codeSent = async () => {
    await deliver()
    return /\b\d{4}\b/.exec(sent.at(-1)!.text)![0]
  }
  const fresh = { intent: 'password', ...twice('a fresh one 2') }

  it('mails a code, accepts it in the same browser, saves the new password and ends every session', async () => {
    const signedIn = new Visitor(services)
    await signedIn.logIn({ ...ada, intent: 'login' })
    expect((await browser.forgot({ username: 'ada@example.com' })).to).toBe('/forgot')
    expect(await browser.forgotStep()).toBe('code')
    const code = await codeSent()
    expect(sent.at(-1)!.to).toBe('ada@example.com')
    expect((await new Visitor(services).forgot({ intent: 'code', code })).data.fields.form).toBe(resetOver)
    const wide = [...code].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(' ')
    expect((await browser.forgot({ intent: 'code', code: ` ${wide} ` })).to).toBe('/forgot')
    expect(await browser.forgotStep()).toBe('password')
    expect((await browser.forgot({ ...fresh, confirm_password: 'x' })).data.fields.confirm_password).toBe(
      'Passwords must match',
    )
    expect((await browser.forgot(fresh)).to).toBe('/forgot?saved=1')
    const old = await services.db.read.selectFrom('sign_ins').select('ended_at').where('ended_at', 'is', null).execute()
    expect(old).toEqual([])
    expect((await browser.logIn({ ...ada, intent: 'login' })).data.fields.password).toBeTruthy()
    expect((await browser.logIn({ intent: 'login', username: ada.username, password: fresh.password })).to).toBe(
      '/my-units',
    )
    expect((await browser.forgot(fresh)).data.fields.form).toBe(resetOver)
  })

  it('shows the specified message for an unknown name or wrong code and stops after five attempts', async () => {
    expect((await browser.forgot({ username: 'nobody@example.com' })).data.fields.form).toBe(
      'Account not found, please use the Sign Up button to register your account.',
    )
    await browser.forgot({ username: 'ada@example.com' })
    const code = await codeSent()
    const wrong = code === '0000' ? '0001' : '0000'
    for (let turn = 0; turn < 4; turn += 1)
      expect((await browser.forgot({ intent: 'code', code: wrong })).data.fields.code).toBe(
        'Please enter the correct code.',
      )
    expect((await browser.forgot({ intent: 'code', code: wrong })).data.fields.form).toBe(resetOver)
    expect((await browser.forgot({ intent: 'code', code })).data.fields.form).toBe(resetOver)
  })

  it('refuses a code after 15 minutes and allows five attempts even when sent concurrently', async () => {
    await browser.forgot({ username: 'ada@example.com' })
    const code = await codeSent()
    const { resetId } = browser.ids
    const many = await Promise.all(
      Array.from({ length: 50 }, () => checkResetCode(services, resetId!, 'none', visitor())),
    )
    expect(many.filter((outcome) => outcome === 'wrong')).toHaveLength(4)
    const second = new Visitor(services)
    await second.forgot({ username: 'ada@example.com' })
    services.clock.advance(15 * 60_000 + 1)
    expect(await second.forgotStep()).toBe('none')
    expect((await second.forgot({ intent: 'code', code })).data.fields.form).toBe(resetOver)
  })

  it('resists attempts from 100 addresses all day without locking out the owner’s browser', async () => {
    const own = new Visitor(services)
    await own.logIn({ ...ada, intent: 'login' })
    const outcomes = new Map<string, number>()
    let resetId: string | undefined
    for (let guess = 0; guess < 2_000; guess += 1) {
      const request = await perform(
        services,
        ValidatePasswordRequestIsExist,
        { username: 'ada@example.com' },
        visitor(`203.0.113.${guess % 100}`),
      )
      if (request.ok) resetId = request.grants?.resetId
      const outcome = await checkResetCode(
        services,
        resetId ?? '',
        String((guess * 7919) % 10_000).padStart(4, '0'),
        visitor(`203.0.113.${guess % 100}`),
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      services.clock.advance(43_000)
    }
    expect(outcomes.get('matched')).toBeUndefined()
    expect(outcomes.get('wrong')).toBeLessThanOrEqual(50)

    const stranger = await new Visitor(services).forgot({ username: 'ada@example.com' })
    await own.forgot({ username: 'ada@example.com' })
    expect(await own.forgotStep()).toBe('code')
    const code = await codeSent()
    expect([302, 429]).toContain(stranger.status)
    expect((await own.forgot({ intent: 'code', code })).to).toBe('/forgot')
    expect((await own.forgot(fresh)).to).toBe('/forgot?saved=1')
  }, 120_000)

  it('opens no account by a copy of the cookie once its browser has logged out, even after the code was entered', async () => {
    await browser.logIn({ ...ada, intent: 'login' })
    await browser.forgot({ username: 'ada@example.com' })
    expect((await browser.forgot({ intent: 'code', code: await codeSent() })).to).toBe('/forgot')
    const copy = new Visitor(services)
    copy.ids = { ...browser.ids }
    expect(await copy.forgotStep()).toBe('password')
    await browser.post('/log-out')
    expect(await copy.forgotStep()).toBe('none')
    expect((await copy.forgot(fresh)).data.fields.form).toBe(resetOver)
  })

  it('ends a pending reset when the password changes, even after its code was entered', async () => {
    await browser.forgot({ username: 'ada@example.com' })
    await browser.forgot({ intent: 'code', code: await codeSent() })
    expect(await browser.forgotStep()).toBe('password')
    const owner = new Visitor(services)
    await owner.logIn({ ...ada, intent: 'login' })
    const form = { current_password: ada.password, ...twice('the owner’s own 7') }
    expect((await owner.post('/update-password', form)).to).toBe('/my-units')
    expect(await browser.forgotStep()).toBe('none')
    expect((await browser.forgot(fresh)).data.fields.form).toBe(resetOver)
    const now = { username: ada.username, password: 'the owner’s own 7', intent: 'login' }
    expect((await new Visitor(services).logIn(now)).to).toBe('/my-units')
  })

  it('accepts only the newest code that the browser requested', async () => {
    await browser.forgot({ username: 'ada@example.com' })
    const first = browser.ids.resetId ?? ''
    const code = await codeSent()
    await browser.forgot({ username: 'ada@example.com' })
    expect(await checkResetCode(services, first, code, visitor())).toBe('over')
    expect(await browser.forgotStep()).toBe('code')
    expect((await browser.forgot({ intent: 'again' })).to).toBe('/forgot?again=1')
    expect(browser.ids.resetId).not.toBe(first)
    expect((await browser.forgot({ intent: 'other' })).to).toBe('/forgot')
    expect(await browser.forgotStep()).toBe('none')
  })

  it('refuses the username as password and reports a mail that could not be sent', async () => {
    await browser.forgot({ username: 'ada@example.com' })
    await browser.forgot({ intent: 'code', code: await codeSent() })
    const own = { ...fresh, ...twice('ada@example.com') }
    expect((await browser.forgot(own)).data.fields.password).toMatch(/must not be your e-mail/)
    expect((await browser.forgot(fresh)).to).toBe('/forgot?saved=1')

    await services.db.write.schema.alterTable('reset_codes').renameTo('missing_codes').execute()
    services.errors = { report: () => {} }
    const unsent = await new Visitor(services).forgot({ username: ada.username })
    expect(unsent.data.fields.form).toBe('Failed to send password reset email.')
  })
})

describe('/find-gate-code', () => {
  it('sends the code to the contact on file, once in ten minutes, and never shows it', async () => {
    const byMail = await browser.gateCode('ADA@example.com')
    expect(byMail.data.sent).toBe('We found your account, your gate code is on its way to your phone or email address.')
    await browser.gateCode('ada@example.com')
    const byPhone = await browser.gateCode('(404) 555-0111')
    expect(byPhone.data.sent).toBe(byMail.data.sent)
    await deliver()
    const texts = await recordsOf(services, 'mailbox', { channel: 'sms' })
    expect(sent.map((mail) => mail.to)).toEqual(['ada@example.com'])
    expect(sent[0]!.text).toContain('482 917')
    expect(texts.length).toBeGreaterThan(0)
    expect(JSON.stringify([byMail.data, byPhone.data])).not.toContain('482917')
  })

  it('records the consent wording of a phone number and stops texting it after STOP', async () => {
    const { readReply } = httpSms({ url: 'http://127.0.0.1:1', key: 'sms-key', from: '4045550100', form: 'json' })
    services.sms = { ...services.sms, readReply }
    const site = createTestSite(services)
    const reply = (id: string, text: string, key = 'sms-key', from = '+14045550111') => {
      const body = JSON.stringify({ id, from, text })
      const headers = { 'X-Signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` }
      return site.request('/texts/reply', { method: 'POST', body, headers })
    }
    const requestCode = async () => {
      services.clock.advance(11 * 60_000)
      await browser.gateCode('(404) 555-0111')
      await deliver()
      const texts = await recordsOf(services, 'mailbox', { channel: 'sms' })
      return { texts: texts.length, mails: sent.length }
    }
    const first = await requestCode()
    expect(first.mails).toBe(0)
    const [agreed] = await recordsOf(services, 'text_choices', {})
    expect(agreed).toMatchObject({ phone: '4045550111', choice: 'agreed', asked_at: 'gate_code' })
    expect((await browser.get('/find-gate-code')).html()).toContain(agreed!.wording)

    expect((await reply('m1', 'STOP', 'guessed')).status).toBe(403)
    expect((await requestCode()).texts).toBeGreaterThan(first.texts)
    const stops = await Promise.all([reply('m2', 'Stop'), reply('m2', 'Stop'), reply('m3', 'When are you open?')])
    expect(stops.map(({ status }) => status)).toEqual([200, 200, 200])
    const { texts } = await requestCode().then(() => requestCode())
    expect(await requestCode()).toEqual({ texts, mails: expect.any(Number) })
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.every((mail) => mail.text.includes('482 917'))).toBe(true)
    expect((await recordsOf(services, 'text_choices', { choice: 'stopped' })).length).toBe(1)

    services.clock.advance(1000)
    await reply('m4', 'start')
    expect((await requestCode()).texts).toBeGreaterThan(texts)
    await reply('m5', 'STOP', 'sms-key', '+4915112345678')
    expect((await recordsOf(services, 'text_choices', { choice: 'stopped' })).length).toBe(1)
  })

  it('reports an unknown contact with the number to call, and an invalid phone number', async () => {
    expect((await browser.gateCode('nobody@example.com')).data.fields.form).toBe(
      'We were unable to locate your account, please log into your account or contact customer service at (888) 555-0100.',
    )
    expect((await browser.gateCode('12')).data.fields.contact).toBe('Phone number must be 10 digits')
  })
})

describe('/guest/find-email', () => {
  it('issues a token and leads to the units page', async () => {
    expect((await browser.pay('cy@example.com')).to).toBe('/guest/find-units?email=cy%40example.com')
    expect(browser.ids.guestToken).toMatch(/^[0-9a-f]{64}$/)
  })

  it('shows a different message for a former tenant’s address', async () => {
    await change(services, 'leases', { tenant_id: 1002 }, { status: 'Closed' })
    expect((await browser.pay('cy@example.com')).data.fields.email).toBe('Tenant not found with this email.')
  })

  it.each(['nobody@example.com', 'ada@example.com.evil.example'])('says that %s is not found', async (email) => {
    expect((await browser.pay(email)).data.fields.email).toBe('Email not found.')
  })

  it('refuses attempts after ten', async () => {
    const tries = []
    for (let turn = 0; turn < 12; turn += 1) tries.push((await browser.pay('nobody@example.com')).status)
    expect(tries.slice(0, 10)).toEqual(Array(10).fill(404))
    expect(tries.slice(10)).toEqual([429, 429])
  })

  it('says when to try again and what else the visitor can do', async () => {
    for (let turn = 0; turn < 10; turn += 1) await browser.pay('nobody@example.com')
    services.clock.advance(3 * 60_000)
    const late = await browser.pay('nobody@example.com')
    const [sentence] = Object.values<string>(late.data.fields)
    expect(sentence).toBe('Too many tries. Please try again in 12 minutes.')
    expect(findRefusalAdvice(sentence ?? '')?.leadsTo).toContain('call')
    const page = (await browser.get('/guest/find-email')).html(late.data)
    expect(page).toContain('href="/find-reservation"')
    expect(page).not.toContain('href="/guest/find-email"')
    services.clock.advance(12 * 60_000)
    expect((await browser.pay('nobody@example.com')).status).toBe(404)
  })
})

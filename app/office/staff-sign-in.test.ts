import { TOTP } from 'otpauth'
import { beforeEach, expect, it } from 'vitest'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../domain/field-lengths.ts'
import { tooLong, tooShort } from '../../domain/texts/field-errors.ts'
import { changedSince, invitationNeeded, passkeyNeeded, wrongFactor } from '../../domain/texts/office-refusals.ts'
import { SoftwareAuthenticator } from '../../modules/accounts/passkeys/testing.ts'
import { InviteStaff } from '../../modules/staff/operations/invite-staff.ts'
import { inviteStaffMember } from '../../modules/staff/staff-members.ts'
import { perform } from '../../platform/operations/operation.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import * as myUnits from '../portal/my-units.tsx'
import * as addFactor from './add-factor.tsx'
import * as me from './my-account.tsx'
import * as passkeyOptions from './passkey-options.ts'
import * as secondFactor from './second-factor.tsx'
import * as staffPage from './staff-list.tsx'
import * as person from './staff-member.tsx'
import { officePassword, StaffBrowser, signedInStaff } from './testing.ts'
import * as today from './today.tsx'

const minute = 60_000

describeOnBothEngines('The office', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
  })

  const loadTodayStatus = async (person: StaffBrowser) => (await person.ask(today.loader, { path: '/office' })).status
  const loadAuditKinds = async () =>
    (await services.db.read.selectFrom('audit_events').select('kind').orderBy('at').orderBy('event_id').execute()).map(
      ({ kind }) => kind,
    )
  const invite = (email: string, role: 'agent' | 'owner' = 'agent') =>
    services.db.transaction((tx) =>
      inviteStaffMember(tx, services, { email, name: email, roles: [{ role, scope: { all: true } }] }),
    )

  it('grants access only after password and code', async () => {
    const sam = await signedInStaff(services, 'agent')
    expect(await loadTodayStatus(sam)).toBe(200)
    expect(sam.recoveryCodes).toHaveLength(10)

    const again = Object.assign(new StaffBrowser(services), { email: sam.email, secret: sam.secret })
    expect(await again.givePassword('wrong')).toMatchObject({ status: 403 })
    expect(again.office.token).toBeNull()
    expect(await again.givePassword()).toMatchObject({ status: 302, to: '/office/second-factor' })
    // The password alone opens no page.
    expect(await again.ask(today.loader, { path: '/office' })).toMatchObject({ status: 302, to: '/office/sign-in' })
    expect(await again.giveCode('000000')).toMatchObject({ status: 403 })
    for (const code of ['１２３４５６', '١٢٣٤٥٦', '12345x'])
      expect(await again.giveCode(code)).toMatchObject({ status: 403 })
    services.clock.advance(minute)
    const used = again.code()
    const half = again.office.token
    expect(await again.giveCode(used)).toMatchObject({ status: 302, to: '/office' })
    expect(again.office.token).not.toBe(half)
    expect(await loadTodayStatus(again)).toBe(200)

    // A code works once.
    const third = Object.assign(new StaffBrowser(services), { email: sam.email, secret: sam.secret })
    await third.givePassword()
    expect(await third.giveCode(used)).toMatchObject({ status: 403 })
    expect(await third.giveCode(sam.recoveryCodes[0] as string, 'recovery')).toMatchObject({ status: 302 })
    const fourth = Object.assign(new StaffBrowser(services), { email: sam.email })
    await fourth.givePassword()
    expect(await fourth.giveCode(sam.recoveryCodes[0] as string, 'recovery')).toMatchObject({ status: 403 })
    expect(await loadAuditKinds()).toContain('staff.signed_in')
  })

  it('mails the day, time and zone of a sign-in with a new device', async () => {
    const { email, secret } = await signedInStaff(services, 'agent')
    // Test browsers share one device id, so the first sign-in gets another.
    await services.db.write.updateTable('staff_sign_ins').set({ device: 'another' }).execute()
    const newDevice = Object.assign(new StaffBrowser(services), { email, secret })
    await newDevice.givePassword()
    services.clock.advance(minute)
    await newDevice.giveCode(newDevice.code())
    const sent = (await runDueMessageJobs(services)).filter(({ subject }) => /^New sign-in/.test(subject))
    expect(sent.at(-1)?.text).toContain('on November 20, 2026 at 5:01 PM UTC, from ')
  })

  it('accepts one code in one of several browsers only', async () => {
    const sam = await signedInStaff(services, 'agent')
    services.clock.advance(minute)
    const browsers = [1, 2, 3].map(() =>
      Object.assign(new StaffBrowser(services), { email: sam.email, secret: sam.secret }),
    )
    for (const browser of browsers) await browser.givePassword()
    const answers = await Promise.all(browsers.map((browser) => browser.giveCode(sam.code())))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
  })

  it('keeps the authenticator secret on the server and shows recovery codes without scripts', async () => {
    const invited = await invite('sam@office.example')
    const sam = Object.assign(new StaffBrowser(services), { email: 'sam@office.example' })
    await sam.join(invited?.token as string)
    const path = '/office/add-factor?kind=app'
    const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: services.clock.now() })
    const own = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const formWith = (code: string) => ({ intent: 'totp', secret: own, code, name: 'Phone' })
    expect((await sam.postWithoutScripts(path, formWith(codeOf(own)))).html()).toContain(wrongFactor)
    const page = await sam.get(path)
    const { secret } = page.data.app
    expect((await sam.get(path)).data.app.secret).toBe(secret)
    expect(page.html()).not.toMatch(new RegExp(`value="(${secret}|${own})"`))
    const added = await sam.postWithoutScripts(path, formWith(codeOf(secret)))
    expect(added.html()).toContain('Second factor added')
    expect(added.html().match(/<code>[0-9a-f]{4}(-[0-9a-f]{4}){3}<\/code>/g)).toHaveLength(10)
    expect(await loadTodayStatus(sam)).toBe(200)
    expect((await sam.get(path)).data.app.secret).not.toBe(secret)
  })

  it('keeps the page to go to in the links between the kinds of second factor', async () => {
    const invited = await invite('sam@office.example')
    const sam = Object.assign(new StaffBrowser(services), { email: 'sam@office.example' })
    await sam.join(invited?.token as string)
    const next = 'next=%2Foffice%2Fqueue'
    const passkeyPage = await sam.get(`/office/add-factor?${next}`)
    expect(passkeyPage.html()).toContain(`href="/office/add-factor?kind=app&amp;${next}"`)
    const appPage = await sam.get(`/office/add-factor?kind=app&${next}`)
    expect(appPage.html()).toContain(`href="/office/add-factor?${next}"`)
  })

  it('requires a passkey of roles that must have one', async () => {
    services = { ...services, allowsAnyFactor: undefined as never }
    const invited = await invite('olivia@office.example', 'owner')
    const olivia = Object.assign(new StaffBrowser(services), { email: 'olivia@office.example' })
    await olivia.join(invited?.token as string, 'Olivia')
    const { data } = await olivia.ask(addFactor.loader, { path: '/office/add-factor?kind=app' })
    expect(data).toMatchObject({ takesApp: false, app: null })
    const given = { intent: 'totp', code: '123456', name: 'App' }
    expect(await olivia.ask(addFactor.action, { path: '/office/add-factor', form: given })).toMatchObject({
      status: 403,
    })

    const key = new SoftwareAuthenticator()
    const options = async (intent: string) => {
      const { response } = await olivia.ask(passkeyOptions.action, {
        path: '/office/passkey-options',
        form: { intent },
      })
      return JSON.parse((await response?.text()) ?? '{}').options
    }
    const form = { intent: 'passkey', name: 'Key', answer: key.create(await options('add')) }
    expect(await olivia.ask(addFactor.action, { path: '/office/add-factor', form })).toMatchObject({
      data: { fields: {} },
    })
    expect(await loadTodayStatus(olivia)).toBe(200)

    olivia.office.token = null
    await olivia.givePassword()
    const answer = key.get(await options('sign-in'))
    expect(
      await olivia.ask(secondFactor.action, { path: '/office/second-factor', form: { intent: 'passkey', answer } }),
    ).toMatchObject({ status: 302 })
    // The same answer of the passkey is submitted again.
    olivia.office.token = null
    await olivia.givePassword()
    expect(
      await olivia.ask(secondFactor.action, { path: '/office/second-factor', form: { intent: 'passkey', answer } }),
    ).toMatchObject({ status: 403 })
  })

  it('asks for a new invitation where the role now needs a passkey and only an authenticator app is on file', async () => {
    const owner = await signedInStaff(services, 'owner')
    const bea = await signedInStaff(services, 'agent', { name: 'Bea' })
    const { staffId } = await bea.caller()
    const form = { intent: 'roles', role: 'finance', scope: 'all', before: 'Agent (all)', reason: 'Promoted' }
    expect(await owner.post(`/office/staff/${staffId}`, form)).toMatchObject({ status: 302 })
    await services.db.write
      .deleteFrom('staff_factors')
      .where('staff_id', '=', staffId)
      .where('kind', '=', 'recovery')
      .execute()
    bea.services.allowsAnyFactor = undefined as never
    bea.office.token = null
    await bea.givePassword()
    expect((await bea.get('/office/second-factor')).to).toBe('/office/add-factor')
    const page = await bea.get('/office/add-factor')
    expect(page.html()).toContain(invitationNeeded)
    expect(page.html()).not.toContain('Create passkey')
    expect((await bea.giveCode(bea.code())).data).toMatchObject({ fields: { code: passkeyNeeded } })
    const { response } = await bea.post('/office/passkey-options', { intent: 'add' })
    expect(JSON.parse((await response?.text()) ?? '{}')).toEqual({ message: invitationNeeded })
    const added = await bea.post('/office/add-factor', { intent: 'passkey', name: 'Key', answer: '{}' })
    expect(added).toMatchObject({ status: 403, data: { fields: { form: invitationNeeded } } })
  })

  it('keeps the owner of one facility from managing anyone, themselves included', async () => {
    const local = await signedInStaff(services, 'owner', { scope: { facility: 'GA1' } })
    const more = { name: 'Me', email: 'me@office.example', role: 'owner', scope: 'all' }
    expect(await local.post('/office/staff', more)).toMatchObject({ status: 404 })
    const { staffId } = await local.caller()
    const change = { ...more, intent: 'roles', before: 'Owner (GA1)', reason: 'More' }
    expect(await local.post(`/office/staff/${staffId}`, change)).toMatchObject({ status: 404 })
    for (const path of ['/office/staff', `/office/staff/${staffId}`, '/office/setup/limits'])
      expect((await local.get(path)).status, path).toBe(404)
    expect((await local.get('/office')).html()).not.toContain('/office/staff')
  })

  it('keeps the last factor that can sign in, whichever others remain', async () => {
    const olivia = await signedInStaff(services, 'owner')
    const key = new SoftwareAuthenticator()
    const response = await olivia.post('/office/passkey-options', { intent: 'add' })
    const answer = key.create(JSON.parse((await response.response?.text()) ?? '{}').options)
    await olivia.post('/office/add-factor', { intent: 'passkey', name: 'Key', answer })
    const remove = async (kind: string) => {
      const factors: { kind: string; factorId: string }[] = (await olivia.get('/office/me')).data.factors
      return olivia.post('/office/me', {
        intent: 'remove',
        factor: factors.find((factor) => factor.kind === kind)?.factorId ?? '',
      })
    }
    // Outside a demo an authenticator app does not count for an owner.
    olivia.services.allowsAnyFactor = undefined as never
    expect(await remove('passkey')).toMatchObject({ status: 409 })
    const { factors } = (await olivia.get('/office/me')).data
    const offered = factors.map(({ kind, last }: { kind: string; last: boolean }) => [kind, !last])
    expect(Object.fromEntries(offered)).toEqual({ passkey: false, totp: true })
    expect(await remove('totp')).toMatchObject({ status: 302 })
    expect(await remove('passkey')).toMatchObject({ status: 409 })
  })

  it('accepts an invitation once, within seven days, and refuses a weak password', async () => {
    const first = await invite('a@office.example')
    const one = new StaffBrowser(services)
    const two = new StaffBrowser(services)
    const answers = await Promise.all([one.join(first?.token as string), two.join(first?.token as string)])
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 404])
    const second = await invite('b@office.example')
    services.clock.advance(7 * 86_400_000)
    expect(await new StaffBrowser(services).join(second?.token as string)).toMatchObject({ status: 404 })
    const third = await invite('c@office.example')
    const path = `/office/join/${third?.token}`
    expect(await new StaffBrowser(services).post(path, { name: 'C', password: 'password1' })).toMatchObject({
      status: 400,
    })
  })

  it('says whether a password for the office is too short or too long', async () => {
    const invited = await invite('a@office.example')
    const passwordError = async (length: number) => {
      const form = { name: 'A', password: 'x'.repeat(length) }
      const { data } = await new StaffBrowser(services).post(`/office/join/${invited?.token}`, form)
      return data.fields.password
    }
    expect(await passwordError(PASSWORD_MIN - 1)).toBe(tooShort('Password', PASSWORD_MIN))
    expect(await passwordError(PASSWORD_MAX + 1)).toBe(tooLong('Password', PASSWORD_MAX))
  })

  it('ends a session after idling or a change of roles, and refuses the password after access has ended', async () => {
    const owner = await signedInStaff(services, 'owner')
    const sam = await signedInStaff(services, 'agent')
    const fay = await signedInStaff(services, 'finance')
    services.clock.advance(16 * minute)
    expect(await Promise.all([loadTodayStatus(sam), loadTodayStatus(fay)])).toEqual([200, 302])
    services.clock.advance(31 * minute)
    expect(await loadTodayStatus(sam)).toBe(302)
    // The owner's sign-in was idle too long as well.
    owner.office.token = null
    await owner.givePassword()
    await owner.giveCode(owner.code())
    expect(await loadTodayStatus(owner)).toBe(200)

    const bea = await signedInStaff(services, 'agent', { name: 'Bea' })
    const { staffId } = await bea.caller()
    const params = { staffId }
    const form = { intent: 'roles', role: 'manager', scope: 'facility:GA1', before: 'Agent (all)', reason: 'Promoted' }
    expect(await owner.ask(person.action, { path: `/office/staff/${staffId}`, params, form })).toMatchObject({
      status: 302,
    })
    expect(await loadTodayStatus(bea)).toBe(302)
    // The form was opened before the change.
    expect(await owner.ask(person.action, { path: `/office/staff/${staffId}`, params, form })).toMatchObject({
      status: 409,
    })
    const unsaid = await owner.post(`/office/staff/${staffId}`, { intent: 'end', reason: '' })
    expect(unsaid.data.fields).toEqual({ 'reason-end': 'Say why.' })
    expect((await owner.get(`/office/staff/${staffId}`)).html(unsaid.data)).toContain('href="#reason-end"')
    const ending = { intent: 'end', reason: 'Left' }
    await owner.ask(person.action, { path: `/office/staff/${staffId}`, params, form: ending })
    expect(await bea.givePassword()).toMatchObject({ status: 403 })
  })

  it('restores a former staff member by invitation only, not by an older form', async () => {
    const owner = await signedInStaff(services, 'owner')
    const bea = await signedInStaff(services, 'agent', { name: 'Bea' })
    const { staffId } = await bea.caller()
    const params = { staffId }
    const press = (intent: string) =>
      owner.ask(person.action, { path: `/office/staff/${staffId}`, params, form: { intent, reason: 'Lost phone' } })
    const stateOf = async () =>
      (await owner.ask(person.loader, { path: `/office/staff/${staffId}`, params })).data.state
    expect(await press('invite')).toMatchObject({ status: 409 })
    for (const _click of [1, 2])
      expect(await press('end')).toMatchObject({ status: 302, to: '/office/staff?done=access-ended' })
    expect(await recordsOf(services, 'audit_events', { kind: 'staff.ended', subject: staffId })).toHaveLength(1)
    expect(await press('reset')).toMatchObject({ status: 409, data: { fields: { form: changedSince } } })
    expect(await stateOf()).toBe('ended')
    const mails = () => services.db.read.selectFrom('jobs').select('kind').where('kind', '=', 'staff_invited').execute()
    expect(await mails()).toHaveLength(0)
    expect(await press('invite')).toMatchObject({ status: 302, to: '/office/staff?done=invited' })
    expect(await stateOf()).toBe('invited')
    expect(await mails()).toHaveLength(1)
  })

  it('keeps at least one owner when several leave at once', async () => {
    const a = await signedInStaff(services, 'owner', { name: 'A' })
    const b = await signedInStaff(services, 'owner', { name: 'B' })
    const end = async (who: StaffBrowser, whom: StaffBrowser) => {
      const { staffId } = await whom.caller()
      return who.ask(person.action, {
        path: `/office/staff/${staffId}`,
        params: { staffId },
        form: { intent: 'end', reason: 'x' },
      })
    }
    await Promise.all([end(a, b), end(b, a)])
    const left = await services.db.read.selectFrom('staff').select('name').where('ended_at', 'is', null).execute()
    expect(left).toHaveLength(1)
  })

  it('asks for the second factor again before changing staff', async () => {
    const owner = await signedInStaff(services, 'owner')
    services.clock.advance(11 * minute)
    const form = { name: 'Bo', email: 'bo@office.example', role: 'agent', scope: 'all' }
    const redirected = await owner.ask(staffPage.action, { path: '/office/staff', form })
    expect(redirected).toMatchObject({
      status: 302,
      to: expect.stringMatching(/^\/office\/second-factor\?next=%2Foffice%2Fstaff%3Fkept%3D/),
    })
    const query = redirected.to.slice(redirected.to.indexOf('?'))
    expect((await owner.giveCode(owner.code(), 'totp', query)).to).toMatch(/^\/office\/staff\?kept=/)
    expect(await owner.ask(staffPage.action, { path: '/office/staff', form })).toMatchObject({
      status: 302,
      to: '/office/staff?done=invited',
    })
    const mail = await services.db.read.selectFrom('jobs').select('kind').where('kind', '=', 'staff_invited').execute()
    expect(mail).toHaveLength(1)
  })

  it('keeps agents from the staff list, invitations and the tenant portal, and visitors from invitations', async () => {
    const agent = await signedInStaff(services, 'agent')
    expect(await agent.ask(staffPage.loader, { path: '/office/staff' })).toMatchObject({ status: 404 })
    expect(await agent.ask(myUnits.loader, { path: '/my-units' })).toMatchObject({ status: 302 })
    const input = { email: 'x@office.example', name: 'X', roles: [{ role: 'agent', scope: 'all' }] }
    const as = async (person: StaffBrowser) =>
      perform(services, InviteStaff, input, { ...visitor(), staff: await person.caller() })
    expect(await as(agent)).toMatchObject({ status: 403 })
    expect(await perform(services, InviteStaff, input, visitor())).toMatchObject({ status: 401 })
  })

  it('locks a known browser after ten wrong passwords, and after ten wrong codes', async () => {
    const sam = await signedInStaff(services, 'agent')
    const guesser = Object.assign(new StaffBrowser(services), { email: sam.email, secret: sam.secret })
    for (let n = 0; n < 10; n += 1) expect(await guesser.givePassword('wrong')).toMatchObject({ status: 403 })
    expect(await guesser.givePassword()).toMatchObject({ status: 429 })
    services.clock.advance(16 * minute)
    expect(await guesser.givePassword()).toMatchObject({ status: 302 })
    for (let n = 0; n < 10; n += 1) expect(await guesser.giveCode('111111')).toMatchObject({ status: 403 })
    expect(await guesser.giveCode(sam.code())).toMatchObject({ status: 429 })
  })

  it('shows a person’s factors and sessions, ends a session and keeps the last factor', async () => {
    const sam = await signedInStaff(services, 'agent')
    const { data } = await sam.ask(me.loader, { path: '/office/me' })
    expect(data).toMatchObject({ recoveryCodes: 10, factors: [{ kind: 'totp' }], signIns: [{ current: true }] })
    const remove = { intent: 'remove', factor: data.factors[0].factorId }
    expect(await sam.ask(me.action, { path: '/office/me', form: remove })).toMatchObject({ status: 409 })
    const end = { intent: 'end', sign_in: data.signIns[0].id }
    expect(await sam.ask(me.action, { path: '/office/me', form: end })).toMatchObject({ status: 302 })
    expect(await loadTodayStatus(sam)).toBe(302)
    expect(await recordsOf(services, 'audit_events', { kind: 'staff.sign_in_ended' })).toHaveLength(1)
  })

  it('lists only the browsers in which a Finance member is still signed in', async () => {
    const fay = await signedInStaff(services, 'finance')
    const countSignIns = async (browser: StaffBrowser) =>
      (await browser.ask(me.loader, { path: '/office/me' })).data.signIns.length
    services.clock.advance(minute)
    const second = Object.assign(new StaffBrowser(services), { email: fay.email, secret: fay.secret })
    await second.givePassword()
    await second.giveCode(second.code())
    expect(await countSignIns(second)).toBe(2)
    for (let waited = 0; waited < 16; waited += 8) {
      services.clock.advance(8 * minute)
      await loadTodayStatus(second)
    }
    expect(await loadTodayStatus(fay)).toBe(302)
    expect(await countSignIns(second)).toBe(1)
  })

  it('refuses to change or delete audit events, which contain no password', async () => {
    await signedInStaff(services, 'agent')
    await expect(services.db.write.updateTable('audit_events').set({ reason: 'x' }).execute()).rejects.toThrow(
      /append-only/,
    )
    await expect(services.db.write.deleteFrom('audit_events').execute()).rejects.toThrow(/append-only/)
    expect(officePassword).not.toBe('')
    expect(JSON.stringify(await services.db.read.selectFrom('audit_events').selectAll().execute())).not.toContain(
      officePassword,
    )
  })
})

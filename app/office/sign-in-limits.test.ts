/** Strangers who guess passwords or codes are locked out; staff still sign in from a trusted device or by a mailed link. */
import { beforeEach, expect, it } from 'vitest'
import { SoftwareAuthenticator } from '../../modules/accounts/passkeys/testing.ts'
import { ResetStaffCredentials } from '../../modules/staff/operations/reset-staff-credentials.ts'
import { guessLimits } from '../../platform/operations/brute-force-limits.ts'
import { perform } from '../../platform/operations/operation.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import * as signIn from './sign-in.tsx'
import { StaffBrowser, signedInStaff } from './testing.ts'

const minute = 60_000

describeOnBothEngines('Signing in to the office while strangers guess', (open) => {
  let services: TestServices
  let sam: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    sam = await signedInStaff(services, 'agent', { name: 'Sam' })
    services.clock.advance(minute)
  })

  /** Opens a browser with the e-mail address and factor of `whose`. Device 'd' is the one in which Sam has signed in. */
  const from = (address: string, device = 'd', whose = sam) => {
    const browser = new StaffBrowser(services, {}, { address, agent: 'test browser' })
    browser.office = { token: null, device: device.repeat(64) }
    return Object.assign(browser, { email: whose.email, secret: whose.secret })
  }
  const password = async (browser: StaffBrowser, typed?: string) => (await browser.givePassword(typed)).status
  /**
   * Tries wrong passwords from one address until it is locked, at most `most` times.
   * @returns number of tries before the lock; `most` without a lock
   */
  async function guess(address: string, emails: readonly string[], most = 500) {
    const attacker = from(address, 'e')
    for (let index = 0; index < most; index += 1) {
      attacker.email = emails[index % emails.length] as string
      if ((await password(attacker, `guess ${index}`)) === 429) return index
    }
    return most
  }
  const asksMail = (browser: StaffBrowser, email = browser.email) =>
    browser.ask(signIn.action, { path: '/office/sign-in', form: { intent: 'unlock', email } })
  const opens = (browser: StaffBrowser, unlock: string) =>
    browser.ask(signIn.action, { path: '/office/sign-in', form: { intent: 'let in', unlock } })
  const shows = async (unlock: string) =>
    (await from('203.0.113.80', 'f').ask(signIn.loader, { path: `/office/sign-in?unlock=${unlock}` })).data.unlock
  async function mailedTokens() {
    const sent = await runDueMessageJobs(services)
    return sent.map(({ to, text }) => {
      const [, token] = /\/office\/sign-in\?unlock=(\S+)/.exec(text) ?? []
      return { to, token: decodeURIComponent(token ?? '') }
    })
  }
  const usedUp = (key: string) =>
    services.db.write
      .insertInto('limits')
      .values({ key, points: 10_000, expires_at: services.clock.now() + 3_600_000 })
      .execute()

  it('locks one network, not staff of other networks or a trusted device in the same one', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `person${index}@office.example`)
    expect(await guess('203.0.113.9', [...names, sam.email])).toBe(guessLimits['office password'].address.points)
    expect(await password(from('203.0.113.9', 'e'))).toBe(429)
    expect(await password(from('198.51.100.40', 'a'))).toBe(302)
    expect(await password(from('203.0.113.9'))).toBe(302)
  })

  it('locks one network out of one person’s account after ten wrong passwords', async () => {
    const bea = await signedInStaff(services, 'agent', { name: 'Bea' })
    expect(await guess('203.0.113.9', [sam.email])).toBe(10)
    expect(await password(from('203.0.113.9', 'e'))).toBe(429)
    expect(await password(from('203.0.113.9', 'e', bea))).toBe(302)
    expect(await password(from('198.51.100.40', 'a'))).toBe(302)
    expect(await password(from('203.0.113.9'))).toBe(302)
    // An IPv6 host has a whole network, so its other addresses count as the same stranger.
    expect(await guess('2001:db8:1:2::1', [sam.email])).toBe(10)
    expect(await password(from('2001:db8:1:2::ffff', 'a'))).toBe(429)
  })

  it('locks strangers out of an account attacked from many networks, not trusted devices and mailed links', async () => {
    let looked = 0
    for (let network = 1; network <= 16; network += 1) looked += await guess(`203.0.${network}.9`, [sam.email], 12)
    expect(looked).toBe(guessLimits['office password'].strangers.points)
    const elsewhere = from('198.51.100.40', 'a')
    const refused = await elsewhere.givePassword()
    expect(refused).toMatchObject({ status: 429, data: { locked: true } })
    const page = (await elsewhere.get('/office/sign-in')).html(refused.data)
    expect(page).toContain('Too many tries. Please try again in ')
    expect(page).toContain('Mail me the link')
    // Advice for renters would lead staff nowhere.
    expect(page).not.toMatch(/call us|Pay without logging in|Find your reservation/)
    expect(await password(from('203.0.1.9'))).toBe(302)

    expect(await asksMail(elsewhere)).toMatchObject({ data: { mailed: true } })
    const [mail] = await mailedTokens()
    expect(mail?.to).toBe(sam.email)
    await opens(elsewhere, mail?.token ?? '')
    expect(await password(elsewhere)).toBe(302)
    services.clock.advance(minute)
    expect(await elsewhere.giveCode(elsewhere.code())).toMatchObject({ status: 302, to: '/office' })
    expect(await password(from('198.51.100.40', 'b'))).toBe(429)
  })

  it('admits trusted devices and mailed links while a botnet exhausts the shared limit', async () => {
    await usedUp('all:office password')
    const elsewhere = from('198.51.100.40', 'a')
    expect(await password(elsewhere)).toBe(429)
    expect(await password(from('203.0.113.9'))).toBe(302)
    await asksMail(elsewhere)
    const [mail] = await mailedTokens()
    expect(await opens(elsewhere, mail?.token ?? '')).toMatchObject({ data: { letIn: true, email: sam.email } })
    expect(await password(elsewhere)).toBe(302)
  })

  it('accepts a mailed link once within half an hour and does not reveal who is on the staff', async () => {
    await usedUp('all:office password')
    const owner = from('198.51.100.40', 'a')
    const thief = from('203.0.113.66', 'b')
    const asked = await asksMail(owner)
    expect((await asksMail(from('203.0.113.5', 'c'), 'nobody@office.example')).data).toEqual({
      ...asked.data,
      email: 'nobody@office.example',
    })
    await asksMail(owner)
    const mails = await mailedTokens()
    expect(mails).toHaveLength(1)
    const token = mails[0]?.token ?? ''
    // Opening the link, as mail scanners do, does not use it up.
    expect(await shows(encodeURIComponent(token))).toBe(token)
    expect(await shows('forged')).toBe('')
    const both = await Promise.all([opens(owner, token), opens(thief, token)])
    expect(both.map(({ to }) => to).sort()).toEqual(['', '/office/sign-in?unlock='])
    expect(await shows(encodeURIComponent(token))).toBe('')
    expect(await opens(thief, token)).toMatchObject({ status: 302, to: '/office/sign-in?unlock=' })

    services.clock.advance(30 * minute)
    await asksMail(owner)
    const [late] = await mailedTokens()
    services.clock.advance(30 * minute)
    expect(await opens(from('198.51.100.41', 'c'), late?.token ?? '')).toMatchObject({ to: '/office/sign-in?unlock=' })
    expect(await password(from('198.51.100.41', 'c'))).toBe(302)
  })

  it('counts a trusted device’s attempts separately and revokes its trust on a new invitation', async () => {
    const known = from('203.0.113.9')
    for (let index = 0; index < 10; index += 1) expect(await password(known, `guess ${index}`)).toBe(403)
    expect(await password(known)).toBe(429)
    // Only this device has used up its tries: another device in the same network can sign in.
    expect(await password(from('203.0.113.9', 'a'))).toBe(302)

    const owner = await signedInStaff(services, 'owner', { name: 'Olivia' })
    await signedInStaff(services, 'owner', { name: 'Otto' })
    const { staffId } = await sam.caller()
    const reset = { staff_id: staffId, reason: 'Lost phone' }
    const by = { ...visitor(), staff: await owner.caller() }
    expect(await perform(services, ResetStaffCredentials, reset, by)).toMatchObject({ ok: true })
    await usedUp('all:office password')
    expect(await password(from('203.0.113.9'))).toBe(429)
  })

  it('keeps a used link used after a new invitation', async () => {
    await usedUp('all:office password')
    const known = from('203.0.113.9')
    await asksMail(known)
    const [mail] = await mailedTokens()
    expect(await opens(known, mail?.token ?? '')).toMatchObject({ data: { letIn: true } })
    const owner = await signedInStaff(services, 'owner', { name: 'Olivia' })
    await signedInStaff(services, 'owner', { name: 'Otto' })
    const { staffId } = await sam.caller()
    const by = { ...visitor(), staff: await owner.caller() }
    const reset = { staff_id: staffId, reason: 'Lost phone' }
    expect(await perform(services, ResetStaffCredentials, reset, by)).toMatchObject({ ok: true })
    const thief = from('203.0.113.66', 'b')
    expect(await opens(thief, mail?.token ?? '')).toMatchObject({ to: '/office/sign-in?unlock=' })
    expect(await password(known)).toBe(429)
  })

  it('locks out a thief of the password after wrong codes, but not the trusted device', async () => {
    const thief = from('203.0.113.9', 'e')
    await thief.givePassword()
    for (let index = 0; index < 10; index += 1) expect((await thief.giveCode('111111')).status).toBe(403)
    const locked = await thief.giveCode('111111')
    expect(locked).toMatchObject({ status: 429, data: { locked: true } })
    const own = from('203.0.113.9')
    await own.givePassword()
    expect(await own.giveCode(own.code())).toMatchObject({ status: 302, to: '/office' })
  })

  it('neither counts a passkey as an attempt nor refuses it for others’ attempts', async () => {
    const key = new SoftwareAuthenticator()
    const asked = async (browser: StaffBrowser, intent: string) => {
      const { response } = await browser.post('/office/passkey-options', { intent })
      return JSON.parse((await response?.text()) ?? '{}').options
    }
    const added = { intent: 'passkey', name: 'Key', answer: key.create(await asked(sam, 'add')) }
    expect(await sam.post('/office/add-factor', added)).toMatchObject({ status: 200, data: { fields: {} } })
    await usedUp('all:office factor')
    const elsewhere = from('198.51.100.40', 'a')
    expect(await password(elsewhere)).toBe(302)
    const gives = (answer: string) => elsewhere.post('/office/second-factor', { intent: 'passkey', answer })
    for (let index = 0; index < 12; index += 1) expect((await gives('{}')).status).toBe(403)
    const counted = services.db.read.selectFrom('limits').select('key').where('key', 'like', 'office factor%')
    expect(await counted.execute()).toEqual([])
    expect((await elsewhere.giveCode(elsewhere.code())).status).toBe(429)
    expect(await gives(key.get(await asked(elsewhere, 'sign-in')))).toMatchObject({ status: 302, to: '/office' })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/operations/create-account-or-change-password.ts'
import { login } from '../../modules/accounts/operations/login.ts'
import { UpdateTenantInfo } from '../../modules/accounts/operations/update-tenant-info.ts'
import { resolveBearerToken } from '../../modules/accounts/sessions.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { MailMessage } from '../../ports/mail/mail.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { type Browser, createSignInToken } from '../testing.ts'
import { AccountBrowser, tenantProfile } from './testing.ts'

const day = 86_400_000
const passwords = (current_password: string, password: string) => ({
  current_password,
  password,
  confirm_password: password,
})

describeOnBothEngines('a stolen session cannot take over the account', (open) => {
  let services: TestServices
  let thief: AccountBrowser
  let owner: AccountBrowser

  const enter = async (account = 'ada') =>
    new AccountBrowser(services, { token: await createSignInToken(services, account) })
  const isSignedIn = async (browser: Browser) =>
    Boolean((await resolveBearerToken(services, browser.ids.token ?? '')).tenant)
  const accountOf = (account = 'ada') => recordOf(services, 'accounts', { account_id: account })
  const tenantEmail = async () => (await recordOf(services, 'tenants', { location_code: 'GA1', tenant_id: 1001 })).email

  const mails = () => runDueMessageJobs(services)
  const linkTo = (sent: MailMessage[], to: string, page: string) =>
    sent
      .filter((mail) => mail.to === to)
      .flatMap((mail) => new RegExp(`https://rent\\.example(/${page}\\S+)`).exec(mail.text)?.[1] ?? [])[0] ?? ''
  const signInWith = async (username: string, password: string) => {
    const answer = await perform(services, login, { username, password }, visitor('203.0.113.50'))
    return answer.ok ? answer.value.result : answer.code
  }

  async function moveTo(email: string, from: string): Promise<string> {
    expect(await thief.save({ email, current_password: 'ada-secret' })).toMatchObject({ to: '/account-profile' })
    const link = linkTo(await mails(), email, 'confirm-email')
    expect(await thief.submitLink(link)).toMatchObject({ to: '/account-profile' })
    return linkTo(await mails(), from, 'account-undo')
  }

  beforeEach(async () => {
    services = await openTestServices(await open())
    thief = await enter()
    owner = await enter()
  })

  describe('a new sign-in e-mail address', () => {
    it('requires the current password on the page and in the API, and saves nothing without it', async () => {
      for (const [form, sentence] of [
        [{ email: 'mallory@example.com' }, 'Current Password required'],
        [{ email: 'mallory@example.com', current_password: 'guess' }, 'Please enter correct information.'],
      ] as const) {
        const answer = await thief.save({ ...form, first: 'Mallory' })
        expect(answer.data.fields).toEqual({ current_password: sentence })
        expect(JSON.stringify(answer.data)).not.toContain('guess')
        const input = { ...tenantProfile, ...form, location_code: 'GA1', tenant_id: 1001 }
        expect(await perform(services, UpdateTenantInfo, input, asAda)).toMatchObject({
          ok: false,
          fields: { current_password: sentence },
        })
      }
      expect(await mails()).toEqual([])
      expect(await recordsOf(services, 'email_changes')).toEqual([])
      // Changes other than the e-mail address need no password.
      expect(await thief.save({ city: 'Macon' })).toMatchObject({ to: '/account-profile' })
    })

    it('counts wrong passwords against the account', async () => {
      for (let guess = 0; guess < 10; guess += 1)
        expect((await thief.save({ email: 'm@example.com', current_password: `guess ${guess}` })).status).toBe(403)
      const late = { email: 'm@example.com', current_password: 'ada-secret' }
      expect(await thief.save(late)).toMatchObject({ status: 429 })
      expect(await thief.choose(passwords('ada-secret', 'new rolling doors'))).toMatchObject({ status: 429 })
    })

    it('ends all other sessions once confirmed and keeps the confirming session', async () => {
      await moveTo('mallory@example.com', 'ada@example.com')
      expect([await isSignedIn(owner), await isSignedIn(thief)]).toEqual([false, true])
    })
  })

  describe('the undo link mailed to the old address', () => {
    it('undoes a new e-mail address once, and only when its button is pressed', async () => {
      const link = await moveTo('mallory@example.com', 'ada@example.com')
      expect(await tenantEmail()).toBe('mallory@example.com')
      const stranger = new AccountBrowser(services)
      expect((await stranger.openLink(link)).data.change).toEqual({ kind: 'email', email: 'ada@example.com' })
      expect((await accountOf()).email).toBe('mallory@example.com')

      expect(await stranger.submitLink(link)).toMatchObject({ status: 302, to: '/forgot?undone=1' })
      expect(await accountOf()).toMatchObject({ email: 'ada@example.com', username: 'ada@example.com' })
      expect(await tenantEmail()).toBe('ada@example.com')
      expect(await isSignedIn(thief)).toBe(false)
      expect(await signInWith('ada@example.com', 'ada-secret')).toBe('failed')
      expect(await stranger.reset('new rolling doors')).toMatchObject({ to: '/forgot?saved=1' })
      expect(await signInWith('ada@example.com', 'new rolling doors')).toBe('success')

      expect(await stranger.submitLink(link)).toMatchObject({ status: 404 })
      expect((await stranger.openLink(link)).data.change).toBeNull()
      expect((await accountOf()).password_hash).toBe('hash of new rolling doors')
    })

    it('removes a passkey added shortly before the change', async () => {
      const passkey = {
        account_id: 'ada',
        public_key: '',
        counter: 0,
        transports: '[]',
        synced: 0 as const,
        name: 'Phone',
      }
      const row = {
        ...passkey,
        passkey_id: 'p1',
        credential_id: 'c1',
        created_at: services.clock.now() - 1000,
        last_used_at: null,
      }
      await addRecord(services, 'passkeys', row)
      await owner.submitLink(await moveTo('mallory@example.com', 'ada@example.com'))
      expect(await recordsOf(services, 'passkeys')).toEqual([])
    })

    it('undoes a new password, signs the thief out and lets the owner choose another password', async () => {
      await thief.choose(passwords('ada-secret', 'rolled by mallory'))
      const link = linkTo(await mails(), 'ada@example.com', 'account-undo')
      expect((await owner.openLink(link)).data.change).toEqual({ kind: 'password', email: 'ada@example.com' })
      expect(await owner.submitLink(link)).toMatchObject({ to: '/forgot?undone=1' })
      expect(await isSignedIn(thief)).toBe(false)
      expect(await signInWith('ada@example.com', 'rolled by mallory')).toBe('failed')
      expect(await owner.reset('new rolling doors')).toMatchObject({ to: '/forgot?saved=1' })
    })

    it('is mailed to the address at the time of the change, even if a thief changes it again first', async () => {
      await thief.choose(passwords('ada-secret', 'rolled by mallory'))
      await change(services, 'accounts', { account_id: 'ada' }, { email: 'mallory@example.com' })
      expect((await mails()).map((mail) => mail.to)).toEqual(['ada@example.com'])
    })

    it('outranks every later change: the first link restores the first address and later links are void', async () => {
      const first = await moveTo('mallory@example.com', 'ada@example.com')
      const second = await moveTo('trent@example.com', 'mallory@example.com')
      await thief.choose(passwords('ada-secret', 'rolled by mallory'))
      const third = linkTo(await mails(), 'trent@example.com', 'account-undo')
      await thief.save({ email: 'last@example.com', current_password: 'rolled by mallory' })
      const last = linkTo(await mails(), 'last@example.com', 'confirm-email')
      expect([second, third, last].every((link) => link !== '')).toBe(true)

      expect(await owner.submitLink(first)).toMatchObject({ to: '/forgot?undone=1' })
      expect(await accountOf()).toMatchObject({ email: 'ada@example.com', username: 'ada@example.com' })
      expect(await tenantEmail()).toBe('ada@example.com')
      const mallory = new AccountBrowser(services)
      for (const link of [second, third]) expect(await mallory.submitLink(link)).toMatchObject({ status: 404 })
      expect(await thief.submitLink(last)).toMatchObject({ to: expect.stringMatching(/^\/login/) })
      expect((await accountOf()).email).toBe('ada@example.com')
      const notices = (await mails()).filter((mail) => mail.to === 'trent@example.com')
      expect(notices).toHaveLength(1)
      expect(notices[0]?.text).not.toContain('account-undo')
    })

    it('still works after a thief used a later link', async () => {
      const first = await moveTo('mallory@example.com', 'ada@example.com')
      const second = await moveTo('trent@example.com', 'mallory@example.com')
      const mallory = new AccountBrowser(services)
      expect(await mallory.submitLink(second)).toMatchObject({ to: '/forgot?undone=1' })
      await mallory.reset('rolled by mallory')
      expect(await owner.submitLink(first)).toMatchObject({ to: '/forgot?undone=1' })
      expect(await accountOf()).toMatchObject({ email: 'ada@example.com', username: 'ada@example.com' })
      expect(await tenantEmail()).toBe('ada@example.com')
      expect(await mallory.reset('rolled again')).toMatchObject({ status: 400 })
    })

    it('works for 7 days, and a modified link never works', async () => {
      const link = await moveTo('mallory@example.com', 'ada@example.com')
      expect(await owner.submitLink(`${link}x`)).toMatchObject({ status: 404 })
      expect(await owner.submitLink('/account-undo')).toMatchObject({ status: 404 })
      services.clock.advance(7 * day - 1)
      expect((await owner.openLink(link)).data.change).not.toBeNull()
      services.clock.advance(1)
      expect((await owner.openLink(link)).data.change).toBeNull()
      expect(await owner.submitLink(link)).toMatchObject({ status: 404 })
      expect((await accountOf()).email).toBe('mallory@example.com')
    })

    it('works once when pressed in two tabs concurrently', async () => {
      const link = await moveTo('mallory@example.com', 'ada@example.com')
      const tabs = [new AccountBrowser(services), new AccountBrowser(services)]
      const answers = await Promise.all(tabs.map((tab) => tab.submitLink(link)))
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([302, 404])
    })

    it('reserves the old address, so that no other account can take it', async () => {
      await moveTo('mallory@example.com', 'ada@example.com')
      const cy = await enter('cy')
      const form = { first: 'Cy', last: 'Dorn', email: 'ada@example.com', current_password: 'cy-secret' }
      await cy.save(form, 'GA1:1002')
      const link = linkTo(await mails(), 'ada@example.com', 'confirm-email')
      expect(link).not.toBe('')
      expect(await cy.submitLink(link)).toMatchObject({ status: 409 })
    })
  })

  it('mails the undo link as well when the API changes the password', async () => {
    const change = { location_code: 'GA1', tenant_id: 1001, current_password: 'ada-secret', password: 'rolled by API' }
    expect(await perform(services, UpdateOnlineAccessPassword, change, asAda)).toMatchObject({
      value: { result: 'success' },
    })
    expect(linkTo(await mails(), 'ada@example.com', 'account-undo')).not.toBe('')
  })

  it('ends a session after 30 days, however often it was extended', async () => {
    for (let turn = 0; turn < 29; turn += 1) {
      services.clock.advance(day - 1000)
      expect(await thief.stay()).toBe(day)
    }
    services.clock.advance(day - 1000)
    const left = 30 * day - 30 * (day - 1000)
    expect(await thief.stay()).toBe(left)
    services.clock.advance(left)
    expect(await isSignedIn(thief)).toBe(false)
    expect(await thief.stay()).toBe(0)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { postTenantUpdateNotice } from '../../modules/accounts/operations/check-account-change-mail-state.ts'
import { login } from '../../modules/accounts/operations/login.ts'
import { resolveBearerToken } from '../../modules/accounts/sessions.ts'
import { addTrustedBrowserMark } from '../../modules/accounts/views/mark-browser-for-own-attempt-count.ts'
import { tenantExists } from '../../modules/reservations/texts/reserve.ts'
import { changeIdentity, decryptIdentity } from '../../modules/tenants/identity-data.ts'
import { loadTenant } from '../../modules/tenants/tenant.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { MailMessage } from '../../ports/mail/mail.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf } from '../../tests/support/rows.ts'
import {
  asAda,
  asCy,
  lease,
  openTestServices,
  type TestServices,
  tenant,
  visitor,
} from '../../tests/support/small-operator.ts'
import { textsByCode } from '../request/alert-texts-by-code.ts'
import { Browser, createSignInToken } from '../testing.ts'
import { formatDevice } from './device-name.ts'
import { AccountBrowser, tenantProfile } from './testing.ts'

class Tenant extends AccountBrowser {
  override save = (form: Record<string, string>, at = 'GA1:1001') =>
    this.post(`/update-profile?at=${at}`, { ...tenantProfile, current_password: 'ada-secret', ...form })
}
const day = 86_400_000

const open = openerForTests()
let services: TestServices
let ada: Tenant
let cy: Tenant

const enter = async (account: string, agent = visitor().agent, address = visitor().address) =>
  new Tenant(services, { token: await createSignInToken(services, account, { agent, address }) })

beforeEach(async () => {
  services = await openTestServices(await open())
  ada = await enter('ada')
  cy = await enter('cy')
})

const tenantOf = async (tenantId = 1001) => {
  const row = await loadTenant(services.db.read, 'GA1', tenantId)
  if (!row) throw new Error(`No tenant ${tenantId}`)
  return row
}
const accountRow = (account: string) => recordOf(services, 'accounts', { account_id: account })
const isSignedIn = async (browser: Browser) =>
  Boolean((await resolveBearerToken(services, browser.ids.token ?? '')).tenant)

const mails = () => runDueMessageJobs(services)
const linkIn = (mail: MailMessage | undefined) =>
  /https:\/\/rent\.example(\/confirm-email\S+)/.exec(mail?.text ?? '')?.[1] ?? ''

describe('a data request', () => {
  it('is treated like a request for its page, without and with a session', async () => {
    const stranger = new Tenant(services, { token: 'f'.repeat(64) })
    // React Router requests a page's data this way where scripts run.
    expect((await stranger.get('/account-profile.data?at=GA1:1001&_routes=account/profile')).to).toBe(
      '/login?next=%2Faccount-profile%3Fat%3DGA1%253A1001',
    )
    const { data } = await ada.get('/account-profile.data')
    expect(data.chrome.menu.filter((entry: { current: boolean }) => entry.current)).toMatchObject([
      { label: 'My Profile' },
    ])
  })
})

describe('My Profile', () => {
  it('shows contact data, masked autopay per lease and sign-in data of this tenant only', async () => {
    await change(
      services,
      'leases',
      { lease_number: 10001 },
      { autopay: 1, autopay_method: 'CC', autopay_label: 'VI **** 1111' },
    )
    await services.db.transaction((tx) => changeIdentity(tx, services, 'GA1', 1001, { birth_date: '1984-05-17' }))
    const { data } = await ada.profile()
    expect(data.info).toMatchObject({ first: 'Ada', email: 'ada@example.com', date_of_birth: '05/17/1984' })
    expect(data.leases).toEqual([
      { href: expect.stringContaining('/unit-lease-details?'), unit: '301', facility: '', autopay: 'Visa ending 1111' },
    ])
    await change(services, 'leases', { lease_number: 10001 }, { unit_number: '10' })
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1001, unit_id: 3, unit_number: '9' }))
    const units = (await ada.profile()).data.leases.map(({ unit }: { unit: string }) => unit)
    expect(units).toEqual(['9', '10'])
    expect(data.login).toEqual({
      username: 'ada@example.com',
      changed: null,
      since: expect.stringMatching(/^\d\d\/\d\d\/\d{4}, /),
    })
    expect(JSON.stringify(data)).not.toMatch(/Dorn|591734|482917|hash of/)
  })

  it('shows the specified menu, with brochure and map only where the facility has them', async () => {
    const labels = async (browser: Tenant) =>
      (await browser.profile()).data.chrome.menu.map((entry: { label: string }) => entry.label)
    const always = ['My Profile', 'Units and Billing', 'Payment History', 'Rent Additional Unit', 'Proof of Insurance']
    expect(await labels(ada)).toEqual([...always, 'Insurance Brochure', 'Unit Map'])
    const set = (columns: object) => change(services, 'locations', { location_code: 'GA1' }, columns)
    await set({ sboa_brochure: '', facility_map_enabled: 0 })
    expect(await labels(ada)).toEqual(always)
    await set({ sboa_brochure: 'protection.pdf', sboa: 0 })
    expect(await labels(ada)).toEqual(always)
  })

  it('asks for each missing e-mail, first name, address, city, zip and state, but not on the form', async () => {
    const gaps = { email: '', email_key: '', first: '', address: ' ', city: '', zip: '', state: '' }
    await change(services, 'tenants', { tenant_id: 1001 }, gaps)
    expect((await ada.profile()).data.chrome.missing).toEqual([
      'e-mail',
      'first name',
      'address',
      'city',
      'zip code',
      'state',
    ])
    expect((await ada.editing()).data.chrome.missing).toEqual([])
    expect((await cy.profile()).data.chrome.missing).toEqual([])
  })

  it('lists the account’s sessions and ends one of them or all others', async () => {
    const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
    services.clock.advance(1000)
    const work = await enter('ada', windows, '203.0.113.9')
    const home = await enter('ada')
    const { devices } = (await ada.profile()).data
    expect(devices).toHaveLength(3)
    expect(devices[0]).toMatchObject({ current: true })
    const atWork = devices.find((device: { device: string }) => device.device === 'Chrome on Windows')
    expect(atWork).toMatchObject({ address: '203.0.113.9', since: '11/20/2026, 12:00 PM', current: false })

    const foreign = (await cy.profile()).data.devices[0].id
    await ada.press({ intent: 'sign-out', id: foreign })
    expect(await isSignedIn(cy)).toBe(true)

    expect(await ada.press({ intent: 'sign-out', id: atWork.id })).toMatchObject({ to: '/account-profile' })
    expect(ada.alert).toBe('deviceSignedOut')
    expect([await isSignedIn(work), await isSignedIn(home), await isSignedIn(ada)]).toEqual([false, true, true])
    await ada.press({ intent: 'sign-out-others' })
    expect(ada.alert).toBe('signedOutElsewhere')
    expect([await isSignedIn(home), await isSignedIn(ada), await isSignedIn(cy)]).toEqual([false, true, true])
    expect((await ada.profile()).data.devices).toHaveLength(1)
  })

  const webKit = 'AppleWebKit/605.1'
  const chrome = 'AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  const iPhone = `(iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit}`
  it.each([
    [`(Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0`, 'Edge on Windows'],
    [`${iPhone} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
    [`${iPhone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
    ['(Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Mac'],
    [`(Linux; Android 15) SamsungBrowser/27.0 ${chrome}`, 'Samsung Internet on Android'],
    [`(X11; CrOS x86_64) ${chrome}`, 'Chrome on Chromebook'],
    ['curl/8.5.0', 'A browser or program we do not know'],
    ['', 'A browser or program we do not know'],
  ])('names the device with the User-Agent “%s”: %s', (agent, words) => {
    expect(formatDevice(agent.replace(/^\(/, 'Mozilla/5.0 ('))).toBe(words)
  })
})

describe('editing the profile', () => {
  it('shows every specified validation message verbatim and keeps the submitted values', async () => {
    const invalid = {
      first: ' ',
      last: '',
      email: 'ada@',
      cell_phone: '404555',
      home_phone: '1',
      work_phone: '555-0100',
      address: 'x'.repeat(141),
      city: '',
      state: 'XX',
      zip: '3030',
      birthday: '31/12/1980',
      company_phone: '12345',
      company_email: 'no',
      company_address: 'y'.repeat(141),
      company_state: 'Q',
      company_zip: '1',
    }
    const answer = await ada.save(invalid)
    expect(answer.status).toBe(400)
    expect(answer.data.fields).toEqual({
      first: 'First Name required',
      last: 'Last Name required',
      email: 'Please enter correct Email ',
      cell_phone: 'Phone number must be 10 digits',
      home_phone: 'Phone number must be 10 digits',
      work_phone: 'Phone number must be 10 digits',
      birthday: 'Invalid date',
      address: 'Address must be 140 characters or fewer',
      city: 'City required',
      state: 'State must be valid',
      zip: 'Zip Code must be 5 digits',
      company_phone: 'Phone number must be 10 digits',
      company_email: 'Please enter correct Email ',
      company_address: 'Company Address must be 140 characters or fewer',
      company_state: 'State must be valid',
      company_zip: 'Zip Code must be 5 digits',
    })
    expect(answer.data.values).toMatchObject({ state: 'XX', birthday: '31/12/1980' })
    expect((await ada.save({ email: '', address: '', state: '' })).data.fields).toEqual({
      email: 'Email required',
      address: 'Address required',
      state: 'State must be valid',
    })
    for (const birthday of ['1/1/1990', '01/1/1990', '11/21/2026', '01/01/2027', '13/01/1990'])
      expect([birthday, (await ada.save({ birthday })).data.fields]).toEqual([birthday, { birthday: 'Invalid date' }])
    expect(await tenantOf()).toMatchObject({ first: 'Ada', city: 'Atlanta' })
    expect(await mails()).toEqual([])
  })

  it('starts with the stored values, saves all changes with the birth date encrypted, and shows a confirmation', async () => {
    expect((await ada.editing()).data).toMatchObject({
      at: 'GA1:1001',
      values: { first: 'Ada', cell_phone: '(404) 555-0111', home_phone: '', birthday: '' },
    })
    const change = {
      middle: 'K',
      cell_phone: '404.555.0199',
      home_phone: '(404) 555-0100',
      work_phone: '404 555 0101',
      address: 'z'.repeat(140),
      city: 'Macon',
      state: 'dc',
      zip: '20001',
      birthday: '02/29/1984',
      company: 'Byrne & Co',
      company_address: '9 Mill Road',
      company_city: 'Macon',
      company_state: 'ga',
      company_zip: '31201',
      company_phone: '4785550100',
      company_email: 'desk@byrne.example',
    }
    const { birthday, ...columns } = change
    expect(await ada.save(change)).toMatchObject({ status: 302, to: '/account-profile' })
    expect(textsByCode[ada.alert as 'profileUpdated']).toBe('Profile update successfully.')
    const row = await tenantOf()
    expect(row).toMatchObject({
      ...columns,
      cell_phone: '4045550199',
      home_phone: '4045550100',
      work_phone: '4045550101',
      state: 'DC',
      company_state: 'GA',
    })
    expect(row.identity_sealed).not.toContain(birthday.slice(-4))
    expect(decryptIdentity(services, row)).toEqual({ birth_date: '1984-02-29' })
    // Saving an empty birthday removes it and keeps the other sealed data.
    await services.db.transaction((tx) => changeIdentity(tx, services, 'GA1', 1001, { drivers_license: '123' }))
    await ada.save({ birthday: '' })
    expect(decryptIdentity(services, await tenantOf())).toEqual({ drivers_license: '123' })
  })

  it('ignores fields outside the form and refuses line breaks', async () => {
    const before = await tenantOf()
    await ada.save({
      status: 'Closed',
      rent: '1',
      grant_online_access: '0',
      grantOnlineAccess: 'False',
      account_id: 'cy',
      active_military: '1',
      tenant_id: '1002',
      location_code: 'HI1',
      email_key: 'cy@example.com',
      last_key: 'x',
    })
    expect(await tenantOf()).toEqual(before)
    expect((await tenantOf(1002)).first).toBe('Cy')
    expect((await ada.save({ first: 'Ada\r\nBcc: x@example.com' })).data.fields.first).toMatch(/First Name/)
  })

  it('saves nothing from a form of another tenant’s profile', async () => {
    expect((await ada.save({ first: 'Mallory' }, 'GA1:1002')).to).toBe('/update-profile')
    expect(ada.alert).toBe('changedElsewhere')
    expect([(await tenantOf()).first, (await tenantOf(1002)).first]).toEqual(['Ada', 'Cy'])
  })

  it.each([
    ['name', { first: 'Adah' }],
    ['phone number', { cell_phone: '4045559999' }],
  ])('notifies the address on file once of a changed %s', async (subject, changed) => {
    await ada.save(changed)
    await ada.save({ ...changed, city: 'Macon' })
    const notices = (await mails()).map((mail) => [mail.to, mail.subject])
    expect(notices).toEqual([['ada@example.com', `Your Storage ${subject} was changed`]])
    expect(await mails()).toEqual([])
  })
})

describe('a new e-mail address', () => {
  const link = async (email = 'ada@new.example') => {
    expect(await ada.save({ email })).toMatchObject({ to: '/account-profile' })
    return linkIn((await mails()).find((mail) => mail.to === email))
  }

  it('takes effect once the mailbox confirms it, and both addresses are notified', async () => {
    const path = await link('Ada@New.example')
    expect(await tenantOf()).toMatchObject({ email: 'ada@example.com', email_key: 'ada@example.com' })
    expect(await accountRow('ada')).toMatchObject({ username: 'ada@example.com', email: 'ada@example.com' })
    const newEmail = 'Ada@New.example'
    expect((await ada.profile()).data.waiting).toEqual({ newEmail, until: '11/21/2026, 12:00 PM' })
    expect((await ada.openLink(path)).data.change).toEqual({ newEmail, oldEmail: 'ada@example.com' })
    expect((await accountRow('ada')).email).toBe('ada@example.com')
    expect(await ada.submitLink(path)).toMatchObject({ to: '/account-profile' })
    expect(ada.alert).toBe('emailChanged')
    // The clock may advance between the two notices; the result covers both even if their times differ.
    const { job_id } = await recordOf(services, 'jobs', { kind: 'tenant_updated' })
    await change(services, 'jobs', { job_id }, { state: 'dead', created_at: services.clock.now() - 1 })
    const notice = { email_template_type: 'email', tenant_email_id: '', new_tenant_email_id: '' }
    expect(await perform(services, postTenantUpdateNotice, notice, asAda)).toMatchObject({
      value: { result: 'failed' },
    })
    await change(services, 'jobs', { job_id }, { state: 'waiting' })
    expect(await tenantOf()).toMatchObject({ email: 'Ada@New.example', email_key: 'ada@new.example' })
    expect(await accountRow('ada')).toMatchObject({ username: 'ada@new.example', email: 'ada@new.example' })
    expect(await isSignedIn(ada)).toBe(true)
    const notices = await mails()
    expect(notices.map((mail) => [mail.to, mail.subject])).toEqual(
      expect.arrayContaining([
        ['ada@example.com', 'Your Storage e-mail address was changed'],
        ['Ada@New.example', 'Your Storage e-mail address was changed'],
      ]),
    )
    expect(notices).toHaveLength(2)
    expect(await ada.submitLink(path)).toMatchObject({ status: 404 })
    expect((await ada.openLink(path)).data.change).toBeNull()
  })

  it('keeps a separate username, updates the account’s other tenants and voids codes sent to the old address', async () => {
    await addRecord(
      services,
      'tenants',
      tenant({
        tenant_id: 1003,
        first: 'Cyrus',
        last: 'Dorn',
        account_id: 'cy',
        email: 'cy@example.com',
        email_key: 'cy@example.com',
        grant_online_access: 1,
      }),
    )
    await addRecord(services, 'reset_codes', {
      reset_id: 'r1',
      account_id: 'cy',
      code_sealed: 'x',
      tries: 0,
      created_at: 0,
      expires_at: 9e12,
      matched_at: null,
      used_at: null,
    })
    const changed = { first: 'Cy', last: 'Dorn', email: 'cyrus@new.example', current_password: 'cy-secret' }
    await cy.save(changed, 'GA1:1002')
    const path = linkIn((await mails())[0])
    expect((await cy.submitLink(path)).to).toBe('/account-profile')
    expect(await accountRow('cy')).toMatchObject({ username: 'cyd', email: 'cyrus@new.example' })
    expect([(await tenantOf(1002)).email, (await tenantOf(1003)).email]).toEqual([
      'cyrus@new.example',
      'cyrus@new.example',
    ])
    const code = await recordOf(services, 'reset_codes')
    expect(code.used_at).toBe(services.clock.now())
  })

  it('never takes over another account, and says so only to a tenant with the mailed link', async () => {
    // Asking for a taken address gets the same response as for a free one.
    const path = await link('cy@example.com')
    expect(ada.alert).toBe('profileUpdated')
    const answer = await ada.submitLink(path)
    expect(answer).toMatchObject({ status: 409, data: { fields: { form: tenantExists } } })
    expect(await accountRow('ada')).toMatchObject({ username: 'ada@example.com', email: 'ada@example.com' })
    expect(await tenantOf()).toMatchObject({ email: 'ada@example.com' })
    expect(await mails()).toEqual([])
  })

  it('refuses the link in another account, with a wrong token, after a day, after a newer request or once withdrawn', async () => {
    const path = await link()
    expect(await cy.submitLink(path)).toMatchObject({ status: 404 })
    expect((await cy.openLink(path)).data.change).toBeNull()
    expect(await ada.submitLink(path.replace(/token=\w+/, 'token=0'))).toMatchObject({ status: 404 })
    const newer = await link('ada@newer.example')
    expect(await ada.submitLink(path)).toMatchObject({ status: 404 })
    await ada.press({ intent: 'keep-email' })
    expect((await ada.profile()).data.waiting).toBeNull()
    expect(await ada.submitLink(newer)).toMatchObject({ status: 404 })
    const last = await link('ada@last.example')
    services.clock.advance(day)
    ada = await enter('ada')
    expect(await ada.submitLink(last)).toMatchObject({ status: 404 })
    expect((await accountRow('ada')).email).toBe('ada@example.com')
  })

  it('takes effect at once for an address of the account and ignores a change of case', async () => {
    await change(services, 'tenants', { tenant_id: 1001 }, { email: '', email_key: '' })
    await ada.save({ email: 'Ada@Example.com' })
    expect(await tenantOf()).toMatchObject({ email: 'Ada@Example.com', email_key: 'ada@example.com' })
    await ada.save({ email: 'ada@example.com' })
    expect((await ada.profile()).data.waiting).toBeNull()
    expect(await mails()).toEqual([])
  })

  it('limits the mails sent to one mailbox', async () => {
    for (let turn = 0; turn < 5; turn += 1) expect((await ada.save({ email: 'a@other.example' })).status).toBe(302)
    const answer = await ada.save({ email: 'a@other.example' })
    expect(answer).toMatchObject({ status: 429, data: { fields: { form: expect.any(String) } } })
  })
})

describe('a new password', () => {
  const form = { current_password: 'ada-secret', password: 'new rolling doors', confirm_password: 'new rolling doors' }

  it('shows every specified validation message', async () => {
    expect((await ada.choose({})).data.fields).toEqual({
      current_password: 'Current Password required',
      password: 'Password required',
      confirm_password: 'Confirm Password required',
    })
    expect((await ada.choose({ ...form, confirm_password: 'another' })).data.fields).toEqual({
      confirm_password: 'Passwords must match',
    })
    const wrong = await ada.choose({ ...form, current_password: 'guess' })
    expect(wrong).toMatchObject({
      status: 403,
      data: { fields: { current_password: 'Please enter correct information.' } },
    })
    expect(JSON.stringify(wrong.data)).not.toContain('guess')
    expect((await accountRow('ada')).password_hash).toBe('hash of ada-secret')
  })

  it('saves the password, opens My Units, ends other sessions, records the time and notifies by mail', async () => {
    const elsewhere = await enter('ada')
    const old = { token: ada.ids.token }
    services.clock.advance(60_000)
    expect(await ada.choose(form)).toMatchObject({ status: 302, to: '/my-units' })
    expect(textsByCode[ada.alert as 'newPasswordSaved']).toBe('New password saved.')
    expect(await accountRow('ada')).toMatchObject({
      password_hash: 'hash of new rolling doors',
      password_changed_at: services.clock.now(),
    })
    expect([await isSignedIn(elsewhere), await isSignedIn(new Browser(services, old)), await isSignedIn(ada)]).toEqual([
      false,
      false,
      true,
    ])
    expect((await ada.profile()).data.login.changed).toBe('11/20/2026, 12:01 PM')
    const notice = { email_template_type: 'password', tenant_email_id: 'ada@example.com' }
    const another = { ...notice, tenant_email_id: 'mallory@example.com' }
    expect(await perform(services, postTenantUpdateNotice, another, asAda)).toMatchObject({ ok: false, status: 409 })
    for (const [state, result] of [
      ['dead', { value: { result: 'failed', message: 'It could not be sent.' } }],
      ['ended', { status: 409, code: 'nothing_to_send' }],
      ['waiting', { value: { result: 'waiting' } }],
    ] as const) {
      await change(services, 'jobs', { kind: 'tenant_updated' }, { state })
      expect(await perform(services, postTenantUpdateNotice, notice, asAda)).toMatchObject(result)
    }
    const [mail, ...more] = await mails()
    expect([mail?.to, mail?.subject, more]).toEqual(['ada@example.com', 'Your Storage password was changed', []])
    expect(await perform(services, postTenantUpdateNotice, notice, asAda)).toMatchObject({ value: { result: 'sent' } })
    expect(await perform(services, postTenantUpdateNotice, notice, asCy)).toMatchObject({ ok: false, status: 409 })
    expect(await mails()).toEqual([])
  })

  it('keeps the browser that changed the password trusted while strangers’ attempts are locked out', async () => {
    const known = await addTrustedBrowserMark(services, [], 'ada')
    const other = await addTrustedBrowserMark(services, [], 'ada')
    const cys = await addTrustedBrowserMark(services, [], 'cy')
    const browser = new Tenant(services, { token: ada.ids.token, known: [...known, ...cys] })
    services.clock.advance(60_000)
    expect((await browser.choose(form)).to).toBe('/my-units')
    for (let guess = 0; guess < 12; guess += 1) {
      const attempt = { username: 'ada@example.com', password: `guess ${guess}` }
      await perform(services, login, attempt, visitor(`203.0.113.${guess}`))
    }
    const signInFrom = async (trustedAccounts: readonly string[] | undefined) => {
      const right = { username: 'ada@example.com', password: form.password }
      const answer = await perform(services, login, right, { ...visitor('198.51.100.7'), trustedAccounts })
      return answer.ok ? answer.value.result : answer.code
    }
    expect(await signInFrom(undefined)).toBe('locked')
    expect(await signInFrom(known)).toBe('locked')
    expect(await signInFrom(other)).toBe('locked')
    expect(await signInFrom(browser.ids.known)).toBe('success')
    expect(browser.ids.known).toEqual(expect.arrayContaining(cys))
  })

  it('keeps the browser trusted when the change is refused', async () => {
    const known = await addTrustedBrowserMark(services, [], 'ada')
    const browser = new Tenant(services, { token: ada.ids.token, known })
    await browser.choose({ ...form, current_password: 'guess' })
    expect(browser.ids.known).toEqual(known)
  })
})

describe('the end of a sign-in', () => {
  it('shows when the session ends, extends it to a day from now and never revives an ended session', async () => {
    expect(await new Tenant(services).left()).toBe(0)
    expect(await ada.left()).toBe(day)
    services.clock.advance(day - 300_000)
    expect(await ada.left()).toBe(300_000)
    expect(await ada.left()).toBe(300_000)
    expect(await ada.stay()).toBe(day)
    services.clock.advance(300_001)
    expect([await isSignedIn(ada), await isSignedIn(cy)]).toEqual([true, false])
    expect([await cy.stay(), await isSignedIn(cy)]).toEqual([0, false])
    await ada.press({ intent: 'sign-out', id: (await ada.profile()).data.devices[0].id })
    expect(await ada.stay()).toBe(0)
  })
})

describe('the brochure by e-mail', () => {
  const search = (email: string, from = new Browser(services)) => from.post('/download-sboa', { email })

  beforeEach(() => {
    services.files = {
      ...services.files,
      get: async (key: string) =>
        key === 'brochures/protection.pdf' ? { content: new Uint8Array([1]), contentType: 'application/pdf' } : null,
    } as typeof services.files
  })

  it('offers the brochure to tenants of its facility', async () => {
    expect(await search(' ADA@example.com')).toMatchObject({ status: 200, data: { brochures: ['/brochure/GA1'] } })
  })

  it('reports bad input, an unknown tenant or a missing brochure', async () => {
    expect((await search('')).data.fields).toEqual({ email: 'Email required' })
    expect((await search('ada')).data.fields).toEqual({ email: 'Please enter correct Email ' })
    expect((await search('nobody@example.com')).data).toMatchObject({
      fields: { email: 'Tenant not found with this email.' },
      values: { email: 'nobody@example.com' },
    })
    for (const without of [{ sboa_brochure: 'gone.pdf' }, { sboa: 0 }] as const) {
      await change(services, 'locations', { location_code: 'GA1' }, without)
      expect((await search('ada@example.com')).data.fields).toEqual({ form: 'SBOA not available' })
    }
  })

  it('does not reveal where a tenant rents: a shared brochure is named after its first facility', async () => {
    await change(services, 'locations', { location_code: 'HI1' }, { sboa: 1, sboa_brochure: 'protection.pdf' })
    const hawaiian = { location_code: 'HI1', tenant_id: 1001, first: 'Kai', last: 'Iona' }
    await addRecord(services, 'tenants', tenant(hawaiian))
    const hawaiianLease = { location_code: 'HI1', lease_number: 1, tenant_id: 1001, unit_id: 1, unit_number: '0001' }
    await addRecord(services, 'leases', lease(hawaiianLease))
    expect((await search('kai@example.com')).data.brochures).toEqual(['/brochure/GA1'])
  })

  it('limits requests for the same e-mail address', async () => {
    for (let turn = 0; turn < 10; turn += 1) expect((await search('x@example.com')).status).toBe(404)
    expect(await search('x@example.com')).toMatchObject({ status: 429 })
    expect((await search('ada@example.com')).status).toBe(200)
  })
})

import { beforeEach, expect, it } from 'vitest'
import {
  comingSoon,
  currentPasswordRequired,
  enterCorrectInformation,
  passkeyExpired,
  passkeyNeedsBrowser,
  passkeyNotAdded,
  passkeyRefused,
} from '../../domain/texts/account.ts'
import { MAX_PASSKEYS, removePasskeysSince } from '../../modules/accounts/passkeys/store.ts'
import { type AuthenticatorOverrides, SoftwareAuthenticator } from '../../modules/accounts/passkeys/testing.ts'
import { resolveBearerToken, signIn } from '../../modules/accounts/sessions.ts'
import { deleteExpiredChallenges } from '../../platform/passkeys/passkey-challenges.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'

class Person extends Browser {
  password = 'ada-secret'
  /** Returns the WebAuthn options, after opening the page that asks for them. */
  async options(form: Record<string, string>, page: 'login' | 'add' = form.intent === 'add' ? 'add' : 'login') {
    if (page === 'login') await this.get('/login')
    else await this.get('/add-passkey')
    return this.bareOptions(form)
  }
  async bareOptions(input: Record<string, string>) {
    const form: Record<string, string> = input.intent === 'add' ? { current_password: this.password, ...input } : input
    const { response } = await this.post('/passkey-options', form)
    const body = JSON.parse((await response?.text()) ?? '{}')
    return { status: response?.status ?? 0, ...body }
  }
  keep = (answer: string, name = 'Phone') => this.post('/add-passkey', { intent: 'add', name, answer })
  async add(authenticator: SoftwareAuthenticator, name = 'Phone', overrides: AuthenticatorOverrides = {}) {
    const { options } = await this.options({ intent: 'add' })
    return this.keep(authenticator.create(options, overrides), name)
  }
  answer = (answer: string, query = '') => this.post(`/login${query}`, { intent: 'passkey', answer })
  async enter(authenticator: SoftwareAuthenticator, overrides: AuthenticatorOverrides = {}, query = '') {
    const { options } = await this.options({ intent: 'sign-in' })
    return this.answer(authenticator.get(options, overrides), query)
  }
  press = (form: Record<string, string>) => this.post('/account-profile', form)
  passkeys = async () => (await this.get('/account-profile')).data.passkeys
  offered = async () => (await this.get('/my-units')).data.offersPasskey
}

const refused = { status: 403, data: { fields: { form: passkeyRefused } } }
const tooLate = { status: 400, data: { fields: { form: passkeyExpired } } }
const minute = 60_000

describeOnBothEngines('Passkeys', (open) => {
  let services: TestServices
  let ada: Person
  let key: SoftwareAuthenticator

  const signedIn = async (account: string) => {
    const person = new Person(services, { token: await signIn(services.db.write, services, account, visitor()) })
    person.password = `${account}-secret`
    return person
  }
  const isSignedIn = async (browser: Browser) =>
    (await resolveBearerToken(services, browser.ids.token ?? '')).tenant?.accountId ?? null
  const loadPasskeys = () => services.db.read.selectFrom('passkeys').selectAll().orderBy('created_at').execute()
  const recorded = () =>
    services.security.recorded.map(([event, details]) => (details?.why ? `${event} ${details.why}` : event))

  beforeEach(async () => {
    services = await openTestServices(await open())
    ada = await signedIn('ada')
    key = new SoftwareAuthenticator()
  })

  const mails = () => runDueMessageJobs(services)

  it('can be added, listed, used to sign in, renamed and removed, and stops working once removed', async () => {
    expect(await ada.offered()).toBe(true)
    const { options } = await ada.options({ intent: 'add' })
    expect(options).toMatchObject({
      rp: { id: 'rent.example', name: 'Storage' },
      user: { name: 'ada@example.com' },
      attestation: 'none',
      excludeCredentials: [],
      timeout: 600_000,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(await ada.keep(key.create(options), ' Ada’s phone ')).toMatchObject({ to: '/account-profile' })
    expect(ada.alert).toBe('passkeyAdded')
    expect(await ada.offered()).toBe(false)
    expect(await ada.passkeys()).toMatchObject([{ name: 'Ada’s phone', used: '', current: false }])
    const [added] = await mails()
    expect(added?.to).toBe('ada@example.com')
    expect(added?.text).toMatch(/passkey “Ada’s phone” was added[\s\S]*https:\/\/rent\.example\/forgot/)

    services.clock.advance(minute)
    const phone = new Person(services)
    const challenge = await phone.options({ intent: 'sign-in' })
    expect(challenge.options).toMatchObject({ rpId: 'rent.example', userVerification: 'required' })
    expect(challenge.options.allowCredentials ?? []).toEqual([])
    expect((await phone.answer(key.get(challenge.options), '?next=%2Frecent-activity')).to).toBe('/recent-activity')
    expect(Object.keys(phone.ids).sort()).toEqual(['known', 'token'])
    expect(await isSignedIn(phone)).toBe('ada')
    expect(await phone.passkeys()).toMatchObject([{ used: expect.stringMatching(/^11\/20\/2026/), current: true }])
    expect(await ada.passkeys()).toMatchObject([{ current: false }])

    const [{ passkey_id: id } = { passkey_id: '' }] = await loadPasskeys()
    for (const name of ['', 'x'.repeat(41), 'see http://evil.example', 'www.evil.example', 'a\u202eb'])
      expect(await ada.press({ intent: 'rename-passkey', id, name })).toMatchObject({ status: 400 })
    await ada.press({ intent: 'rename-passkey', id, name: 'Old phone' })
    expect(await ada.passkeys()).toMatchObject([{ name: 'Old phone' }])

    const other = new Person(services)
    expect((await other.enter(key)).to).toBe('/my-units')
    await phone.press({ intent: 'remove-passkey', id })
    expect([await isSignedIn(phone), await isSignedIn(other), await isSignedIn(ada)]).toEqual(['ada', null, 'ada'])
    expect(await phone.passkeys()).toEqual([])
    expect((await mails()).map((mail) => mail.subject)).toEqual(['A passkey was removed from your Storage account'])
    expect(await new Person(services).enter(key)).toMatchObject(refused)
    expect(recorded()).toEqual(
      expect.arrayContaining(['passkey.added', 'sign_in.succeeded', 'passkey.removed', 'passkey.refused unknown']),
    )
  })

  it('refuses a response with a wrong origin, site, challenge, type or user, or one unverified, badly signed or unreadable', async () => {
    await ada.add(key)
    const cy = new SoftwareAuthenticator({ id: 'cy' })
    await (await signedIn('cy')).add(cy)
    const invalidResponses: [string, AuthenticatorOverrides][] = [
      ['origin', { origin: 'https://rent.example.evil.example' }],
      ['another port', { origin: 'https://rent.example:8443' }],
      ['plain HTTP', { origin: 'http://rent.example' }],
      ['site', { rpId: 'evil.example' }],
      ['above our name', { rpId: 'example' }],
      ['kind', { type: 'webauthn.create' }],
      ['not verified', { userVerified: false }],
      ['in a foreign frame', { crossOrigin: { topOrigin: 'https://evil.example' } }],
      ['another account’s credential', { credentialId: cy.credentialId }],
      ['unknown credential', { credentialId: 'AAAA' }],
      ['no user', { userHandle: null }],
      ['another user', { userHandle: 'AAAA' }],
    ]
    const browser = new Person(services)
    for (const [what, overrides] of invalidResponses)
      expect({ what, ...(await browser.enter(key, overrides)) }).toMatchObject({ what, ...refused })
    for (const challenge of ['', 'AAAA', 'x'.repeat(43)])
      expect((await browser.enter(key, { challenge })).status).toBe(400)

    const { options } = await browser.options({ intent: 'sign-in' })
    const right = key.get(options)
    const forged = JSON.parse(right)
    forged.response.signature = `${forged.response.signature.slice(0, -8)}AAAAAAAA`
    expect(await browser.answer(JSON.stringify(forged))).toMatchObject(refused)
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"id":',
      '"x"',
      JSON.stringify({ ...JSON.parse(right), id: 'x'.repeat(5000) }),
      JSON.stringify({ ...JSON.parse(right), rawId: '<b>' }),
      JSON.stringify({ ...JSON.parse(right), response: { clientDataJSON: 'bm8' } }),
      '['.repeat(10_000),
      'x'.repeat(2_000_000),
    ])
      expect({ text: text.slice(0, 40), status: (await browser.answer(text)).status }).toEqual({
        text: text.slice(0, 40),
        status: 400,
      })
    expect(browser.ids.token).toBeUndefined()
    expect((await loadPasskeys()).map((passkey) => passkey.last_used_at)).toEqual([null, null])
  })

  it('accepts a response once, before it expires, and only from the browser that requested it', async () => {
    await ada.add(key)
    const browser = new Person(services)
    const { options } = await browser.options({ intent: 'sign-in' })
    const answer = key.get(options)
    const thief = new Person(services)
    await thief.options({ intent: 'sign-in' })
    expect(await thief.answer(answer)).toMatchObject(tooLate)
    expect(await new Person(services).answer(answer)).toMatchObject(tooLate)
    expect(await ada.answer(answer)).toMatchObject(tooLate)
    const { passkeys } = browser.ids
    expect((await browser.answer(answer)).to).toBe('/my-units')
    expect(await browser.answer(answer)).toMatchObject(tooLate)
    expect(await new Person(services, { passkeys } as never).answer(answer)).toMatchObject(tooLate)

    const slow = new Person(services)
    const late = await slow.options({ intent: 'sign-in' })
    services.clock.advance(10 * minute)
    expect(await slow.answer(key.get(late.options))).toMatchObject(tooLate)
    expect(await deleteExpiredChallenges(services)).toBeGreaterThan(0)
    expect(await recordsOf(services, 'passkey_challenges')).toEqual([])
    const first = await slow.options({ intent: 'sign-in' })
    await slow.options({ intent: 'sign-in' })
    expect((await slow.answer(key.get(first.options))).to).toBe('/my-units')
    const fresh = await signedIn('ada')
    const adding = await fresh.options({ intent: 'add' })
    expect(await fresh.answer(key.get(adding.options))).toMatchObject(tooLate)
    const challenge = await fresh.options({ intent: 'sign-in' }, 'add')
    const another = new SoftwareAuthenticator({ id: 'another' })
    expect(await fresh.keep(another.create({ ...challenge.options, user: { id: 'AAAA' } }))).toMatchObject(tooLate)
    expect((await fresh.bareOptions({ intent: 'other' })).status).toBe(400)
    expect((await new Person(services).bareOptions({ intent: 'sign-in' })).status).toBe(400)
  })

  it('limits challenges and attempts of one address, signed in or not', async () => {
    const browser = new Person(services)
    await browser.options({ intent: 'sign-in' })
    await ada.options({ intent: 'add' })
    for (let turn = 0; turn < 298; turn += 1)
      expect((await browser.bareOptions({ intent: 'sign-in' })).status).toBe(200)
    expect((await browser.bareOptions({ intent: 'sign-in' })).status).toBe(429)
    expect((await ada.bareOptions({ intent: 'add' })).status).toBe(429)
    for (let turn = 0; turn < 40; turn += 1) expect((await browser.answer('{}')).status).toBe(400)
    expect((await browser.answer('{}')).status).toBe(429)
  })

  it('signs in once when the same response is sent twice at the same moment', async () => {
    await ada.add(key)
    const browser = new Person(services)
    const { options } = await browser.options({ intent: 'sign-in' })
    const answer = key.get(options)
    const { passkeys } = browser.ids
    const both = [1, 2].map(() => new Person(services, { passkeys } as never))
    const tried = await Promise.all(both.map((visitor) => visitor.answer(answer)))
    expect(tried.map((response) => response.to).sort()).toEqual(['', '/my-units'])
  })

  it('refuses a signature counter that does not increase, since the passkey may be a copy', async () => {
    await ada.add(key)
    expect((await new Person(services).enter(key)).to).toBe('/my-units')
    const { counter } = key
    for (const stale of [counter, counter - 1, 0])
      expect(await new Person(services).enter(key, { counter: stale })).toMatchObject(refused)
    expect(recorded()).toContain('passkey.refused counter')
    expect((await new Person(services).enter(key)).to).toBe('/my-units')
    // A synced passkey keeps no counter.
    const synced = new SoftwareAuthenticator({ id: 'synced', counter: 0 })
    await ada.add(synced)
    for (let turn = 0; turn < 2; turn += 1) expect((await new Person(services).enter(synced)).to).toBe('/my-units')
  })

  it('can be registered once per challenge, for this site and by a verified user only', async () => {
    const invalidResponses: [string, AuthenticatorOverrides][] = [
      ['origin', { origin: 'https://evil.example' }],
      ['site', { rpId: 'evil.example' }],
      ['kind', { type: 'webauthn.get' }],
      ['not verified', { userVerified: false }],
      ['certified', { format: 'android-safetynet' }],
      ['other id', { credentialId: 'AAAA' }],
    ]
    for (const [what, overrides] of invalidResponses)
      expect({ what, ...(await ada.add(key, 'Phone', overrides)) }).toMatchObject({
        what,
        status: 403,
        data: { fields: { form: passkeyNotAdded } },
      })
    expect(await ada.add(key, 'Phone', { challenge: 'AAAA' })).toMatchObject(tooLate)
    for (const text of ['{}', 'x'.repeat(20_000), '['.repeat(9000)]) expect((await ada.keep(text)).status).toBe(400)
    expect((await ada.keep('')).data.fields.form).toBe(passkeyNeedsBrowser)
    const { options } = await ada.options({ intent: 'add' })
    const response = key.create(options)
    expect((await ada.keep(response, '')).data.fields.name).toBeDefined()
    expect((await ada.keep(response)).to).toBe('/account-profile')
    expect(await ada.keep(response)).toMatchObject(tooLate)
    const cy = await signedIn('cy')
    expect(await cy.add(key)).toMatchObject({ status: 409 })
    expect(await loadPasskeys()).toMatchObject([{ account_id: 'ada' }])
    const again = await ada.options({ intent: 'add' })
    expect(again.options.excludeCredentials).toMatchObject([{ id: key.credentialId, transports: ['internal'] }])
  })

  it('requires the current password, even right after sign-in, with the attempt limit of a password change', async () => {
    expect(await ada.options({ intent: 'add', current_password: '' })).toMatchObject({
      status: 400,
      fields: { current_password: currentPasswordRequired },
    })
    expect(await ada.options({ intent: 'add', current_password: 'wrong' })).toMatchObject({
      status: 403,
      fields: { current_password: enterCorrectInformation },
    })
    const { options } = await ada.options({ intent: 'add', current_password: 'ada-secret' })
    expect((await ada.keep(key.create(options))).to).toBe('/account-profile')
    for (let tries = 0; tries < 10; tries += 1) await ada.bareOptions({ intent: 'add', current_password: 'wrong' })
    expect((await ada.bareOptions({ intent: 'add', current_password: 'ada-secret' })).status).toBe(429)
    const before = { ...ada.ids }
    await ada.post('/log-out')
    const copy = new Person(services, before)
    expect((await copy.bareOptions({ intent: 'add' })).status).toBe(401)
    expect((await copy.keep('{}')).to).toMatch(/^\/login/)
    expect((await copy.press({ intent: 'remove-passkey', id: 'x' })).to).toMatch(/^\/login/)
    expect(await loadPasskeys()).toHaveLength(1)
  })

  it('allows ten passkeys per account, even when added concurrently, and no account changes those of another', async () => {
    const passkeyNumbered = (number: number) => new SoftwareAuthenticator({ id: `key ${number}` })
    for (let index = 0; index < MAX_PASSKEYS - 1; index += 1)
      expect((await ada.add(passkeyNumbered(index))).to).toBe('/account-profile')
    const challenges = await Promise.all([1, 2, 3].map(() => ada.options({ intent: 'add' })))
    const added = await Promise.all(
      challenges.map(({ options }, index) => ada.keep(passkeyNumbered(100 + index).create(options))),
    )
    expect(added.filter((answer) => answer.to === '/account-profile')).toHaveLength(1)
    expect(added.filter((answer) => answer.status === 409)).toHaveLength(2)
    expect((await ada.options({ intent: 'add' })).status).toBe(409)
    const cy = await signedIn('cy')
    const [first] = await loadPasskeys()
    await cy.press({ intent: 'remove-passkey', id: first?.passkey_id ?? '' })
    await cy.press({ intent: 'rename-passkey', id: first?.passkey_id ?? '', name: 'Mine' })
    expect(await loadPasskeys()).toHaveLength(MAX_PASSKEYS)
    expect((await loadPasskeys()).map((row) => row.name)).not.toContain('Mine')
    expect(await cy.passkeys()).toEqual([])
  })

  it('blocks passkey sign-in before a facility’s takeover and after too many attempts, but not for failed passwords', async () => {
    await ada.add(key)
    await change(services, 'locations', { location_code: 'GA1' }, { coming_soon: 1 })
    expect(await new Person(services).enter(key)).toMatchObject({
      status: 403,
      data: { fields: { form: comingSoon } },
    })
    await change(services, 'locations', { location_code: 'GA1' }, { coming_soon: 0 })
    const stranger = new Person(services)
    const password = { intent: 'login', username: 'ada@example.com', password: 'wrong' }
    for (let tries = 0; tries < 11; tries += 1) await stranger.post('/login', password)
    expect((await stranger.post('/login', password)).status).toBe(429)
    const trusted = new Person(services)
    expect((await trusted.enter(key)).to).toBe('/my-units')

    for (let tries = 0; tries < 10; tries += 1) await stranger.enter(key, { origin: 'https://evil.example' })
    expect((await stranger.enter(key)).status).toBe(429)
    // Attempts in a browser that has signed in to the account have a limit of their own.
    await trusted.post('/log-out')
    expect((await trusted.enter(key)).to).toBe('/my-units')
  })

  it('does not offer a passkey again once declined, and undoing a change removes passkeys added since', async () => {
    const declined = await ada.post('/add-passkey', { intent: 'decline' })
    expect(declined.to).toBe('/my-units')
    expect(await ada.offered()).toBe(false)
    expect(await (await signedIn('cy')).offered()).toBe(true)
    await ada.add(key, 'Mine')
    services.clock.advance(minute)
    const changed = services.clock.now()
    const theirs = new SoftwareAuthenticator({ id: 'thief' })
    await (await signedIn('ada')).add(theirs, 'Thief')
    const thief = new Person(services)
    await thief.enter(theirs)
    const pending = await (await signedIn('ada')).options({ intent: 'add' })
    expect(pending.status).toBe(200)
    expect(await services.db.transaction((tx) => removePasskeysSince(tx, services, 'ada', changed))).toEqual(['Thief'])
    expect(await isSignedIn(thief)).toBeNull()
    expect(await recordsOf(services, 'passkey_challenges', { subject: 'ada' })).toEqual([])
    expect(await new Person(services).enter(theirs)).toMatchObject(refused)
    expect((await new Person(services).enter(key)).to).toBe('/my-units')
  })

  it('keeps passkeys through a reset that names them, unless removed, and an undo removes those a thief added', async () => {
    const reset = async (form: Record<string, string>) => {
      const browser = new Person(services)
      await browser.post('/forgot', { username: 'ada@example.com' })
      const mail = (await mails()).find((mail) => /password code/.test(mail.subject))
      const code = /\b\d{4}\b/.exec(mail?.text ?? '')?.[0] ?? ''
      await browser.post('/forgot', { intent: 'code', code })
      const { data } = await browser.get('/forgot')
      const password = 'sturdy orange ladder'
      const chosen = { intent: 'password', password, confirm_password: password, ...form }
      expect((await browser.post('/forgot', chosen)).to).toBe('/forgot?saved=1')
      return data.passkeys
    }
    await ada.add(key, 'Mine')
    await mails()
    const browser = new Person(services)
    await browser.enter(key)
    expect(await reset({})).toEqual(['Mine'])
    expect(await isSignedIn(browser)).toBeNull()
    const [notice] = await mails()
    expect(notice?.text).toContain('Passkeys still sign in without it: “Mine”.')
    expect((await browser.enter(key)).to).toBe('/my-units')

    services.clock.advance(2 * 86_400_000)
    const theirs = new SoftwareAuthenticator({ id: 'thief' })
    const thief = await signedIn('ada')
    thief.password = 'sturdy orange ladder'
    await thief.add(theirs, 'Thief')
    services.clock.advance(minute)
    const change = {
      current_password: 'sturdy orange ladder',
      password: 'my own words',
      confirm_password: 'my own words',
    }
    await thief.post('/update-password', change)
    const link = (await mails()).flatMap((mail) => /\/account-undo\S+/.exec(mail.text) ?? [])[0] ?? ''
    const owner = new Person(services)
    expect((await owner.post(link)).to).toBe('/forgot?undone=1')
    expect(await new Person(services).enter(theirs)).toMatchObject(refused)
    expect((await new Person(services).enter(key)).to).toBe('/my-units')
    expect(await reset({ remove_passkeys: '1' })).toEqual(['Mine'])
    expect(await loadPasskeys()).toEqual([])
    expect((await mails()).map((mail) => mail.text).join()).not.toContain('Passkeys still sign in')
  })
})

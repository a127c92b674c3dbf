import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { emailKey, nameKey } from '../../domain/name-and-email-keys.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import { type Operation, perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, tenant, visitor } from '../../tests/support/small-operator.ts'
import { stopTexts } from '../tenants/sms-consent.ts'
import { trustedBrowserMark } from './internal/find-trusted-browser-mark.ts'
import { CheckUnitNumber } from './operations/check-unit-number-for-online-access.ts'
import { tenantLookup } from './operations/find-tenant-for-registration.ts'
import { login } from './operations/login.ts'
import { ValidatePasswordRequestIsExist } from './operations/mail-password-reset-code.ts'
import { mailRegistrationLink } from './operations/mail-registration-link.ts'
import { sendForgottenGateCode } from './operations/send-forgotten-gate-code.ts'
import { signInGuestPayer } from './operations/sign-in-guest-payer.ts'
import { checkResetCode, loadResetStep, resetPassword } from './password-reset.ts'
import { registrationLinkToken } from './registration-link.ts'
import { resolveBearerToken } from './sessions.ts'
import { addTrustedBrowserMark } from './views/mark-browser-for-own-attempt-count.ts'
import { loadRegistrantOfInvite } from './views/registration-invite.ts'

const cy = { location_code: 'GA1', last_name: 'Dorn', last_4_digits_of_phone_number: '0122', unit_number: '302' }

describeOnBothEngines('The look-ups', (open, engine) => {
  let services: TestServices
  let address = 0
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const nextAddress = () => {
    address += 1
    return `198.51.${address >> 8}.${address & 255}`
  }
  /** Calls from another network address each time, so that no limit per address is reached. */
  const call = <I, O>(operation: Operation<I, O>, input: unknown, callers = {}) =>
    perform(services, operation, input, { ...visitor(nextAddress()), ...callers })
  const jobs = (kind: string) => services.db.read.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()

  it('find, by their keys, people with accents, apostrophes and long names', async () => {
    for (const [index, last] of ['Núñez', 'O’Brien', "D'Été", 'Łęcki', '李', 'x'.repeat(60)].entries()) {
      await services.db.write
        .updateTable('tenants')
        .set({ last, last_key: nameKey(last) })
        .where('tenant_id', '=', 1002)
        .execute()
      const spelling = [last, last.toUpperCase(), ` ${last} `, last.replace('’', "'")][index % 4]
      const found = await call(tenantLookup, { ...cy, last_name: spelling })
      expect(found, last).toMatchObject({ ok: true, value: { message: 'success', user: { TenantID: 1002 } } })
    }
  })

  it('treat an invalid name as an unknown name, and refuse an invalid e-mail address', async () => {
    const odd = ['%', '_', "' or 1=1 --", '<b>Dorn</b>', '"; drop table tenants; --', '\\', 'é'.repeat(60)]
    for (const text of odd) {
      const result = await call(tenantLookup, { ...cy, last_name: text })
      expect(result, text).toMatchObject({
        ok: true,
        value: { message: 'Please enter correct information.', user: null },
      })
      const unit = await call(tenantLookup, { ...cy, unit_number: text.slice(0, 20) })
      expect(unit.ok ? unit.value : unit.status, text).toMatchObject({ user: null })
      expect(await call(ValidatePasswordRequestIsExist, { username: text })).toMatchObject({ value: { code: '1001' } })
      expect(await call(login, { username: text, password: text })).toMatchObject({ value: { result: 'failed' } })
    }
    for (const text of [...odd, 'x'.repeat(200)]) {
      expect(await call(signInGuestPayer, { email: text }), text).toMatchObject({ ok: false, status: 400 })
      expect(await call(sendForgottenGateCode, { contact: text }), text).toMatchObject({ ok: false, status: 400 })
    }
    for (const email of ['%@example.com', "o'or'1@example.com", `${'x'.repeat(60)}@example.com`]) {
      expect(await call(signInGuestPayer, { email }), email).toMatchObject({ value: { message: 'Email not found.' } })
      expect(await call(sendForgottenGateCode, { contact: email }), email).toMatchObject({
        value: { result: 'not found' },
      })
    }
    expect(await services.db.read.selectFrom('sign_ins').selectAll().execute()).toEqual([])
  })

  it('find, with a guest’s token, every tenant with the e-mail address except the office’s', async () => {
    const shared = { email: 'Cy@Example.com', email_key: emailKey('Cy@Example.com') }
    await services.db.write
      .insertInto('tenants')
      .values([
        tenant({ ...shared, location_code: 'HI1', tenant_id: 5, first: 'Cy', last: 'Dorn' }),
        tenant({ ...shared, location_code: 'HQ', tenant_id: 6, first: 'Cy', last: 'Dorn' }),
      ])
      .execute()
    const found = await call(signInGuestPayer, { email: ' CY@example.com ' })
    const token = found.ok ? found.value.token : ''
    expect(await resolveBearerToken(services, token)).toEqual({
      guest: {
        signIn: tokenHash(token),
        tenants: [
          { locationCode: 'GA1', tenantId: 1002 },
          { locationCode: 'HI1', tenantId: 5 },
        ],
      },
    })
    services.clock.advance(86_400_000)
    expect(await resolveBearerToken(services, token)).toEqual({})
  })

  it('send the gate code to the tenant of an address or a phone, once for two requests', async () => {
    for (const contact of ['CY@example.com', 'cy@example.com', '(404) 555-0122', '+1 404 555 0122']) {
      expect(await call(sendForgottenGateCode, { contact }), contact).toMatchObject({ value: { result: 'sent' } })
    }
    expect([(await jobs('gate_code')).length, (await jobs('gate_code_sms')).length]).toEqual([1, 1])
  })

  it('mail the gate code where texts were stopped, and find no tenant without an e-mail address then', async () => {
    const contact = '(404) 555-0122'
    await services.db.transaction((tx) =>
      stopTexts(tx, services, { phone: '4045550122', askedAt: 'reply', wording: 'STOP' }),
    )
    expect(await call(sendForgottenGateCode, { contact })).toMatchObject({ value: { result: 'sent' } })
    await services.db.write
      .updateTable('tenants')
      .set({ email: '', email_key: '' })
      .where('tenant_id', '=', 1002)
      .execute()
    expect(await call(sendForgottenGateCode, { contact })).toMatchObject({ value: { result: 'not found' } })
    expect([(await jobs('gate_code')).length, (await jobs('gate_code_sms')).length]).toEqual([1, 0])
  })

  it('find a unit by its number exactly as on the lease', async () => {
    const registrant = { registrant: { locationCode: 'GA1', tenantId: 1002 } }
    await services.db.write.updateTable('tenants').set({ account_id: null }).where('tenant_id', '=', 1002).execute()
    const numbers = [
      ['0136', ['136', '00136', '0136A']],
      ['A-12', ['A12', 'a-12', 'A-012']],
    ] as const
    for (const [unit_number, others] of numbers) {
      await services.db.write.updateTable('units').set({ unit_number }).where('held_by', '=', '10002').execute()
      await services.db.write.updateTable('leases').set({ unit_number }).where('lease_number', '=', 10002).execute()
      for (const other of others) {
        const input = { ...cy, unit_number: other }
        expect(await call(tenantLookup, input), other).toMatchObject({ value: { user: null } })
        await mailRegistrationLink(services, input, nextAddress())
        expect(await call(CheckUnitNumber, { location_code: 'GA1', unit_number: other }, registrant)).toMatchObject({
          value: { User: [], ErrorMessage: 'Tenant not found with this unit number' },
        })
      }
      expect(await jobs('register_link')).toEqual([])
      const exact = { location_code: 'GA1', unit_number }
      expect(await call(tenantLookup, { ...cy, unit_number })).toMatchObject({ value: { user: { TenantID: 1002 } } })
      expect(await call(CheckUnitNumber, exact, registrant)).toMatchObject({ value: { User: [{ TenantID: 1002 }] } })
    }
  })

  it('mail the link to register to a tenant without an account, once for two requests', async () => {
    await mailRegistrationLink(services, cy, nextAddress())
    expect(await jobs('register_link')).toEqual([])
    await services.db.write.updateTable('tenants').set({ account_id: null }).where('tenant_id', '=', 1002).execute()
    await mailRegistrationLink(services, { ...cy, last_name: 'Byrne' }, nextAddress())
    await mailRegistrationLink(services, { ...cy, unit_number: '301' }, nextAddress())
    await services.db.write.updateTable('locations').set({ coming_soon: 1 }).execute()
    await mailRegistrationLink(services, cy, nextAddress())
    expect(await jobs('register_link')).toEqual([])
    await services.db.write.updateTable('locations').set({ coming_soon: 0 }).execute()
    await mailRegistrationLink(services, cy, nextAddress())
    await mailRegistrationLink(services, cy, nextAddress())
    expect(await jobs('register_link')).toHaveLength(1)
    const token = registrationLinkToken(services, { location_code: 'GA1', tenant_id: 1002, email: 'Cy@example.com' })
    expect(await loadRegistrantOfInvite(services, token)).toBe(`GA1:1002:${services.clock.now() + 30 * 60_000}`)
    expect(await loadRegistrantOfInvite(services, `${token.slice(0, -16)}${'A'.repeat(16)}`)).toBeNull()
    // The link was mailed to another person's address, which has been corrected since.
    await services.db.write
      .updateTable('tenants')
      .set({ email_key: 'cyd@example.com' })
      .where('tenant_id', '=', 1002)
      .execute()
    expect(await loadRegistrantOfInvite(services, token)).toBeNull()
  })

  it('accept each step of a password reset once, end other reset codes, and forget trusted browsers', async () => {
    const marks = await addTrustedBrowserMark(services, [], 'ada')
    const account = { account_id: 'ada', password_changed_at: null }
    expect(trustedBrowserMark(account, { trustedAccounts: marks })).toBe(marks[0])
    expect(await addTrustedBrowserMark(services, marks, 'ada')).toEqual(marks)
    const requests = await Promise.all(
      [1, 2].map(() => call(ValidatePasswordRequestIsExist, { username: 'ada@example.com' })),
    )
    const [first = '', second = ''] = requests.map((request) => (request.ok ? request.grants?.resetId : undefined))
    const row = await services.db.read
      .selectFrom('reset_codes')
      .select('code_sealed')
      .where('reset_id', '=', first)
      .executeTakeFirstOrThrow()
    const code = services.sealer.open(row.code_sealed, `reset:${first}:code`)
    expect(code).toMatch(/^\d{4}$/)
    expect(await resetPassword(services, first, 'a fresh one 2')).toEqual({ ok: false, passwordError: null })
    const results = await Promise.all([1, 2, 3].map(() => checkResetCode(services, first, code, visitor())))
    expect(results.sort()).toEqual(['matched', 'over', 'over'])
    const finished = await Promise.all([1, 2].map(() => resetPassword(services, first, 'a fresh one 2')))
    expect(finished.filter((reset) => reset.ok)).toHaveLength(1)
    expect([await loadResetStep(services, first), await loadResetStep(services, second)]).toEqual(['none', 'none'])
    const changed = await services.db.read
      .selectFrom('accounts')
      .selectAll()
      .where('account_id', '=', 'ada')
      .executeTakeFirstOrThrow()
    expect(trustedBrowserMark(changed, { trustedAccounts: marks })).toBeUndefined()
  })

  it('leave out a facility that is not taken over yet, and refuse a log-in to it', async () => {
    await services.db.write
      .insertInto('tenants')
      .values(
        tenant({
          location_code: 'HI1',
          tenant_id: 5,
          first: 'Ada',
          last: 'Byrne',
          account_id: 'ada',
          grant_online_access: 1,
        }),
      )
      .execute()
    await services.db.write
      .updateTable('locations')
      .set({ coming_soon: 1 })
      .where('location_code', '=', 'HI1')
      .execute()
    const signedIn = await call(login, { username: 'ada@example.com', password: 'ada-secret' })
    const { tenant: caller } = await resolveBearerToken(services, signedIn.ok ? signedIn.value.token : '')
    expect(caller?.tenants).toEqual([{ locationCode: 'GA1', tenantId: 1001 }])
    expect(
      await call(login, { username: 'ada@example.com', password: 'ada-secret', location_code: 'HI1' }),
    ).toMatchObject({
      value: { message: expect.stringContaining('still in the process of migrating') },
    })
  })

  it.runIf(engine === 'sqlite')('use an index on SQLite, for tenants, accounts and leases', async () => {
    const plans = await Promise.all(
      [
        sql`explain query plan select * from tenants where email_key = 'x'`,
        sql`explain query plan select * from tenants where cell_phone = 'x'`,
        sql`explain query plan select * from tenants where location_code = 'x' and last_key = 'y'`,
        sql`explain query plan select * from accounts where email = 'x'`,
        sql`explain query plan select * from leases where location_code = 'x' and tenant_id = 1`,
      ].map((query) => query.execute(services.db.read)),
    )
    for (const plan of plans) {
      expect(plan.rows.map((row) => (row as { detail: string }).detail)).toEqual([expect.stringMatching(/USING INDEX/)])
    }
  })
})

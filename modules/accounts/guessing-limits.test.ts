import { beforeEach, expect, it } from 'vitest'
import { type Guess, guessLimits, refuseLinkAttempt } from '../../platform/operations/brute-force-limits.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { asAda, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { matchTenant } from '../reservations/match-tenant.ts'
import { GetActiveReservation } from '../reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from '../reservations/operations/find-reservation.ts'
import { getProspect } from '../reservations/operations/locate-reservation-of-mailed-link.ts'
import { GetTenantDetailsByEmail } from '../tenants/operations/check-tenant-exists-by-email.ts'
import { UpdateOnlineAccessPassword } from './operations/create-account-or-change-password.ts'
import { tenantLookup } from './operations/find-tenant-for-registration.ts'
import { login } from './operations/login.ts'
import { ValidatePasswordRequestIsExist } from './operations/mail-password-reset-code.ts'
import { sendForgottenGateCode } from './operations/send-forgotten-gate-code.ts'
import { signInGuestPayer } from './operations/sign-in-guest-payer.ts'
import { UpdateTenantInfo } from './operations/update-tenant-info.ts'
import { checkResetCode } from './password-reset.ts'
import { addTrustedBrowserMark } from './views/mark-browser-for-own-attempt-count.ts'

const uuid = '0d60df37-8c54-4584-8c99-6f76986bc85f'

describeOnBothEngines('The guessing limit', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  const visitorAt = (at: number) => visitor(`198.51.${100 + Math.floor(at / 250)}.${at % 250}`)
  /** Uses up the hourly limit over all callers, as a botnet would. */
  const exhaust = (guess: Guess) =>
    services.db.write
      .insertInto('limits')
      .values({
        key: `all:${guess}`,
        points: guessLimits[guess].all.points,
        expires_at: services.clock.now() + 3_600_000,
      })
      .execute()

  it('limits guesses of reset codes by address to 20, for all accounts together', async () => {
    const account = { question_id: 1, security_answer_hash: '', password_hash: '', created_at: 0 }
    const names = Array.from({ length: 20 }, (_, at) => `renter${at}@example.com`)
    await services.db.write
      .insertInto('accounts')
      .values(names.map((name, at) => ({ ...account, account_id: `renter${at}`, username: name, email: name })))
      .execute()
    const results: string[] = []
    for (const [at, username] of names.entries()) {
      const request = await perform(services, ValidatePasswordRequestIsExist, { username }, visitorAt(at))
      if (!request.ok) throw new Error(request.message)
      for (let turn = 0; turn < 5; turn += 1)
        results.push(await checkResetCode(services, request.grants?.resetId ?? '', 'none', visitor('203.0.113.9')))
    }
    // The fifth attempt at a code ends it; from the address's twenty-first attempt on, codes are not compared.
    expect(results.filter((result) => result === 'wrong')).toHaveLength(16)
    expect(results.slice(20).every((result) => result === 'over')).toBe(true)
    const tries = await services.db.read.selectFrom('reset_codes').select('tries').orderBy('created_at').execute()
    expect(tries.reduce((sum, row) => sum + row.tries, 0)).toBe(20)
  })

  it('records a refused attempt once, also for a look-up', async () => {
    const lines = () => services.security.recorded.filter(([event]) => event !== 'sign_in.refused')
    for (let at = 0; at < 11; at += 1) {
      const input = { location_code: 'GA1', last_name: 'Byrne', phone_last_four: `000${at % 10}` }
      await perform(services, GetActiveReservation, input, visitorAt(at))
    }
    expect(lines()).toEqual([['limit.reached', { operation: 'reservation' }]])
    services.security.recorded.length = 0
    for (let at = 0; at < 11; at += 1)
      await perform(services, login, { username: 'ada@example.com', password: 'not-hers' }, visitorAt(at))
    expect(lines()).toEqual([['sign_in.locked', { account: expect.any(String), how: 'password' }]])
    services.security.recorded.length = 0
    await exhaust('presence')
    const own = { location_code: 'GA1', tenant_id: 1001, current_password: 'ada-secret', password: 'new rolling doors' }
    await perform(services, UpdateOnlineAccessPassword, own, asAda)
    expect(lines()).toEqual([['limit.reached', { operation: 'presence' }]])
  })

  it('limits a botnet that uses another address and another name for each attempt', async () => {
    const maximum = guessLimits.reservation.all.points
    const statuses: number[] = []
    for (let at = 0; at < maximum + 3; at += 1) {
      const input = { location_code: 'GA1', last_name: `Name ${at}`, phone_last_four: '0147' }
      const result = await perform(services, GetActiveReservation, input, visitorAt(at))
      statuses.push(result.ok ? 200 : result.status)
    }
    expect([statuses.indexOf(429), statuses.filter((status) => status === 200).length]).toEqual([maximum, maximum])
    services.clock.advance(3_600_000)
    const input = { location_code: 'GA1', last_name: 'Kessler', phone_last_four: '0147' }
    expect(await perform(services, GetActiveReservation, input, visitorAt(1))).toMatchObject({ ok: true })
  })

  it('has a limit over all callers for passwords, look-ups and links', async () => {
    const at = { location_code: 'GA1' }
    const own = { ...at, tenant_id: 1001, current_password: 'ada-secret', password: 'new rolling doors' }
    const attempts: Record<
      Exclude<Guess, 'reset code' | 'tenant match' | 'office password' | 'office factor'>,
      () => Promise<unknown>
    > = {
      password: () => perform(services, login, { username: 'ada@example.com', password: 'ada-secret' }, visitorAt(1)),
      presence: () => perform(services, UpdateOnlineAccessPassword, own, asAda),
      'reset name': () =>
        perform(services, ValidatePasswordRequestIsExist, { username: 'ada@example.com' }, visitorAt(1)),
      unit: () =>
        perform(
          services,
          tenantLookup,
          { ...at, unit_number: '301', last_name: 'Byrne', last_4_digits_of_phone_number: '0111' },
          visitorAt(1),
        ),
      reservation: () =>
        perform(services, GetActiveReservation, { ...at, last_name: 'Byrne', phone_last_four: '0111' }, visitorAt(1)),
      'reservation code': () =>
        perform(services, FindReservation, { ...at, reservation_code: 'K7M2XQ9TRD' }, visitorAt(1)),
      'guest e-mail': () => perform(services, signInGuestPayer, { email: 'ada@example.com' }, visitorAt(1)),
      'gate code': () => perform(services, sendForgottenGateCode, { contact: 'ada@example.com' }, visitorAt(1)),
      'tenant e-mail': () => perform(services, GetTenantDetailsByEmail, { email: 'ada@example.com' }, visitorAt(1)),
      link: () => perform(services, getProspect, { uuid }, visitorAt(1)),
    }
    for (const [guess, attempt] of Object.entries(attempts) as [Guess, () => Promise<unknown>][]) {
      expect({ guess, ...((await attempt()) as object) }).not.toMatchObject({ status: 429 })
      await services.db.write.deleteFrom('limits').where('key', '=', `all:${guess}`).execute()
      await exhaust(guess)
      expect({ guess, ...((await attempt()) as object) }).toMatchObject({ guess, status: 429 })
    }
    expect(await refuseLinkAttempt(services, '203.0.113.77')).toMatchObject({ status: 429 })
    // Once the limit is reached, no match is proven, so the renter becomes a separate tenant.
    const claim = { last: 'Byrne', email: 'ada@example.com', cell_phone: '4045550111' }
    expect((await matchTenant(services, 'GA1', claim)).proven).toMatchObject({ tenant_id: 1001 })
    await exhaust('tenant match')
    expect(await matchTenant(services, 'GA1', claim)).toEqual({ proven: null, duplicateOf: 1001 })
  })

  it('does not count a correct answer, and leaves log-in and reset usable in the owner’s trusted browser', async () => {
    const right = { username: 'ada@example.com', password: 'ada-secret' }
    await perform(services, login, right, visitorAt(1))
    await perform(
      services,
      tenantLookup,
      { location_code: 'GA1', unit_number: '301', last_name: 'Byrne', last_4_digits_of_phone_number: '0111' },
      visitorAt(1),
    )
    expect(await services.db.read.selectFrom('limits').select('key').where('key', 'like', 'all:%').execute()).toEqual(
      [],
    )
    const trustedAccounts = await addTrustedBrowserMark(services, [], 'ada')
    for (const guess of ['password', 'reset name', 'reset code'] as const) await exhaust(guess)
    const own = { ...visitorAt(2), trustedAccounts }
    expect(await perform(services, login, right, own)).toMatchObject({ value: { result: 'success' } })
    const request = await perform(services, ValidatePasswordRequestIsExist, { username: 'ada@example.com' }, own)
    if (!request.ok) throw new Error(request.message)
    expect(await checkResetCode(services, request.grants?.resetId ?? '', 'none', visitorAt(3))).toBe('over')
    expect(await checkResetCode(services, request.grants?.resetId ?? '', 'none', own)).toBe('wrong')
  })

  it('counts in one process the attempts that another has recorded', async () => {
    const wrongLogin = { username: 'nobody@example.com', password: 'guess' }
    await services.db.write
      .insertInto('limits')
      .values({ key: 'all:presence', points: 499, expires_at: services.clock.now() + 3_600_000 })
      .execute()
    const change = { location_code: 'GA1', tenant_id: 1001, password: 'new rolling doors', current_password: 'guess' }
    await perform(services, UpdateOnlineAccessPassword, change, asAda)
    expect(await perform(services, UpdateOnlineAccessPassword, change, asAda)).toMatchObject({ status: 429 })
    expect(await perform(services, login, wrongLogin, visitorAt(1))).toMatchObject({ value: { result: 'failed' } })
  })

  it('writes refused and successful attempts to the security log, without passwords', async () => {
    services.security.recorded.length = 0
    await perform(services, login, { username: 'ada@example.com', password: 'guess' }, visitorAt(1))
    await perform(services, login, { username: 'ada@example.com', password: 'ada-secret' }, visitorAt(1))
    const email = {
      location_code: 'GA1',
      tenant_id: 1001,
      first: 'Ada',
      last: 'Byrne',
      email: 'new@example.com',
      cell_phone: '4045550111',
      address: '5 Elm Street',
      city: 'Atlanta',
      state: 'GA',
      zip: '30309',
    }
    await perform(services, UpdateTenantInfo, { ...email, current_password: 'guess' }, asAda)
    await perform(services, UpdateTenantInfo, { ...email, current_password: 'ada-secret' }, asAda)
    await services.db.write.deleteFrom('limits').execute()
    await exhaust('password')
    await perform(services, login, { username: 'ada@example.com', password: 'ada-secret' }, visitorAt(1))
    expect(services.security.recorded.map(([event]) => event)).toEqual([
      'sign_in.refused',
      'sign_in.succeeded',
      'password.refused',
      'email.change_requested',
      'sign_in.locked',
    ])
    expect(JSON.stringify(services.security.recorded)).not.toMatch(/guess|ada-secret/)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import {
  UpdateOnlineAccess,
  UpdateOnlineAccessPassword,
} from '../modules/accounts/operations/create-account-or-change-password.ts'
import { login } from '../modules/accounts/operations/login.ts'
import { UpdateTenantInfo } from '../modules/accounts/operations/update-tenant-info.ts'
import { endSignIn, resolveBearerToken } from '../modules/accounts/sessions.ts'
import { AddFeesToLease } from '../modules/leases/operations/add-full-day-access-fee-by-tenant.ts'
import { GetTenantUnitLeaseDetails } from '../modules/leases/operations/get-tenant-unit-lease-details.ts'
import { GetTenantUnitList_V1 } from '../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { AddGateAccessTimeZone } from '../modules/leases/operations/set-lease-gate-hours.ts'
import { renterUnder18 } from '../modules/move-in/texts/move-in.ts'
import { loadDraft } from '../modules/reservations/draft.ts'
import { postProspects } from '../modules/reservations/operations/ensure-prospect-record-of-own-reservation.ts'
import { GetActiveReservation } from '../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { putProspect } from '../modules/reservations/operations/mark-prospect-completed.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { decryptIdentity } from '../modules/tenants/identity-data.ts'
import { AddTenantNotes } from '../modules/tenants/operations/add-note-by-tenant.ts'
import { GetTenantDetailsByEmail } from '../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { GetTenantInfo } from '../modules/tenants/operations/get-tenant-info.ts'
import { postTenants } from '../modules/tenants/operations/save-tenant-birthday.ts'
import { UpdateTenantMilitaryStatus } from '../modules/tenants/operations/update-tenant-military-status.ts'
import { loadTenant } from '../modules/tenants/tenant.ts'
import { tokenHash } from '../platform/encryption/token-hash.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { type Operation, perform } from '../platform/operations/operation.ts'
import { describeOnBothEngines } from './support/databases.ts'
import {
  asAda,
  asCy,
  contact,
  lease,
  openTestServices,
  type TestServices,
  tenant,
  visitor,
  withDraft,
} from './support/small-operator.ts'

const ada = { location_code: 'GA1', tenant_id: 1001 }
const adasLease = { ...ada, lease_no: 10001 }
const guest: Callers = {
  ...visitor(),
  guest: { tenants: [{ locationCode: 'GA1', tenantId: 1001 }], signIn: 'of a guest' },
}

describeOnBothEngines('Access', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const call = <I, O>(operation: Operation<I, O>, input: object, callers = visitor()) =>
    perform(services, operation, input, callers)

  async function reserve() {
    const reserved = await call(
      SaveReservationDetails_WEB,
      { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact },
      visitor(),
    )
    if (!reserved.ok) throw new Error(JSON.stringify(reserved))
    return {
      ...reserved.value,
      session: await withDraft(services, reserved.grants?.draftId),
      draftId: reserved.grants?.draftId ?? '',
    }
  }
  async function find() {
    services.clock.advance(60_000)
    const found = await call(
      GetActiveReservation,
      { location_code: 'GA1', last_name: "o'neill", phone_last_four: '0147' },
      visitor(),
    )
    return withDraft(services, found.ok ? found.grants?.draftId : undefined)
  }
  async function moveIn(code: string, unitNumber: string) {
    const unit = await services.db.read
      .selectFrom('units')
      .select('unit_id')
      .where('held_by', '=', code)
      .executeTakeFirstOrThrow()
    await services.db.write
      .insertInto('leases')
      .values(
        lease({
          lease_number: 10003,
          tenant_id: 1003,
          unit_id: unit.unit_id,
          unit_number: unitNumber,
          reservation_code: code,
          gate_code: '734219',
        }),
      )
      .execute()
    await services.db.write.updateTable('reservations').set({ status: 'completed', lease_number: 10003 }).execute()
  }

  it('shows tenants their own data, and not whether another tenant’s lease exists', async () => {
    expect(await call(GetTenantInfo, ada, asAda)).toMatchObject({
      ok: true,
      value: { first: 'Ada', email: 'ada@example.com', grantOnlineAccess: 'True' },
    })
    expect(await call(GetTenantUnitLeaseDetails, adasLease, asAda)).toMatchObject({
      ok: true,
      value: {
        unitNumber: '301',
        gateCode: '482917',
        comboCode: '4821',
        leaseStatus: 'Current',
        currentBalanceDue: '0.00',
        paidThroughDate: '11/30/2026',
        tenantName: 'Ada Byrne',
        autopay: 'False',
      },
    })
    const othersLease = await call(GetTenantUnitLeaseDetails, { ...ada, lease_no: 10002 }, asAda)
    expect(othersLease).toMatchObject({ ok: false, status: 404 })
    expect(await call(GetTenantUnitLeaseDetails, { ...ada, lease_no: 99999 }, asAda)).toEqual(othersLease)
    // A past-due tenant does not get the combination of the overlock.
    const late = await call(GetTenantUnitLeaseDetails, { location_code: 'GA1', tenant_id: 1002, lease_no: 10002 }, asCy)
    expect(late).toMatchObject({
      ok: true,
      value: { comboCode: '', currentBalanceDue: '151.37', leaseStatus: 'Past Due' },
    })
  })

  it('shows a guest payer unit and lease, but no name, address or code', async () => {
    const details = await call(GetTenantUnitLeaseDetails, adasLease, guest)
    expect(details).toMatchObject({
      ok: true,
      value: { unitNumber: '301', leaseNumber: 10001, gateCode: '', comboCode: '', tenantName: '' },
    })
    expect(JSON.stringify(details)).not.toMatch(/Ada|Byrne|Elm|482917|4821|ada@/)
    expect(await call(GetTenantUnitList_V1, ada, guest)).toEqual({
      ok: true,
      value: { Unit: [{ UnitNumber: '301', LeaseNumber: 10001 }] },
    })
    expect(await call(GetTenantInfo, ada, guest)).toMatchObject({ ok: false, status: 403 })
  })

  it('lets the session that entered a tenant correct it, and one that found it only fill in what is missing', async () => {
    const reservation = await reserve()
    const own = { location_code: 'GA1', tenant_id: reservation.tenantId }
    expect(await call(GetTenantInfo, own, reservation.session)).toMatchObject({
      ok: true,
      value: { email: 'rae@example.com' },
    })
    expect(await call(UpdateTenantInfo, { ...own, ...contact, city: 'Macon' }, reservation.session)).toMatchObject({
      ok: true,
      value: { Message: 'Profile update successfully.' },
    })
    await services.db.write.updateTable('tenants').set({ address: '' }).where('tenant_id', '=', 1003).execute()
    const finder = await find()
    expect(await call(GetTenantInfo, own, finder)).toMatchObject({
      ok: true,
      value: { first: 'R***', email: 'r***@e***', address: '', city: '***' },
    })
    const theft = {
      ...own,
      ...contact,
      email: 'mallory@example.com',
      cell_phone: '4045550666',
      address: '9 New Street',
    }
    expect(await call(UpdateTenantInfo, theft, finder)).toMatchObject({ ok: true })
    expect(await loadTenant(services.db.read, 'GA1', 1003)).toMatchObject({
      email: 'rae@example.com',
      cell_phone: '4045550147',
      city: 'Macon',
      address: '9 New Street',
    })
  })

  it('ignores account, online access and military status in an update, and refuses a line break in a name', async () => {
    const update = {
      ...ada,
      ...contact,
      current_password: 'ada-secret',
      account_id: 'cy',
      grant_online_access: 0,
      active_military: 1,
      created_at: 1,
    }
    await call(UpdateTenantInfo, update, asAda)
    expect(await loadTenant(services.db.read, 'GA1', 1001)).toMatchObject({
      first: 'Rae',
      account_id: 'ada',
      grant_online_access: 1,
      active_military: 0,
    })
    expect(
      await call(UpdateTenantInfo, { ...ada, ...contact, first: 'Rae\r\nBcc: x@example.com' }, asAda),
    ).toMatchObject({ ok: false, status: 400, fields: { first: expect.any(String) } })
  })

  it('keeps a birthday encrypted, and refuses an invalid one and a renter under 18', async () => {
    const reservation = await reserve()
    const identity = {
      location_code: 'GA1',
      tenant_id: reservation.tenantId,
      first_name: 'Rae',
      last_name: "O'Neill",
      birthday: '05/14/1987',
    }
    expect(await call(postTenants, identity, reservation.session)).toMatchObject({ ok: true })
    const row = await loadTenant(services.db.read, 'GA1', 1003)
    expect(row?.identity_sealed).not.toContain('1987')
    expect(row && decryptIdentity(services, row)).toEqual({ birth_date: '1987-05-14' })
    const finder = await find()
    const loadBirthDate = async () => {
      const tenant = await loadTenant(services.db.read, 'GA1', 1003)
      return tenant && decryptIdentity(services, tenant).birth_date
    }
    expect(await call(postTenants, { ...identity, birthday: '01/01/1990' }, finder)).toMatchObject({ ok: true })
    expect(await loadBirthDate()).toBe('1987-05-14')
    await call(postTenants, { ...identity, birthday: '05/15/1987' }, reservation.session)
    expect(await loadBirthDate()).toBe('1987-05-15')
    await services.db.write
      .updateTable('tenants')
      .set({ identity_sealed: null })
      .where('tenant_id', '=', 1003)
      .execute()
    await call(postTenants, { ...identity, birthday: '01/01/1990' }, finder)
    expect(await loadBirthDate()).toBe('1990-01-01')
    expect(await call(postTenants, { ...identity, birthday: '02/30/1987' }, reservation.session)).toMatchObject({
      ok: false,
      fields: { birthday: 'Invalid date' },
    })
    for (const birthday of ['11/21/2026', '2126-01-01']) {
      expect(await call(postTenants, { ...identity, birthday }, reservation.session)).toMatchObject({
        ok: false,
        status: 400,
        fields: { birthday: 'Invalid date' },
      })
    }
    // Neither operation accepts a renter who is one day short of 18 years.
    const minor = { ok: false, status: 400, fields: { birthday: renterUnder18 } }
    expect(await call(postTenants, { ...identity, birthday: '11/21/2008' }, reservation.session)).toMatchObject(minor)
    const { location_code, tenant_id } = identity
    const renting = { location_code, tenant_id, ...contact, birthday: '11/21/2008' }
    expect(await call(UpdateTenantInfo, renting, reservation.session)).toMatchObject(minor)
    expect(await loadBirthDate()).toBe('1990-01-01')
    for (const birthday of ['11/20/2008', '01/01/1990'])
      expect(await call(postTenants, { ...identity, birthday }, reservation.session)).toMatchObject({ ok: true })
    const update = { ...ada, ...contact, first: 'Ada', last: 'Byrne', email: 'ada@example.com', birthday: '11/21/2026' }
    expect(await call(UpdateTenantInfo, update, asAda)).toMatchObject({ fields: { birthday: 'Invalid date' } })
    expect(await call(postTenants, { ...identity, last_name: 'Byrne' }, reservation.session)).toMatchObject({
      status: 409,
    })
    const read = (callers: Callers) =>
      call(GetTenantInfo, { location_code: 'GA1', tenant_id: reservation.tenantId ?? 0 }, callers)
    for (const session of [reservation.session, finder]) {
      expect(await read(session)).toMatchObject({ value: { birthday: 'On file', date_of_birth: 'On file' } })
    }
    const signedIn = { ...visitor(), tenant: { accountId: 'x', tenants: [{ locationCode: 'GA1', tenantId: 1003 }] } }
    expect(await read(signedIn)).toMatchObject({ value: { birthday: '01/01/1990', countryID: 'US' } })
  })

  it('tells a visitor only whether a tenant on file has the given e-mail address, and limits look-ups per e-mail address', async () => {
    const exists = (email: string, callers = visitor()) =>
      call(GetTenantDetailsByEmail, { location_code: 'GA1', email }, callers)
    expect(await exists('ADA@example.com')).toEqual({
      ok: true,
      value: { TenantExists: 'True', Message: 'A tenant with this email address already exists.', Tenant: [] },
    })
    expect(await exists('nobody@example.com')).toMatchObject({ ok: true, value: { TenantExists: 'False', Tenant: [] } })
    await reserve()
    expect(await exists('rae@example.com')).toMatchObject({ ok: true, value: { TenantExists: 'False' } })
    expect(await exists('ada@example.com', asAda)).toMatchObject({
      ok: true,
      value: { Tenant: [{ location_code: 'GA1', tenantId: 1001 }] },
    })
    expect(await exists('ada@example.com', asCy)).toMatchObject({ ok: true, value: { Tenant: [] } })
    for (let index = 0; index < 10; index++) await exists('cy@example.com', visitor(`203.0.113.${index}`))
    expect(await exists('cy@example.com', visitor('203.0.113.99'))).toMatchObject({ ok: false, status: 429 })
  })

  it('stores notes and military status, and clears the military details when active duty ends', async () => {
    expect(await call(AddTenantNotes, { ...ada, note: 'Lost\nher lock' }, asAda)).toMatchObject({ ok: true })
    expect(await call(AddTenantNotes, { ...ada, note: 'x', lease_number: 10002 }, asAda)).toMatchObject({
      ok: false,
      status: 404,
    })
    const yes = {
      ...ada,
      active_military: '1',
      military_branch: 'Navy',
      military_base: 'Kings Bay',
      commanding_officer: 'C. Strom',
    }
    expect(await call(UpdateTenantMilitaryStatus, yes, asAda)).toMatchObject({ ok: true })
    expect((await loadTenant(services.db.read, 'GA1', 1001))?.military).toContain('Kings Bay')
    expect(await call(UpdateTenantMilitaryStatus, { ...ada, active_military: 1 }, asAda)).toMatchObject({
      ok: false,
      fields: { military_branch: 'Branch required' },
    })
    await call(UpdateTenantMilitaryStatus, { ...yes, active_military: 0 }, asAda)
    expect(await loadTenant(services.db.read, 'GA1', 1001)).toMatchObject({ active_military: 0, military: '{}' })
  })

  it('forbids a session that only found the reservation to end active duty, and after the move-in also the one that made it', async () => {
    const reservation = await reserve()
    const own = { location_code: 'GA1', tenant_id: reservation.tenantId }
    const duty = { military_branch: 'Navy', military_base: 'Kings Bay', commanding_officer: 'C. Strom' }
    const setActiveDuty = (active_military: 0 | 1, by: Callers, details = duty) =>
      call(UpdateTenantMilitaryStatus, { ...own, ...details, active_military }, by)
    const loadMilitary = async () => (await loadTenant(services.db.read, 'GA1', 1003))?.military
    const finder = await find()
    expect(await setActiveDuty(1, finder)).toMatchObject({ ok: true })
    expect(await setActiveDuty(0, finder)).toMatchObject({ ok: false, status: 403 })
    expect(await setActiveDuty(1, finder, { ...duty, military_base: 'Elsewhere' })).toMatchObject({ ok: true })
    expect(await loadMilitary()).toContain('Kings Bay')
    expect(await setActiveDuty(0, reservation.session)).toMatchObject({ ok: true })
    expect(await setActiveDuty(1, reservation.session)).toMatchObject({ ok: true })
    await moveIn(reservation.reservationCode, reservation.unitNumber)
    expect(await setActiveDuty(0, reservation.session)).toMatchObject({ ok: false, status: 403 })
    expect(await loadMilitary()).toContain('Kings Bay')
  })

  it('opens the gate at all hours only for a lease that pays for it', async () => {
    const hours = { ...ada, lease_number: 10001, time_zone_name: '24-hour' }
    expect(await call(AddGateAccessTimeZone, hours, asAda)).toMatchObject({
      ok: true,
      value: { SaveSuccessful: 'False' },
    })
    const fee = { ...ada, lease_number: 10001, fee_id: 1, amount: '0.01' }
    expect(await call(AddFeesToLease, fee, asAda)).toMatchObject({ ok: true, value: { SaveSuccessful: 'False' } })
    for (const _ of [1, 2]) {
      expect(await call(AddFeesToLease, { ...fee, fee_id: 2 }, asAda)).toMatchObject({
        ok: true,
        value: { SaveSuccessful: 'True' },
      })
    }
    expect(await services.db.read.selectFrom('lease_fees').selectAll().execute()).toMatchObject([
      { fee_id: 2, amount: 20_00 },
    ])
    expect(await call(AddGateAccessTimeZone, hours, asAda)).toMatchObject({
      ok: true,
      value: { SaveSuccessful: 'True' },
    })
    const codes = await services.db.read
      .selectFrom('gate_codes')
      .select(['tenant_id', 'time_zone_name'])
      .orderBy('tenant_id')
      .execute()
    expect(codes).toEqual([
      { tenant_id: 1001, time_zone_name: '24-hour' },
      { tenant_id: 1002, time_zone_name: 'standard' },
    ])
  })

  it('lets a new tenant register once, right after the move-in, under the e-mail on file', async () => {
    const reservation = await reserve()
    const form = {
      location_code: 'GA1',
      tenant_id: reservation.tenantId,
      password: 'correct horse',
      question_id: 2,
      security_answer: ' Blue  Ridge',
      email: 'Rae@example.com',
    }
    const another = { ...form, email: 'mallory@example.com' }
    expect(await call(UpdateOnlineAccessPassword, another, reservation.session)).toMatchObject({
      ok: false,
      status: 409,
      fields: { email: expect.any(String) },
    })
    expect(await call(UpdateOnlineAccessPassword, form, reservation.session)).toMatchObject({
      ok: true,
      value: { result: 'failed' },
    })
    await moveIn(reservation.reservationCode, reservation.unitNumber)
    expect(await call(UpdateOnlineAccess, form, reservation.session)).toMatchObject({
      ok: true,
      value: { SaveSuccessful: 'False' },
    })
    expect(await call(UpdateOnlineAccessPassword, { ...form, security_answer: '' }, reservation.session)).toMatchObject(
      {
        ok: false,
        fields: { security_answer: 'Security Answer required' },
      },
    )
    const [first, second] = await Promise.all([
      call(UpdateOnlineAccessPassword, form, reservation.session),
      call(UpdateOnlineAccessPassword, form, reservation.session),
    ])
    const results = [first, second].map((outcome) => (outcome.ok ? outcome.value.result : ''))
    expect(results.sort()).toEqual(['failed', 'success'])
    const account = await services.db.read
      .selectFrom('accounts')
      .selectAll()
      .where('username', '=', 'rae@example.com')
      .executeTakeFirst()
    expect(account).toMatchObject({ question_id: 2, security_answer_hash: 'hash of blue ridge' })
    const signedIn = await call(login, { username: 'Rae@Example.com', password: 'correct horse' }, visitor())
    expect(signedIn).toMatchObject({ ok: true, value: { result: 'success', user: { TenantID: 1003 } } })

    // The session that rented reads its lease on the completion page, with the tenant’s name.
    const details = await call(
      GetTenantUnitLeaseDetails,
      { location_code: 'GA1', tenant_id: 1003, lease_no: 10003 },
      reservation.session,
    )
    expect(details).toMatchObject({ ok: true, value: { gateCode: '734219', tenantName: "Rae O'Neill" } })
    const done = await call(
      putProspect,
      { reservationCode: reservation.reservationCode, res_status: 'completed', move_in_date: '01/01/2030' },
      reservation.session,
    )
    expect(done).toMatchObject({ ok: false, status: 409 })
    const completed = {
      reservationCode: reservation.reservationCode,
      res_status: 'completed',
      move_in_date: '11/01/2026',
    }
    expect(await call(putProspect, completed, reservation.session)).toMatchObject({
      ok: true,
      value: { res_status: 'completed', move_in_date: '11/01/2026' },
    })
  })

  it('does not let a session tied to a tenant on file register, read or change that tenant', async () => {
    const reservation = await reserve()
    await services.db.write.updateTable('rental_drafts').set({ existing_tenant: 1, tenant_id: 1001 }).execute()
    const session = await withDraft(services, reservation.draftId)
    for (const operation of [GetTenantInfo, UpdateOnlineAccess, UpdateTenantMilitaryStatus]) {
      expect(
        await call(operation as typeof GetTenantInfo, { ...ada, active_military: 0 } as typeof ada, session),
      ).toMatchObject({ ok: false, status: 403 })
    }
    // The session may not read that tenant's other leases by guessing their numbers either.
    await services.db.write
      .updateTable('leases')
      .set({ reservation_code: 'EARLIER2QZ' })
      .where('lease_number', '=', 10001)
      .execute()
    expect(await call(GetTenantUnitLeaseDetails, adasLease, session)).toMatchObject({ ok: false, status: 404 })
  })

  it('does not call a prospect completed before there is a lease', async () => {
    const reservation = await reserve()
    const put = { reservationCode: reservation.reservationCode, res_status: 'completed' }
    expect(await call(putProspect, put, reservation.session)).toMatchObject({
      ok: true,
      value: { res_status: 'active', move_in_date: '' },
    })
    const post = {
      location_code: 'GA1',
      res_code: reservation.reservationCode,
      email_address: 'rae@example.com',
      res_status: 'active',
    }
    for (const change of [{ email_address: 'x@example.com' }, { res_status: 'completed' }]) {
      expect(await call(postProspects, { ...post, ...change }, reservation.session)).toMatchObject({
        ok: false,
        status: 409,
        fields: Object.fromEntries(Object.keys(change).map((name) => [name, expect.any(String)])),
      })
    }
    expect(await call(postProspects, post, reservation.session)).toMatchObject({
      ok: true,
      value: { res_status: 'active', email_address: 'rae@example.com', tenant_id: reservation.tenantId },
    })
    expect(await services.db.read.selectFrom('prospects').select('email_address').execute()).toEqual([
      { email_address: 'rae@example.com' },
    ])
    await services.db.write.deleteFrom('prospects').execute()
    expect(await call(postProspects, post, reservation.session)).toMatchObject({
      ok: true,
      value: { res_status: 'active' },
    })
    expect((await loadDraft(services, reservation.draftId))?.reservationCode).toBe(reservation.reservationCode)
  })
})

describeOnBothEngines('Signing in', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const call = <I, O>(operation: Operation<I, O>, input: object, callers = visitor()) =>
    perform(services, operation, input, callers)
  const signIn = async (input: object, callers = visitor()) => {
    const outcome = await call(login, { username: 'ada@example.com', password: 'ada-secret', ...input }, callers)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    return outcome.value
  }

  it('returns a token that is valid for 86,400 seconds, and stores only its hash', async () => {
    const { token, result } = await signIn({})
    expect(result).toBe('success')
    expect(await resolveBearerToken(services, token)).toEqual({ tenant: asAda.tenant })
    const rows = await services.db.read.selectFrom('sign_ins').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    services.clock.advance(86_400_000 - 1)
    expect(await resolveBearerToken(services, token)).toEqual({ tenant: asAda.tenant })
    services.clock.advance(1)
    expect(await resolveBearerToken(services, token)).toEqual({})
    expect(await resolveBearerToken(services, 'no token')).toEqual({})
  })

  it('accepts username or e-mail in any letter case, and fails alike for a wrong password, username and facility', async () => {
    expect(await signIn({ username: 'CYD', password: 'cy-secret' })).toMatchObject({ user: { TenantID: 1002 } })
    expect(await signIn({ username: 'cy@example.com', password: 'cy-secret' })).toMatchObject({ result: 'success' })
    const failure = { result: 'failed', message: 'Login failed. Please try again.', user: null, token: '' }
    expect(await signIn({ password: 'cy-secret' })).toEqual(failure)
    expect(await signIn({ username: 'nobody' })).toEqual(failure)
    expect(await signIn({ location_code: 'HI1' })).toEqual(failure)
  })

  it('checks a password also where there is no account', async () => {
    const hashes: string[] = []
    const { verify } = services.passwords
    services.passwords.verify = (hash, password) => {
      hashes.push(hash)
      return verify(hash, password)
    }
    await signIn({ username: 'nobody' })
    expect(hashes).toHaveLength(1)
    expect(hashes[0]).toMatch(/^hash of /)
  })

  it('asks tenants of a facility that is not taken over yet to wait, after the right password', async () => {
    await services.db.write
      .updateTable('locations')
      .set({ coming_soon: 1 })
      .where('location_code', '=', 'GA1')
      .execute()
    expect(await signIn({})).toMatchObject({
      result: 'failed',
      token: '',
      message: expect.stringMatching(/^We are still in the process/),
    })
    expect((await signIn({ password: 'wrong' })).message).toBe('Login failed. Please try again.')
  })

  it('does not sign in a tenant whose online access was taken away', async () => {
    const { token } = await signIn({})
    await services.db.write
      .updateTable('tenants')
      .set({ grant_online_access: 0 })
      .where('tenant_id', '=', 1001)
      .execute()
    expect((await signIn({})).result).toBe('failed')
    expect(await resolveBearerToken(services, token)).toEqual({ tenant: { accountId: 'ada', tenants: [] } })
  })

  it('limits attempts per account over all addresses, and resets the count after the right password', async () => {
    for (let index = 0; index < 9; index++) await signIn({ password: 'wrong' }, visitor(`203.0.113.${index}`))
    expect((await signIn({})).result).toBe('success')
    for (let index = 0; index < 10; index++) await signIn({ password: 'wrong' }, visitor(`203.0.113.${index}`))
    const outcome = await call(login, { username: 'ada@example.com', password: 'ada-secret' }, visitor('203.0.113.77'))
    expect(outcome).toMatchObject({ ok: false, status: 429 })
  })

  it('ends a sign-in at log-out, and all of them with a new password', async () => {
    const first = await signIn({})
    await endSignIn(services, first.token)
    expect(await resolveBearerToken(services, first.token)).toEqual({})
    const second = await signIn({})
    const change = (current_password: string) =>
      call(UpdateOnlineAccessPassword, { ...ada, password: 'new long secret', current_password }, asAda)
    expect(await change('')).toMatchObject({ ok: false, fields: { current_password: 'Current Password required' } })
    expect(await change('wrong')).toMatchObject({ ok: true, value: { result: 'failed', token: '' } })
    expect(await resolveBearerToken(services, second.token)).toEqual({ tenant: asAda.tenant })
    const changed = await change('ada-secret')
    if (!changed.ok) throw new Error('refused')
    expect(changed.value).toMatchObject({ result: 'success', message: 'New password saved.' })
    expect(await resolveBearerToken(services, second.token)).toEqual({})
    expect(await resolveBearerToken(services, changed.value.token)).toEqual({ tenant: asAda.tenant })
    expect((await signIn({ password: 'new long secret' })).result).toBe('success')
  })

  it('refuses the old password if it is changed during its comparison', async () => {
    const { verify } = services.passwords
    const changePasswordDuringCheck = (password_hash: string) => {
      services.passwords = {
        ...services.passwords,
        async verify(hash, password) {
          services.passwords = { ...services.passwords, verify }
          await services.db.write
            .updateTable('accounts')
            .set({ password_hash })
            .where('account_id', '=', 'ada')
            .execute()
          return verify(hash, password)
        },
      }
    }
    const loadOpenSignIns = () =>
      services.db.read.selectFrom('sign_ins').select('token_hash').where('ended_at', 'is', null).execute()
    const before = await loadOpenSignIns()
    changePasswordDuringCheck('hash of the owner’s new one')
    expect(await signIn({})).toMatchObject({ result: 'failed', token: '', message: 'Login failed. Please try again.' })
    await services.db.write
      .updateTable('accounts')
      .set({ password_hash: 'hash of ada-secret' })
      .where('account_id', '=', 'ada')
      .execute()
    changePasswordDuringCheck('hash of the owner’s new one')
    const change = { ...ada, password: 'new long secret', current_password: 'ada-secret' }
    expect(await call(UpdateOnlineAccessPassword, change, asAda)).toMatchObject({
      value: { result: 'failed', token: '' },
    })
    expect(await loadOpenSignIns()).toEqual(before)
    expect((await signIn({ password: 'new long secret' })).result).toBe('failed')
    expect((await signIn({ password: 'the owner’s new one' })).result).toBe('success')
  })

  it('resolves a guest payer’s token', async () => {
    const { createHash } = await import('node:crypto')
    const token = 'ab'.repeat(32)
    await services.db.write
      .insertInto('sign_ins')
      .values({
        token_hash: createHash('sha256').update(token).digest('hex'),
        kind: 'guest',
        account_id: null,
        location_code: 'GA1',
        tenant_id: 1001,
        agent: '',
        address: '',
        created_at: 0,
        expires_at: services.clock.now() + 1,
        ended_at: null,
      })
      .execute()
    expect(await resolveBearerToken(services, token)).toEqual({ guest: { ...guest.guest, signIn: tokenHash(token) } })
  })
})

describe('The small operator of the tests', () => {
  it('creates tenants whose look-up keys match their names', () => {
    expect(tenant({ tenant_id: 1, first: 'A', last: 'O’Núñez' }).last_key).toBe('onunez')
  })
})

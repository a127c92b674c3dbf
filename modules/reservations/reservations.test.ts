import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import { RateLimits } from '../../platform/rate-limit-counters.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import {
  asAda,
  contact,
  noon,
  openTestServices,
  type TestServices,
  visitor,
  withDraft,
} from '../../tests/support/small-operator.ts'
import { UpdateTenantInfo } from '../accounts/operations/update-tenant-info.ts'
import { findLocationBySite } from '../facilities/views/facility-lookups.ts'
import { loadDraft, renewDraft, rentalCallerOf, saveAnswers } from './draft.ts'
import { quoteDraft } from './draft-quote.ts'
import { detachDraft, draftAfterSignIn, loadDraftOfSession } from './draft-sessions-across-browsers.ts'
import { expireHolds } from './expire-holds.ts'
import { loadJourneyFacts } from './load-draft-facts.ts'
import { GetActiveReservation } from './operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from './operations/find-reservation.ts'
import { openReservationLink } from './operations/open-reservation-link.ts'
import { SaveReservationDetails_WEB } from './operations/reserve-unit-for-new-tenant.ts'
import { SaveReservationDetailsForExistingTenants } from './operations/save-reservation-for-existing-tenant.ts'
import { startDraft } from './operations/start-draft.ts'
import { ensureReservationLink } from './reservation-lookup-operation-parts.ts'
import { tooManyRentals, tooManyReservations, unitsNotAvailable } from './texts/reserve.ts'
import { extendHoldOnce } from './unit-holds.ts'

const hour = 3_600_000
const day = 24 * hour

const unpaid = async () => false
const keyOf = (reservationCode: string) => ({ locationCode: 'GA1', reservationCode })

describeOnBothEngines('Reserving', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  const request = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026' }
  const save = (input: object = {}, callers: Callers = visitor()) =>
    perform(services, SaveReservationDetails_WEB, { ...request, ...contact, ...input }, callers)

  async function saveOrThrow(input: object = {}, callers?: Callers) {
    const outcome = await save(input, callers)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    return outcome
  }
  const loadUnit = (code: string) =>
    services.db.read.selectFrom('units').selectAll().where('held_by', '=', code).executeTakeFirst()
  const loadReservation = (code: string) =>
    services.db.read
      .selectFrom('reservations')
      .selectAll()
      .where('reservation_code', '=', code)
      .executeTakeFirstOrThrow()
  const loadProspect = (code: string) =>
    services.db.read.selectFrom('prospects').selectAll().where('res_code', '=', code).executeTakeFirstOrThrow()
  const jobs = (kind: string) => services.db.read.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()

  it('writes reservation, hold, tenant, prospect and rental session, and ignores what a caller may not set', async () => {
    const outcome = await saveOrThrow({ status: 'completed', rent: 1, grant_online_access: 1, grantOnlineAccess: '1' })
    const { value } = outcome
    expect(value).toMatchObject({ ErrorMessage: '', UnitType: 'T1', RequiredDate: '11/22/2026', tenantId: 1003 })
    expect(value.reservationCode).toMatch(/^[2-9B-DF-HJKMNP-TV-Z]{10}$/)
    expect(await loadReservation(value.reservationCode)).toMatchObject({
      status: 'active',
      rent: 139_00,
      street_rent: 150_00,
      discount_id: 2,
      // End of Sunday 22 November in Atlanta.
      hold_until: Date.parse('2026-11-23T05:00:00Z'),
    })
    expect(await loadUnit(value.reservationCode)).toMatchObject({
      unit_number: value.unitNumber,
      status: 'held',
      held_until: Date.parse('2026-11-23T05:00:00Z'),
    })
    const tenant = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', 1003)
      .executeTakeFirst()
    expect(tenant).toMatchObject({
      last_key: 'oneill',
      cell_phone: '4045550147',
      state: 'GA',
      grant_online_access: 0,
      account_id: null,
    })
    expect(await loadProspect(value.reservationCode)).toMatchObject({
      res_status: 'active',
      location_code: 'GA1',
      email_address: 'rae@example.com',
      required_date: '2026-11-22',
    })
    const draft = await loadDraft(services, outcome.grants?.draftId ?? '')
    expect(draft).toMatchObject({
      tenantId: 1003,
      reservationCode: value.reservationCode,
      existingTenant: false,
      answers: { moveInDate: '2026-11-22', contact: { state: 'GA' } },
    })
    expect(await jobs('reservation_confirmed')).toHaveLength(1)
  })

  it('mails the link to each corrected address, to an earlier one again, and as a rental in progress', async () => {
    const first = await saveOrThrow({ rent_now: 1, move_in_date: undefined })
    const { reservationCode } = first.value
    const session = await withDraft(services, first.grants?.draftId)
    const linkIn = (mail: { text: string } | undefined) => /reservation\/([0-9a-f-]{36})/.exec(mail?.text ?? '')?.[1]
    const [confirmed] = await runDueMessageJobs(services)
    expect(linkIn(confirmed)).toBe((await loadProspect(reservationCode)).uuid)
    const save = [
      (email: string) => saveOrThrow({ rent_now: 1, move_in_date: undefined, email }, session),
      async (email: string) =>
        expect(
          await perform(
            services,
            UpdateTenantInfo,
            { ...contact, location_code: 'GA1', tenant_id: 1003, email },
            session,
          ),
        ).toMatchObject({ ok: true }),
    ]
    for (const [at, email] of ['b@example.com', 'c@example.com', 'b@example.com', 'c@example.com'].entries()) {
      await save[at < 2 ? 0 : 1]?.(email)
      const [mail] = await runDueMessageJobs(services)
      expect(mail).toMatchObject({ to: email, text: expect.stringContaining('your unit is set aside') })
      expect(linkIn(mail)).toBe((await loadProspect(reservationCode)).uuid)
    }
  })

  it('gives the last unit to exactly one of 200 concurrent renters', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, at) => save({ unit_type_id: 2, rent_now: 1 }, visitor(`203.0.113.${at}`))),
    )
    const messagesSeen = outcomes.map((outcome) => (outcome.ok ? outcome.value.ErrorMessage : outcome.code))
    expect(messagesSeen.filter((message) => message === '')).toHaveLength(1)
    expect(messagesSeen.filter((message) => message === 'Units Not Available')).toHaveLength(199)
    const rows = await services.db.read.selectFrom('reservations').selectAll().execute()
    expect(rows).toHaveLength(1)
    const tenants = await services.db.read.selectFrom('tenants').select('tenant_id').execute()
    expect(tenants).toHaveLength(3)
  })

  it('never gives one unit to two renters of the same type', async () => {
    // Visitors without proof do not get the last of several units; loopback callers of a demo do.
    const limits = new RateLimits({ db: services.db, clock: services.clock, sparesLoopback: true })
    services = Object.assign(Object.create(services), { ...services, limits })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => saveOrThrow({}, visitor('127.0.0.1'))))
    const units = outcomes
      .filter((outcome) => outcome.value.ErrorMessage === '')
      .map((outcome) => outcome.value.unitNumber)
    expect(units.sort()).toEqual(['101', '102', '103'])
  })

  it('keeps the unit when the same session saves again, also from two tabs at once', async () => {
    const first = await saveOrThrow()
    const session = await withDraft(services, first.grants?.draftId)
    const again = await Promise.all([
      saveOrThrow({ move_in_date: '11/24/2026', last: 'Neill' }, session),
      saveOrThrow({ move_in_date: '11/24/2026', last: 'Neill' }, session),
    ])
    for (const outcome of again) {
      expect(outcome.value).toMatchObject({
        reservationCode: first.value.reservationCode,
        unitNumber: first.value.unitNumber,
        tenantId: 1003,
        RequiredDate: '11/24/2026',
      })
    }
    expect(await services.db.read.selectFrom('reservations').selectAll().execute()).toHaveLength(1)
    expect((await loadUnit(first.value.reservationCode))?.held_until).toBe(Date.parse('2026-11-25T05:00:00Z'))
    const tenant = await services.db.read
      .selectFrom('tenants')
      .select('last')
      .where('tenant_id', '=', 1003)
      .executeTakeFirst()
    expect(tenant?.last).toBe('Neill')
  })

  it('frees the first unit when the session reserves another type, unless none of that type is free', async () => {
    const first = await saveOrThrow()
    const session = await withDraft(services, first.grants?.draftId)
    const taken = await saveOrThrow({ unit_type_id: 2 }, visitor('203.0.113.9'))
    expect(taken.value.ErrorMessage).toBe('')
    expect((await saveOrThrow({ unit_type_id: 2 }, session)).value.ErrorMessage).toBe(unitsNotAvailable)
    expect(await loadUnit(first.value.reservationCode)).toBeDefined()

    const parking = await saveOrThrow({ unit_type_id: 3 }, session)
    expect(parking.value).toMatchObject({ ErrorMessage: '', unitNumber: 'P1', tenantId: 1003 })
    expect(await loadUnit(first.value.reservationCode)).toBeUndefined()
    expect((await loadReservation(first.value.reservationCode)).status).toBe('cancelled')
  })

  it('accepts exactly the days of the reservation window, by the facility’s local date', async () => {
    const refusedField = async (input: object) => {
      const outcome = await save(input)
      return outcome.ok ? '' : Object.keys(outcome.fields ?? {}).join()
    }
    expect(await refusedField({ move_in_date: '11/19/2026' })).toBe('move_in_date')
    expect(await refusedField({ move_in_date: '11/20/2026' })).toBe('')
    expect(await refusedField({ move_in_date: '12/03/2026' })).toBe('')
    expect(await refusedField({ move_in_date: '12/04/2026' })).toBe('move_in_date')
    // 23:30 on Friday in Honolulu, already Saturday in Atlanta.
    services.clock.set(Date.parse('2026-11-21T09:30:00Z'))
    const hawaii = { location_code: 'HI1', unit_type_id: 1 }
    expect(await refusedField({ ...hawaii, move_in_date: '11/23/2026' })).toBe('move_in_date')
    expect(await refusedField({ move_in_date: '11/20/2026' })).toBe('move_in_date')
    const reservation = await saveOrThrow({ ...hawaii, move_in_date: '11/20/2026' })
    expect(reservation.value.HeldUntil).toBe('2026-11-21T00:00:00-10:00')
  })

  it('holds a unit to the end of a day of 23 or 25 hours', async () => {
    // In Atlanta the clocks go back on 1 November 2026 and forward on 14 March 2027.
    services.clock.set(Date.parse('2026-10-30T12:00:00Z'))
    expect((await saveOrThrow({ move_in_date: '11/01/2026' })).value.HeldUntil).toBe('2026-11-02T00:00:00-05:00')
    services.clock.set(Date.parse('2027-03-12T12:00:00Z'))
    expect((await saveOrThrow({ move_in_date: '03/14/2027' })).value.HeldUntil).toBe('2027-03-15T00:00:00-04:00')
  })

  it('refuses an unknown unit type, the operator’s office, and missing or invalid fields by name', async () => {
    expect(await save({ unit_type_id: 99 })).toMatchObject({
      ok: false,
      status: 400,
      fields: { unit_type_id: expect.any(String) },
    })
    expect(await save({ location_code: 'HQ' })).toMatchObject({
      ok: false,
      status: 400,
      fields: { location_code: expect.any(String) },
    })
    expect(await save({ first: '', email: 'no', cell_phone: '12', state: 'ZZ', zip: '1' })).toMatchObject({
      ok: false,
      status: 400,
      fields: {
        first: 'First Name required',
        email: 'Please enter correct Email ',
        cell_phone: 'Phone number must be 10 digits',
        state: 'State must be valid',
        zip: 'Zip Code must be 5 digits',
      },
    })
    expect(await save({ move_in_date: undefined })).toMatchObject({
      ok: false,
      fields: { move_in_date: expect.any(String) },
    })
  })

  it('reserves nothing at a facility that is coming soon', async () => {
    await services.db.write
      .updateTable('locations')
      .set({ coming_soon: 1 })
      .where('location_code', '=', 'GA1')
      .execute()
    expect((await saveOrThrow()).value.ErrorMessage).toBe('Units Not Available')
    // The chosen unit is free, so the message does not say that it was taken.
    const { unit_id } = await recordOf(services, 'units', { location_code: 'GA1', status: 'free', unit_type_id: 1 })
    expect((await saveOrThrow({ unit_id })).value.ErrorMessage).toBe('Units Not Available')
  })

  it('holds a rental in progress for 24 hours after its last step if the renter has proven the e-mail address', async () => {
    const now = await saveOrThrow({ rent_now: 1, move_in_date: undefined })
    const code = now.value.reservationCode
    expect((await loadReservation(code)).hold_until).toBe(noon + hour / 3)
    expect(await jobs('reservation_confirmed')).toHaveLength(1)
    await openReservationLink(services, (await loadProspect(code)).uuid, '127.0.0.1')
    expect((await loadReservation(code)).hold_until).toBe(noon + day)
    services.clock.advance(5 * hour)
    const draft = await loadDraft(services, now.grants?.draftId ?? '')
    if (!draft) throw new Error('no draft')
    expect(await saveAnswers(services, draft, { vehicle: false })).toMatchObject({ ok: true })
    expect((await loadReservation(code)).hold_until).toBe(noon + 29 * hour)
    expect((await loadUnit(code))?.held_until).toBe(noon + 29 * hour)
  })

  it('never shortens a hold, and does not extend a lapsed one', async () => {
    const far = await saveOrThrow({ move_in_date: '11/30/2026' })
    const draft = await loadDraft(services, far.grants?.draftId ?? '')
    if (!draft) throw new Error('no draft')
    const until = (await loadReservation(far.value.reservationCode)).hold_until
    const touched = await renewDraft(services, draft)
    expect(touched.ok).toBe(true)
    expect((await loadReservation(far.value.reservationCode)).hold_until).toBe(until)
    services.clock.set(until)
    if (touched.ok) await renewDraft(services, touched.draft)
    expect((await loadReservation(far.value.reservationCode)).hold_until).toBe(until)
    const facts = await loadJourneyFacts(services, draft, { signedIn: false })
    expect(facts).toMatchObject({ holdLapsed: true, heldUntil: null, visitor: { reserved: false } })
  })

  it('frees expired holds, marks the records and mails the renter once, however often it runs', async () => {
    const reservation = await saveOrThrow({ move_in_date: '11/20/2026' })
    const code = reservation.value.reservationCode
    services.clock.set(Date.parse('2026-11-21T05:00:00Z') - 1)
    expect(await expireHolds(services, unpaid)).toBe(0)
    services.clock.advance(1)
    const cleared = await Promise.all([expireHolds(services, unpaid), expireHolds(services, unpaid)])
    expect(cleared[0] + cleared[1]).toBe(1)
    expect(await expireHolds(services, unpaid)).toBe(0)
    expect(await loadUnit(code)).toBeUndefined()
    expect((await loadReservation(code)).status).toBe('expired')
    expect((await loadProspect(code)).res_status).toBe('expired')
    expect(await jobs('hold_expired')).toMatchObject([
      { payload: JSON.stringify({ locationCode: 'GA1', reservationCode: code }) },
    ])
  })

  it('gives a unit with a lapsed hold to the next renter even before the job has run', async () => {
    const first = await saveOrThrow({ unit_type_id: 2, move_in_date: '11/20/2026' })
    services.clock.set(Date.parse('2026-11-21T05:00:00Z'))
    const next = await saveOrThrow({ unit_type_id: 2, move_in_date: '11/21/2026' })
    expect(next.value).toMatchObject({ ErrorMessage: '', unitNumber: '201' })
    expect((await loadReservation(first.value.reservationCode)).status).toBe('expired')
    expect(await jobs('hold_expired')).toHaveLength(1)
    expect(await expireHolds(services, unpaid)).toBe(0)
    expect(await extendHoldOnce(services, keyOf(first.value.reservationCode), noon + 9 * day)).toBe(false)
    expect((await loadUnit(next.value.reservationCode))?.unit_number).toBe('201')
  })

  it('extends a hold once for a pending payment, and not again', async () => {
    const { value } = await saveOrThrow({ unit_type_id: 2, move_in_date: '11/20/2026' })
    const code = value.reservationCode
    const paying = async ({ reservationCode }: { reservationCode: string }) => reservationCode === code
    const end = Date.parse('2026-11-21T05:00:00Z')
    services.clock.set(end)
    expect(await expireHolds(services, paying)).toBe(0)
    const until = (await loadReservation(code)).hold_until
    expect(until).toBeGreaterThan(end)
    expect((await loadUnit(code))?.held_until).toBe(until)
    expect(await extendHoldOnce(services, keyOf(code), until + hour)).toBe(false)
    services.clock.set(until)
    expect(await expireHolds(services, paying)).toBe(1)
  })

  it('does not extend a hold whose unit another renter has, and writes nothing', async () => {
    const { value } = await saveOrThrow()
    await services.db.write
      .updateTable('units')
      .set({ held_by: 'OTHER' })
      .where('held_by', '=', value.reservationCode)
      .execute()
    expect(await extendHoldOnce(services, keyOf(value.reservationCode), noon + 9 * day)).toBe(false)
    expect((await loadReservation(value.reservationCode)).hold_extended).toBe(0)
  })

  it('links a reservation to the existing tenant with this e-mail, last name and phone, without revealing or changing tenant data', async () => {
    const draft = await startDraft(services, { locationCode: 'GA1', unitTypeId: 1, rentNow: false })
    if (!draft) throw new Error('no draft')
    const entered = {
      ...contact,
      state: 'GA',
      cell_phone: '4045550111',
      email: 'ADA@example.com',
      first: 'Mallory',
      last: 'Byrne',
    }
    await saveAnswers(services, draft, { contact: entered })
    const session = await withDraft(services, draft.draftId)
    const outcome = await perform(services, SaveReservationDetailsForExistingTenants, request, session)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expect(outcome.value).toMatchObject({ ErrorMessage: '', tenantId: null })
    expect(JSON.stringify(outcome.value)).not.toMatch(/Ada|Byrne|Elm|1001/)
    expect(await loadReservation(outcome.value.reservationCode)).toMatchObject({ tenant_id: 1001 })
    // The prospect record has the tenant's address on file, not the typed address.
    expect(await loadProspect(outcome.value.reservationCode)).toMatchObject({ email_address: 'ada@example.com' })
    const ada = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', 1001)
      .executeTakeFirst()
    expect(ada).toMatchObject({ first: 'Ada', address: '5 Elm Street' })
    expect(await loadDraft(services, draft.draftId)).toMatchObject({ existingTenant: true, tenantId: 1001 })

    // A new renter in the same session does not overwrite the existing tenant.
    await saveOrThrow({ first: 'Mallory' }, await withDraft(services, draft.draftId))
    const still = await services.db.read
      .selectFrom('tenants')
      .select('first')
      .where('tenant_id', '=', 1001)
      .executeTakeFirst()
    expect(still?.first).toBe('Ada')
  })

  it('recognizes the existing tenant by the work phone too, as the search for a reservation does', async () => {
    const draft = await startDraft(services, { locationCode: 'GA1', unitTypeId: 1, rentNow: false })
    if (!draft) throw new Error('no draft')
    await services.db.write
      .updateTable('tenants')
      .set({ work_phone: '7065550188' })
      .where('tenant_id', '=', 1001)
      .execute()
    const entered = { ...contact, state: 'GA', cell_phone: '7065550188', email: 'ada@example.com', last: 'Byrne' }
    await saveAnswers(services, draft, { contact: entered })
    const session = await withDraft(services, draft.draftId)
    const outcome = await perform(services, SaveReservationDetailsForExistingTenants, request, session)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expect(await loadReservation(outcome.value.reservationCode)).toMatchObject({ tenant_id: 1001 })
    const byPhone = { location_code: 'GA1', last_name: 'byrne', phone_last_four: '0188' }
    expect(await perform(services, GetActiveReservation, byPhone, visitor())).toMatchObject({
      ok: true,
      value: { ErrorMessage: '' },
    })
  })

  it('limits a network to ten reservations and twenty rentals a day at a facility, with a message on what to do', async () => {
    const unitQuery = services.db.read.selectFrom('units').selectAll().where('unit_number', '=', '101')
    const unitRow = await unitQuery.executeTakeFirstOrThrow()
    const more = Array.from({ length: 160 }, (_, at) => ({ ...unitRow, unit_id: 1001 + at, unit_number: `M${at}` }))
    await services.db.write.insertInto('units').values(more).execute()
    const from = (host: number) => visitor(`2001:db8:7:7::${host.toString(16)}`)
    const saveMany = async (requestCount: number, input: object, by = from) =>
      (await Promise.all(Array.from({ length: requestCount }, (_, at) => save(input, by(at + 1))))).map((outcome) =>
        outcome.ok ? outcome.value.ErrorMessage : `${outcome.status} ${outcome.message}`,
      )
    const several = async (input: object, most: number, sentence: string) => {
      const results = await saveMany(most + 5, input)
      expect(results.filter((message) => message === '')).toHaveLength(most)
      expect(results.filter((message) => message === `429 ${sentence}`)).toHaveLength(5)
    }
    const first = await saveOrThrow({}, from(999))
    await several({}, 9, tooManyReservations('(404) 555-0199'))
    await several({ rent_now: 1 }, 20, tooManyRentals('(404) 555-0199'))
    expect(await save({}, from(1))).toMatchObject({ status: 429, retryAfter: 86_400 })
    const session = { ...(await withDraft(services, first.grants?.draftId)), address: from(1).address }
    expect((await saveOrThrow({}, visitor('2001:db8:7:8::1'))).value.ErrorMessage).toBe('')
    expect((await saveOrThrow({ location_code: 'HI1' }, from(1))).value.ErrorMessage).toBe('')
    expect((await saveOrThrow({ move_in_date: '11/23/2026' }, session)).value.ErrorMessage).toBe('')
    expect((await saveOrThrow({ unit_type_id: 3 }, session)).value.UnitType).toBe('T3')
    // Behind an undeclared proxy all visitors share one address; a count by network would close the facility.
    for (const address of ['127.0.0.1', '::1', '::ffff:10.0.0.7', 'fd00::1'])
      expect(new Set(await saveMany(11, {}, () => visitor(address)))).toEqual(new Set(['']))
    services.clock.advance(day)
    expect((await saveOrThrow({ move_in_date: '11/23/2026' }, from(1))).value.ErrorMessage).toBe('')
  })

  it('limits all networks together to 60 reservations and 60 rentals a day at a facility, also behind an unnamed proxy', async () => {
    const unitQuery = services.db.read.selectFrom('units').selectAll().where('unit_number', '=', '101')
    const unitRow = await unitQuery.executeTakeFirstOrThrow()
    const more = Array.from({ length: 200 }, (_, at) => ({ ...unitRow, unit_id: 1001 + at, unit_number: `M${at}` }))
    await services.db.write.insertInto('units').values(more).execute()
    for (const [input, address] of [
      [{}, (at: number) => `203.0.113.${at}`],
      [{ rent_now: 1 }, () => '10.0.0.2'],
    ] as const) {
      const results: number[] = []
      for (let at = 0; at < 65; at += 1) {
        const answer = await save(input, visitor(address(at)))
        results.push(answer.ok ? 200 : answer.status)
      }
      expect([results.indexOf(429), results.filter((status) => status === 200).length]).toEqual([60, 60])
    }
    expect((await saveOrThrow({ location_code: 'HI1' }, visitor('203.0.113.250'))).value.ErrorMessage).toBe('')
    // Loopback callers are spared in a demo.
    const limits = new RateLimits({ db: services.db, clock: services.clock, sparesLoopback: true })
    services = Object.assign(Object.create(services), { ...services, limits })
    expect((await saveOrThrow({}, visitor('127.0.0.1'))).value.ErrorMessage).toBe('')
    expect(await save({}, visitor('10.0.0.2'))).toMatchObject({ status: 429 })
  })

  it('does not count requests for which no unit was free', async () => {
    await saveOrThrow({ unit_type_id: 2 }, visitor('203.0.113.9'))
    const refused = Array.from({ length: 30 }, () => saveOrThrow({ unit_type_id: 2 }))
    for (const { value } of await Promise.all(refused)) expect(value.ErrorMessage).toBe(unitsNotAvailable)
    expect((await saveOrThrow()).value.ErrorMessage).toBe('')
  })

  it('refuses a reservation as an existing tenant without a session, or with a session of another facility', async () => {
    const call = (callers: Callers) => perform(services, SaveReservationDetailsForExistingTenants, request, callers)
    expect(await call(visitor())).toMatchObject({ ok: false, status: 401 })
    const elsewhere = await startDraft(services, { locationCode: 'HI1', unitTypeId: 1, rentNow: false })
    expect(await call(await withDraft(services, elsewhere?.draftId))).toMatchObject({ ok: false, status: 403 })
  })

  it('reserves for the signed-in tenant, and copies their profile to another facility', async () => {
    const here = await perform(services, SaveReservationDetailsForExistingTenants, { ...request, rent_now: 1 }, asAda)
    expect(here).toMatchObject({ ok: true, value: { ErrorMessage: '', tenantId: 1001 } })
    const there = await perform(
      services,
      SaveReservationDetailsForExistingTenants,
      { location_code: 'HI1', unit_type_id: 1, rent_now: 1 },
      asAda,
    )
    if (!there.ok) throw new Error(JSON.stringify(there))
    const entered = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('location_code', '=', 'HI1')
      .executeTakeFirst()
    expect(entered).toMatchObject({ tenant_id: there.value.tenantId, first: 'Ada', account_id: 'ada' })
  })

  it('keeps the agreed rent and discount while the reservation is active', async () => {
    const result = await saveOrThrow({ move_in_date: '11/20/2026' })
    const draft = await loadDraft(services, result.grants?.draftId ?? '')
    if (!draft) throw new Error('no draft')
    await services.db.write
      .updateTable('unit_types')
      .set({ internet_price: 145_00 })
      .where('unit_type_id', '=', 1)
      .execute()
    await services.db.write.updateTable('discounts').set({ available: 0 }).where('discount_id', '=', 2).execute()
    expect(await quoteDraft(services, draft)).toMatchObject({ rent: 139_00, discount: { id: 2 } })
    services.clock.set(Date.parse('2026-11-21T05:00:00Z'))
    await expireHolds(services, unpaid)
    expect(await quoteDraft(services, draft)).toMatchObject({ rent: 145_00, discount: { id: 3 } })
  })

  it('resumes the draft of the same unit type, and keeps the visitor’s answers for a type of another facility', async () => {
    const first = await saveOrThrow()
    const draft = await loadDraft(services, first.grants?.draftId ?? '')
    const same = await startDraft(services, { locationCode: 'GA1', unitTypeId: 1, rentNow: true }, draft)
    expect(same).toMatchObject({ draftId: draft?.draftId, rentNow: true, reservationCode: first.value.reservationCode })
    const other = await startDraft(services, { locationCode: 'HI1', unitTypeId: 1, rentNow: false }, same)
    expect(other).toMatchObject({ reservationCode: null, tenantId: null, answers: { contact: { last: "O'Neill" } } })
    expect(other?.draftId).not.toBe(draft?.draftId)
    expect(await startDraft(services, { locationCode: 'GA1', unitTypeId: 99, rentNow: false })).toBeNull()
  })
})

describeOnBothEngines('Finding a reservation again', (open) => {
  let services: TestServices
  let code: string
  beforeEach(async () => {
    services = await openTestServices(await open())
    const result = await perform(
      services,
      SaveReservationDetails_WEB,
      { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact },
      visitor(),
    )
    code = result.ok ? result.value.reservationCode : ''
    services.clock.advance(60_000)
  })
  type Found = Outcome<{ ErrorMessage: string; reservationCode: string; email: string }>
  const byName = (input: object, callers = visitor()): Promise<Found> =>
    perform(
      services,
      GetActiveReservation,
      { location_code: 'GA1', last_name: "O'NEILL", phone_last_four: '0147', ...input },
      callers,
    )
  const byCode = (input: object): Promise<Found> =>
    perform(services, FindReservation, { location_code: 'GA1', reservation_code: code, ...input }, visitor())

  it('finds a reservation by last name in any case and four digits, masks contact data and starts a session', async () => {
    const found = await byName({})
    expect(found).toMatchObject({
      ok: true,
      value: {
        ErrorMessage: '',
        reservationCode: '***',
        first: 'R***',
        email: 'r***@e***',
        cell_phone: '******0147',
        address: '***',
      },
    })
    expect(JSON.stringify(found)).not.toMatch(/rae@|Spindle|4045550147/)
    const draft = await loadDraftOfSession(services, found.ok ? (found.grants?.draftId ?? '') : '')
    expect(draft).toMatchObject({
      proof: 'names',
      reservationCode: code,
      tenantId: 1003,
      existingTenant: false,
      answers: { moveInDate: '2026-11-22' },
    })
    if (draft)
      expect((await loadJourneyFacts(services, draft, { signedIn: false }))?.visitor).toMatchObject({
        reserved: true,
        contactOnFile: true,
      })
  })

  it.each([
    ["O'Brien", ['OBrien', 'O Brien', 'o’brien']],
    ['García-López', ['Garcia Lopez', 'GARCIA-LOPEZ', 'garcía–lópez']],
    ['Smith Jr.', ['Smith Jr', 'smith', 'Smith, Jr.']],
    ['Łuczak-Sørby', ['Luczak Sorby']],
  ])('finds %s in the spellings that people type', async (last, entered) => {
    const saved = await perform(
      services,
      SaveReservationDetails_WEB,
      { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact, last, cell_phone: '4045550199' },
      visitor('203.0.113.50'),
    )
    expect(saved).toMatchObject({ ok: true, value: { ErrorMessage: '' } })
    for (const last_name of entered)
      expect(await byName({ last_name, phone_last_four: '0199' }), last_name).toMatchObject({
        ok: true,
        value: { ErrorMessage: '' },
      })
    expect(await byName({ last_name: `${entered[0]}x`, phone_last_four: '0199' })).toMatchObject({
      ok: true,
      value: { ErrorMessage: 'Reservation not found with this name' },
    })
  })

  it('leaves the found tenant and reservation unchanged when the session reserves as another person', async () => {
    const found = await byName({})
    const session = await withDraft(services, found.ok ? found.grants?.draftId : undefined)
    const other = { ...contact, first: 'Mallory', email: 'mallory@example.com' }
    const request = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/23/2026' }
    const result = await perform(services, SaveReservationDetails_WEB, { ...request, ...other }, session)
    expect(result).toMatchObject({ ok: true, value: { ErrorMessage: '', tenantId: 1004 } })
    const first = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', 1003)
      .executeTakeFirst()
    expect(first).toMatchObject({ first: 'Rae', email: 'rae@example.com' })
    const reservations = await services.db.read.selectFrom('reservations').selectAll().orderBy('tenant_id').execute()
    expect(
      reservations.map((reservation) => [reservation.tenant_id, reservation.status, reservation.required_date]),
    ).toEqual([
      [1003, 'active', '2026-11-22'],
      [1004, 'active', '2026-11-23'],
    ])
  })

  it('gives the same response for a wrong name, wrong digits and another facility', async () => {
    for (const mistake of [{ last_name: 'Nobody' }, { phone_last_four: '0148' }, { location_code: 'HI1' }]) {
      const outcome = await byName(mistake)
      expect(outcome).toMatchObject({
        ok: true,
        value: { ErrorMessage: 'Reservation not found with this name', reservationCode: '' },
      })
      expect(outcome.ok && outcome.grants).toBeUndefined()
    }
  })

  it('limits guesses of one name’s digits from many addresses', async () => {
    for (let guess = 0; guess < 10; guess++)
      await byName({ phone_last_four: `100${guess}` }, visitor(`203.0.113.${guess}`))
    expect(await byName({}, visitor('203.0.113.99'))).toMatchObject({ ok: false, status: 429, retryAfter: 900 })
    expect(await byName({ last_name: 'Other' }, visitor('203.0.113.99'))).toMatchObject({ ok: true })
  })

  it('finds a reservation by its code in any spelling, but not at another facility or after it expired', async () => {
    expect(await byCode({ reservation_code: `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase() })).toMatchObject({
      ok: true,
      value: { ErrorMessage: '', reservationCode: code },
    })
    expect(await byCode({ location_code: 'HI1' })).toMatchObject({
      ok: true,
      value: { ErrorMessage: 'Reservation not found' },
    })
    services.clock.set(Date.parse('2026-11-23T05:00:00Z'))
    expect(await byCode({})).toMatchObject({ ok: true, value: { ErrorMessage: 'Reservation not found' } })
    expect(await byName({})).toMatchObject({ ok: true, value: { reservationCode: '' } })
  })

  it('asks for name and digits if the code could be guessed', async () => {
    await services.db.write.updateTable('units').set({ held_by: '100234' }).where('held_by', '=', code).execute()
    await services.db.write.updateTable('reservations').set({ reservation_code: '100234' }).execute()
    expect(await byCode({ reservation_code: '100234' })).toMatchObject({
      ok: false,
      status: 400,
      fields: { last_name: 'Last Name required', phone_last_four: expect.any(String) },
    })
    const full = { reservation_code: '100234', last_name: 'o’neill', phone_last_four: '0147' }
    expect(await byCode(full)).toMatchObject({ ok: true, value: { reservationCode: '100234' } })
    expect(await byCode({ ...full, phone_last_four: '0000' })).toMatchObject({
      ok: true,
      value: { ErrorMessage: 'Reservation not found' },
    })
  })

  it('starts a session for the mailed link and for no other uuid, and finds a facility by its code or name', async () => {
    const { uuid } = await services.db.read.selectFrom('prospects').select('uuid').executeTakeFirstOrThrow()
    expect(await openReservationLink(services, uuid.toUpperCase(), '127.0.0.1')).toMatchObject({
      ok: true,
      value: { reservationCode: code },
      grants: { draftId: expect.any(String) },
    })
    const other = await openReservationLink(services, '5f0f8c1e-6f0e-4c8b-9d55-3b8f6f0d2a11', '127.0.0.1')
    expect(other).toMatchObject({ ok: true, value: { ErrorMessage: 'Reservation not found' } })
    expect(other).not.toHaveProperty('grants')
    expect(await findLocationBySite(services, 'GA1')).toBe('GA1')
    expect(await findLocationBySite(services, 'Storage HI1')).toBe('HI1')
    expect(await findLocationBySite(services, 'nowhere')).toBeNull()
  })

  it.each([
    ['day', {}],
    ['unit type', { unit_type_id: 2 }],
  ])('keeps the session of a tenant who logs out, opens the link, signs in and changes the %s', async (_, change) => {
    const reservation = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026' }
    const saveAsAda = async (input: object, rental?: Callers['rental']) => {
      const callers = { ...asAda, ...(rental && { rental }) }
      const outcome = await perform(services, SaveReservationDetailsForExistingTenants, input, callers)
      if (!outcome.ok) throw new Error(JSON.stringify(outcome))
      expect(outcome.value.ErrorMessage).toBe('')
      return { code: outcome.value.reservationCode, session: outcome.grants?.draftId ?? '' }
    }
    const first = await saveAsAda(reservation)
    await detachDraft(services, first.session)
    const { uuid } = await services.db.read
      .selectFrom('prospects')
      .select('uuid')
      .where('res_code', '=', first.code)
      .executeTakeFirstOrThrow()
    const opened = await openReservationLink(services, uuid, '127.0.0.1')
    const { tenant } = asAda
    if (!opened?.ok || !tenant) throw new Error(JSON.stringify(opened))
    const session = await draftAfterSignIn(services, opened.grants?.draftId, tenant, async () => true)
    const draft = await loadDraftOfSession(services, session ?? '')
    if (!draft) throw new Error('The sign-in lost the rental')
    const saved = await saveAsAda({ ...reservation, ...change, move_in_date: '11/23/2026' }, rentalCallerOf(draft))
    expect(await loadDraftOfSession(services, saved.session)).toMatchObject({ reservationCode: saved.code })
  })

  it('returns the mailed link to the operator, and creates one for a reservation without a link', async () => {
    const { uuid } = await services.db.read.selectFrom('prospects').select('uuid').executeTakeFirstOrThrow()
    expect(await ensureReservationLink(services, 'GA1', ` ${code.toLowerCase().slice(0, 5)}-${code.slice(5)}`)).toBe(
      `/reservation/${uuid}`,
    )
    await services.db.write.deleteFrom('prospects').execute()
    const result = await ensureReservationLink(services, 'GA1', code)
    expect(result).toMatch(/^\/reservation\/[0-9a-f-]{36}$/)
    expect(await openReservationLink(services, result?.split('/').at(-1) ?? '', '127.0.0.1')).toMatchObject({
      value: { reservationCode: code },
    })
    const queries: string[] = []
    const listening: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        queries.push('read')
        return result
      },
    }
    const db = Object.create(services.db, { read: { value: services.db.read.withPlugin(listening) } })
    expect(await ensureReservationLink(Object.assign(Object.create(services), { db }), 'GA1', code)).toBe(result)
    expect(queries).toHaveLength(2)
    expect(await ensureReservationLink(services, 'HI1', code)).toBeNull()
    expect(await ensureReservationLink(services, 'GA1', 'NOSUCHCODE')).toBeNull()
    services.clock.advance(40 * day)
    expect(await ensureReservationLink(services, 'GA1', code)).toBeNull()
  })
})

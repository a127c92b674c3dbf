import { beforeEach, expect, it } from 'vitest'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { ReturnUnitToService } from '../facilities/operations/return-unit-to-service.ts'
import { TakeUnitOutOfService } from '../facilities/operations/take-unit-out-of-service.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { loadTenantGateAccess } from '../gate/load-tenant-gate-access.ts'
import { ChangeGateCode } from '../gate/operations/change-gate-code.ts'
import { EndGateOverride } from '../gate/operations/end-gate-override.ts'
import { LiftOverlock } from '../gate/operations/lift-overlock-until-day.ts'
import { RecordLock } from '../gate/operations/record-overlock-set-or-removed.ts'
import { SuspendGate } from '../gate/operations/suspend-gate.ts'
import { isGateCode } from '../gate/rules/generate-gate-code.ts'
import { SendLink } from '../links/operations/send-link.ts'
import { CancelMoveOutByStaff } from '../move-outs/operations/cancel-move-out-by-staff.ts'
import { VerifyMoveOut } from '../move-outs/operations/inspect-unit-after-move-out.ts'
import { ScheduleMoveOutByStaff } from '../move-outs/operations/schedule-move-out-by-staff.ts'
import { completeMoveOut } from '../move-outs/vacate.ts'
import { expireHolds } from '../reservations/expire-holds.ts'
import { quoteAtDesk } from '../reservations/operations/quote-at-desk.ts'
import { StartDeskMoveIn } from '../reservations/operations/start-desk-move-in.ts'
import { loadFieldTasks } from './views/field-tasks.ts'

const day = 86_400_000
const cy = { locationCode: 'GA1', tenantId: 1002 }

describeOnBothEngines('Lease and unit operations of staff', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  const staffCaller = (role: OfficeRole, facilities: 'all' | string[] = 'all'): Callers => ({
    address: '203.0.113.9',
    agent: 'test browser',
    staff: {
      staffId: `the ${role}`,
      name: `The ${role}`,
      signIn: '0123456789abcdef',
      provenAt: services.clock.now(),
      roles: [{ role, facilities: facilities === 'all' ? 'all' : new Set(facilities) }],
    },
  })
  const call = <I, O>(operation: InternalOperation<I, O>, input: object, role: OfficeRole = 'owner', key?: string) =>
    perform(services, operation, input, staffCaller(role), key)
  const mark = async (tenant = cy) =>
    (await loadTenantGateAccess(services.db.read, tenant, services.clock.now()))?.mark ?? ''
  const gate = async () => ({
    location_code: 'GA1',
    tenant_id: 1002,
    reason: 'Asked on the phone',
    made_from: await mark(),
  })
  const opens = async (tenant = 1002) =>
    (await loadGateAccess(services.db.read, 'GA1', services.clock.now())).find(({ tenantId }) => tenantId === tenant)
      ?.opens
  const lease = (number: number) =>
    services.db.read
      .selectFrom('leases')
      .selectAll()
      .where('location_code', '=', 'GA1')
      .where('lease_number', '=', number)
      .executeTakeFirstOrThrow()
  const unit = (number: string) =>
    services.db.read
      .selectFrom('units')
      .select(['unit_id', 'status', 'held_by'])
      .where('location_code', '=', 'GA1')
      .where('unit_number', '=', number)
      .executeTakeFirstOrThrow()
  const overlock = (on: 0 | 1) =>
    services.db.write.updateTable('leases').set({ overlocked: on }).where('lease_number', '=', 10002).execute()
  const audited = async () =>
    await services.db.read.selectFrom('audit_events').selectAll().orderBy('at').orderBy('event_id').execute()
  const jobs = async (kind: string) =>
    await services.db.read.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()
  const moveOut = async () => {
    const leaseRow = await lease(10002)
    await services.db.transaction((tx) => completeMoveOut(tx, services, leaseRow, today))
  }

  it('assign a new gate code for all open leases, mail it, return it and never write it to the audit log', async () => {
    const { status: _, ...second } = { ...(await lease(10002)), lease_number: 10003, unit_id: 4, unit_number: '201' }
    const { balance: __, ...fields } = second
    await services.db.write
      .insertInto('leases')
      .values({ ...fields, status: 'Current', gate_code: '' })
      .execute()
    const result = await call(ChangeGateCode, { ...(await gate()), gate_code: '' }, 'agent')
    const code = (await lease(10002)).gate_code
    expect(result).toMatchObject({ ok: true, value: { gate_code: code, units: ['302', '201'] } })
    expect(isGateCode(code) && code !== '591734').toBe(true)
    expect((await lease(10003)).gate_code).toBe(code)
    const activeCodes = await services.db.read
      .selectFrom('gate_codes')
      .select('gate_code')
      .where('active', '=', 1)
      .execute()
    expect(activeCodes.map(({ gate_code }) => gate_code).sort()).toEqual(['482917', code].sort())
    expect(await jobs('gate_code_changed')).toHaveLength(1)
    const [event] = await audited()
    expect(event).toMatchObject({ kind: 'gate.code_changed', tenant_id: 1002, reason: 'Asked on the phone' })
    expect(JSON.stringify(event)).not.toContain(code)
    expect(JSON.stringify(event)).not.toContain('591734')
  })

  it('refuse a gate code that is taken, not allowed, or from a stale form', async () => {
    const form = await gate()
    for (const gate_code of ['482917', '591734', '123456', '100000', '12', 'abcdef'])
      expect(await call(ChangeGateCode, { ...form, gate_code })).toMatchObject({ status: 409 })
    expect(await call(ChangeGateCode, { ...form, gate_code: '603 718' })).toMatchObject({ ok: true })
    services.clock.advance(1000)
    expect(await call(ChangeGateCode, { ...form, gate_code: '603719' })).toMatchObject({ code: 'changed' })
    expect(await call(ChangeGateCode, { ...form, tenant_id: 9999 })).toMatchObject({ status: 404 })
    expect(await perform(services, ChangeGateCode, form, staffCaller('agent', ['HI1']))).toMatchObject({ status: 404 })
    expect(await call(ChangeGateCode, form, 'field')).toMatchObject({ status: 403 })
  })

  it('report a concurrent change of a code to the second staff member; a repeated key changes it once', async () => {
    services.clock.advance(1000)
    const form = { ...(await gate()), gate_code: '' }
    const both = await Promise.all([call(ChangeGateCode, form), call(ChangeGateCode, form, 'agent')])
    expect(both.filter((result) => result.ok)).toHaveLength(1)
    expect(both.find((result) => !result.ok)).toMatchObject({ status: 409, code: 'changed' })
    services.clock.advance(1000)
    const again = { ...(await gate()), gate_code: '' }
    const first = await call(ChangeGateCode, again, 'agent', 'key-1')
    expect(await call(ChangeGateCode, again, 'agent', 'key-1')).toEqual({ ...first, replayed: true })
    expect(await jobs('gate_code_changed')).toHaveLength(2)
  })

  it('suspend a gate code, which then opens nothing until the end of the last day or of the suspension', async () => {
    expect(await opens()).toBe(true)
    expect(await call(SuspendGate, { ...(await gate()), until: '2026-11-19' })).toMatchObject({ status: 400 })
    expect(await call(SuspendGate, { ...(await gate()), until: '2026-12-21' })).toMatchObject({ status: 400 })
    expect(await call(SuspendGate, { ...(await gate()), until: '2026-11-21' })).toMatchObject({ ok: true })
    expect([await opens(), await opens(1001)]).toEqual([false, true])
    services.clock.set(Date.parse('2026-11-22T04:59:59Z'))
    expect(await opens()).toBe(false)
    services.clock.set(Date.parse('2026-11-22T05:00:00Z'))
    expect(await opens()).toBe(true)

    await call(SuspendGate, { ...(await gate()), until: '2026-11-25' })
    const state = await loadTenantGateAccess(services.db.read, cy, services.clock.now())
    const override_id = state?.suspended?.overrideId ?? ''
    expect(await call(EndGateOverride, { ...(await gate()), override_id })).toMatchObject({ ok: true })
    expect(await opens()).toBe(true)
    expect(await call(EndGateOverride, { ...(await gate()), override_id })).toMatchObject({ status: 409 })
  })

  it('lift an overlock until a day, with tasks for the lock; record a lock only on an overlocked unit', async () => {
    const work = async () =>
      (await loadFieldTasks(services, ['GA1'])).map(({ kind, unitNumber }) => `${kind} ${unitNumber}`)
    const until = { until: '2026-11-22', lease_number: 10002 }
    const on = { location_code: 'GA1', lease_number: 10002, state: 'on' }
    expect(await call(LiftOverlock, { ...(await gate()), ...until })).toMatchObject({ code: 'not_overlocked' })
    expect(await call(RecordLock, on, 'field')).toMatchObject({ code: 'not_overlocked' })
    await overlock(1)
    expect([await opens(), await work()]).toEqual([false, ['set lock 302']])
    expect(await call(RecordLock, on, 'field')).toMatchObject({ ok: true })
    expect(await call(RecordLock, on, 'field')).toMatchObject({ code: 'seen' })
    expect(await work()).toEqual([])

    expect(await call(LiftOverlock, { ...(await gate()), ...until })).toMatchObject({ ok: true })
    expect([await opens(), await work(), (await lease(10002)).overlocked]).toEqual([true, ['take lock off 302'], 1])
    expect(await call(RecordLock, { ...on, state: 'off' }, 'field')).toMatchObject({ ok: true })
    expect(await call(RecordLock, on, 'field')).toMatchObject({ code: 'not_overlocked' })
    services.clock.advance(3 * day)
    expect([await opens(), await work()]).toEqual([false, ['set lock 302']])
    expect((await audited()).map(({ kind }) => kind).sort()).toEqual(['lock.seen', 'lock.seen', 'overlock.lifted'])
  })

  it('schedule a move-out from today on, cancel it, and refuse it where the unit was sold', async () => {
    const leaseKey = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, reason: 'Called' }
    const schedule = (move_out_date: string) => call(ScheduleMoveOutByStaff, { ...leaseKey, move_out_date }, 'agent')
    expect(await schedule('2026-11-19')).toMatchObject({ status: 400 })
    expect(await schedule(today)).toMatchObject({ ok: true })
    expect(await schedule('2026-11-22')).toMatchObject({ code: 'scheduled' })
    expect(await jobs('move_out_scheduled')).toHaveLength(1)
    const cancel = (move_out_date: string) => call(CancelMoveOutByStaff, { ...leaseKey, move_out_date }, 'agent')
    expect(await cancel('2026-11-25')).toMatchObject({ code: 'changed' })
    expect(await cancel(today)).toMatchObject({ ok: true, value: { autopay: 'off' } })
    expect((await lease(10002)).scheduled_move_out).toBeNull()
    const both = await Promise.all([schedule('2026-11-22'), schedule('2026-11-23')])
    expect(both.map((result) => (result.ok ? 'done' : result.code)).sort()).toEqual(['done', 'scheduled'])
    await services.db.write
      .insertInto('auction_winners')
      .values({
        auction_winner_id: 1,
        uuid: 'w',
        location_code: 'GA1',
        lease_number: 10002,
        unit_number: '302',
        facility_name: '',
        facility_balance: 1,
        name: '',
        email: '',
        city: '',
        zip: '',
        gate_code: '',
        combo_code: '',
        state: 'paid',
        order_id: null,
        created_at: 0,
        paid_at: 1,
      })
      .execute()
    expect(await cancel('2026-11-22')).toMatchObject({ code: 'sold' })
    expect(await schedule('2026-11-24')).toMatchObject({ code: 'sold' })
  })

  it('verify a vacated unit once, with a note where it is not clean', async () => {
    const verify = (found: string, note = '') =>
      call(VerifyMoveOut, { location_code: 'GA1', lease_number: 10002, found, note }, 'field')
    expect(await verify('clean')).toMatchObject({ code: 'verified' })
    await moveOut()
    expect(await loadFieldTasks(services, ['GA1', 'HI1'])).toMatchObject([{ kind: 'verify', unitNumber: '302' }])
    expect(await verify('not clean')).toMatchObject({ status: 400 })
    const both = await Promise.all([verify('clean'), verify('not clean', 'Sofa left behind')])
    expect(both.filter((result) => result.ok)).toHaveLength(1)
    expect(both.find((result) => !result.ok)).toMatchObject({ status: 409, code: 'verified' })
    expect(await loadFieldTasks(services, ['GA1'])).toEqual([])
    expect(await verify('clean')).toMatchObject({ code: 'verified' })
  })

  it('verify a vacated unit for its last lease only', async () => {
    await moveOut()
    const { read, write } = services.db
    const last = await read.selectFrom('leases').selectAll().where('lease_number', '=', 10002).executeTakeFirstOrThrow()
    await write
      .insertInto('leases')
      .values({ ...last, lease_number: 9002, closed_on: '2026-01-31' })
      .execute()
    const verify = (lease_number: number) =>
      call(VerifyMoveOut, { location_code: 'GA1', lease_number, found: 'clean' }, 'field')
    expect(await verify(9002)).toMatchObject({ status: 409, code: 'verified' })
    expect(await verify(10002)).toMatchObject({ ok: true })
  })

  it('take a unit out of service and back; verifying its earlier lease again does not free it', async () => {
    await moveOut()
    await call(VerifyMoveOut, { location_code: 'GA1', lease_number: 10002, found: 'not clean', note: 'Sofa' }, 'field')
    expect(await unit('302')).toMatchObject({ status: 'off', held_by: 'office' })
    expect(
      await call(VerifyMoveOut, { location_code: 'GA1', lease_number: 10002, found: 'clean' }, 'field'),
    ).toMatchObject({ status: 409 })
    const unitKey = { location_code: 'GA1', unit_id: 7 }
    expect(await call(TakeUnitOutOfService, { ...unitKey, reason: 'Again' })).toMatchObject({ status: 409 })
    expect(await call(ReturnUnitToService, unitKey, 'manager')).toMatchObject({ ok: true })
    expect(await unit('302')).toMatchObject({ status: 'free', held_by: null })
    expect(await call(ReturnUnitToService, unitKey, 'manager')).toMatchObject({ status: 409 })
    expect(await call(ReturnUnitToService, unitKey, 'agent')).toMatchObject({ status: 403 })
    expect(await call(TakeUnitOutOfService, { ...unitKey, reason: 'Door', back_on: '2026-12-01' })).toMatchObject({
      ok: true,
    })
    const row = await services.db.read.selectFrom('units_out_of_service').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ unit_id: 7, reason: 'Door', back_on: '2026-12-01', staff_id: 'the owner' })
    expect(await call(TakeUnitOutOfService, { location_code: 'GA1', unit_id: 99, reason: 'x' })).toMatchObject({
      status: 404,
    })
  })

  const renter = { first: 'Rae', last: 'Ortiz', email: 'rae@example.com', cell_phone: '(404) 555-0147' }
  async function startDeskMoveIn(unit_id: number, more: object = renter) {
    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    const type = facts?.unitTypes.find((unitType) => unitType.unit_type_id === (unit_id === 4 ? 2 : 1))
    if (!facts || !type) throw new Error('no type')
    const quote = (await quoteAtDesk(services, facts, type))?.quoteId
    return call(StartDeskMoveIn, { location_code: 'GA1', unit_id, move_in_date: today, quote, ...more }, 'agent')
  }

  it('hold the chosen unit for a desk move-in, send the link by mail and text, and recognize an existing tenant', async () => {
    expect(await startDeskMoveIn(2)).toMatchObject({ ok: true, value: { unit_number: '102', tenant_id: 1003 } })
    expect(
      [await jobs('reservation_confirmed'), await jobs('reservation_link_sms')].map(({ length }) => length),
    ).toEqual([1, 1])
    expect(await startDeskMoveIn(2)).toMatchObject({ status: 409, code: 'taken' })
    expect(await startDeskMoveIn(3, { tenant_id: 1001 })).toMatchObject({ ok: true, value: { tenant_id: 1001 } })
    const ada = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', 1001)
      .executeTakeFirstOrThrow()
    const existing = { ...renter, last: 'BYRNE', email: ada.email, cell_phone: ada.cell_phone }
    expect(await startDeskMoveIn(1, existing)).toMatchObject({ ok: true, value: { tenant_id: 1001 } })
    await services.db.write
      .insertInto('tenant_flags')
      .values({ location_code: 'GA1', tenant_id: 1001, flag: 'do_not_rent', note: '', set_by: 'the owner', set_at: 0 })
      .execute()
    expect(await startDeskMoveIn(4, existing)).toMatchObject({ status: 409, code: 'do_not_rent' })
    expect(await startDeskMoveIn(4, { ...renter, email: 'x', cell_phone: '12' })).toMatchObject({
      status: 400,
      fields: { email: expect.any(String), cell_phone: expect.any(String) },
    })
    expect(await startDeskMoveIn(4, { tenant_id: 4711 })).toMatchObject({ status: 404 })
    expect(await startDeskMoveIn(4711)).toMatchObject({ status: 404 })
    expect(JSON.stringify(await audited())).not.toContain('rae@example.com')
    services.clock.advance(2 * day)
    await expireHolds(services, async () => false)
    expect(await unit('102')).toMatchObject({ status: 'free' })
  })

  it('give the unit to one of two concurrent desk move-ins and a removal from service', async () => {
    const results = await Promise.all([
      startDeskMoveIn(4),
      startDeskMoveIn(4, { ...renter, email: 'other@example.com' }),
      call(TakeUnitOutOfService, { location_code: 'GA1', unit_id: 4, reason: 'Door' }),
    ])
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect(results.filter((result) => !result.ok && result.status === 409)).toHaveLength(2)
  })

  it('send links by the existing mails, if there is something to pay, sign, resume or register', async () => {
    const send = (link: string, more: object = {}) =>
      call(SendLink, { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, link, ...more }, 'agent')
    expect(await send('pay')).toMatchObject({ ok: true })
    expect(await jobs('payment_due')).toHaveLength(1)
    expect(await send('sign')).toMatchObject({ code: 'signed' })
    expect(await send('register')).toMatchObject({ code: 'registered' })
    expect(await send('reservation')).toMatchObject({ code: 'no_reservation' })
    await startDeskMoveIn(1, { tenant_id: 1002 })
    expect(await send('reservation')).toMatchObject({ ok: true })
    await services.db.write.updateTable('leases').set({ terms_required: 1 }).execute()
    expect(await send('sign')).toMatchObject({ ok: true })
    expect(await send('pay', { tenant_id: 1001, lease_number: 10001 })).toMatchObject({ code: 'paid' })
    await moveOut()
    expect(await send('pay')).toMatchObject({ code: 'closed' })
    expect((await audited()).filter(({ kind }) => kind === 'link.sent')).toHaveLength(3)
  })

  it('send no link that leads to nothing before the facility is taken over', async () => {
    await services.db.write.updateTable('locations').set({ coming_soon: 1 }).execute()
    await services.db.write.updateTable('leases').set({ terms_required: 1 }).execute()
    for (const link of ['pay', 'sign', 'register'])
      expect(
        await call(SendLink, { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, link }),
        link,
      ).toMatchObject({ status: 409, code: 'coming_soon' })
  })

  it('mail a link to pay that is true at every lateness', async () => {
    const mailToPay = async (columns: object) => {
      await services.db.write.updateTable('leases').set(columns).where('lease_number', '=', 10002).execute()
      services.clock.advance(day / 24)
      expect(
        await call(SendLink, { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, link: 'pay' }),
      ).toMatchObject({ ok: true })
      const [mail] = await runDueMessageJobs(services)
      return `${mail?.subject} ${mail?.html.replace(/<[^>]+>/g, ' ')} ${mail?.text}`.replace(/\s+/g, ' ')
    }
    const feeOnly = await mailToPay({ paid_through: '2026-12-20' })
    expect(feeOnly).toContain('$151.37 is due')
    expect(feeOnly).not.toMatch(/past due|has begun|12\/21\/2026/)
    expect(feeOnly).toContain('Pay Now')
    const firstDay = await mailToPay({ paid_through: '2026-11-19' })
    expect(firstDay).toContain('has begun')
    expect(firstDay).not.toContain('past due')
    const late = await mailToPay({ paid_through: '2026-11-15' })
    expect(late).toContain('From Thursday, 11/26/2026 the gate does not take your code')
    const locked = await mailToPay({ paid_through: '2026-10-20', overlocked: 1 })
    expect(locked).toContain('The gate does not take your code, and the unit is locked.')
    expect(locked).not.toMatch(/Please pay before|From \w+day/)
    expect(locked).toContain('Pay Now')
    const byPhone = await mailToPay({ paid_through: '2026-08-20', auction_prepped: 1 })
    expect(byPhone).toContain('(404) 555-0199')
    expect(byPhone).not.toContain('Pay Now')
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { addDays, daysBetween, type IsoDate } from '../../domain/plain-date.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { rowsOf, tenant, unit } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { loadLeaseFees } from '../leases/load-and-add-recurring-lease-fees.ts'
import { loadRentedUnits } from '../leases/views/rented-units-of-tenant.ts'
import { quotePrepay } from '../ledger/quote-prepay.ts'
import { rentChangeNoticeMail } from '../messages/mails/rent-change-notice.ts'
import { completeMoveOut } from '../move-outs/vacate.ts'
import { postPayment, postPeriods } from '../standing/post-entries.ts'
import { reversePayment } from '../standing/reverse-payment.ts'
import { CancelRentChange } from './operations/cancel-rent-change.ts'
import { DecideRentChanges } from './operations/decide-rent-changes.ts'
import { ProposeRentChanges } from './operations/propose-rent-changes.ts'
import { ProposeRentChangesByRule } from './operations/propose-rent-changes-by-rule.ts'

/** Returns 17:00 UTC of a day, which is noon in Atlanta in winter, in epoch milliseconds. */
const at = (date: IsoDate) => Date.parse(`${date}T17:00:00Z`)
const today = '2026-11-20'

const person = (role: OfficeRole, name: string = role, facilities: 'all' | string[] = 'all'): Callers => ({
  ...visitor(),
  staff: {
    staffId: `${name} id`,
    name,
    signIn: '0123456789abcdef',
    provenAt: at(today),
    roles: [{ role, facilities: facilities === 'all' ? 'all' : new Set(facilities) }],
  } as StaffCaller,
})
const manager = person('manager')
const district = person('district')

const newRentLine = (leaseNumber: number, newRent: number, more: object = {}) => ({
  location_code: 'GA1',
  lease_number: leaseNumber,
  unit_number: '',
  new_rent: newRent,
  rent_before: null,
  ...more,
})

const propose = (services: TestServices, changes: object[], wanted_from = '', by = manager) =>
  perform(services, ProposeRentChanges, { changes, wanted_from, reason: 'Yearly' }, by)

const decide = (services: TestServices, batch_id: string, more: object = {}, by = district) =>
  perform(services, DecideRentChanges, { batch_id, change_ids: [], decision: 'approve', because: '', ...more }, by)

const changesOf = (services: TestServices) =>
  rowsOf(services.db, 'rent_changes', [
    'lease_number',
    'change_id',
    'state',
    'old_rent',
    'new_rent',
    'notice_on',
    'not_before',
    'applied_from',
  ])

const leaseOf = async (services: TestServices, lease_number = 10001) =>
  (
    await rowsOf(
      services.db,
      'leases',
      ['rent', 'next_rent', 'next_rent_from', 'paid_through', 'status', 'balance'] as const,
      { location_code: 'GA1', lease_number },
    )
  )[0]!

const rentsOf = async (services: TestServices, lease_number = 10001) =>
  (await rowsOf(services.db, 'ledger_entries', ['period_start', 'cents'], { lease_number, kind: 'rent' })).map(
    ({ period_start, cents }) => [period_start, cents] as const,
  )

/** Proposes and approves a change, and sends its notice. */
async function announce(services: TestServices, leaseNumber: number, newRent: number, from = ''): Promise<string> {
  const batch = await propose(services, [newRentLine(leaseNumber, newRent)], from)
  if (!batch.ok) throw new Error(batch.message)
  expect(await decide(services, batch.value.batch_id)).toMatchObject({ ok: true, value: { decided: 1, stale: 0 } })
  await runDueMessageJobs(services)
  return batch.value.batch_id
}

async function prepay(services: TestServices, leaseNumber: number, periods: number, orderId: string) {
  const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')!
  return services.db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('leases')
      .selectAll()
      .where('lease_number', '=', leaseNumber)
      .where('location_code', '=', 'GA1')
      .executeTakeFirstOrThrow()
    const fees = await loadLeaseFees(tx, 'GA1', leaseNumber)
    const quote = quotePrepay(facts, row, fees, { autopay: true, method: 'ACH' }, periods)
    const posted = await postPeriods(tx, services, facts, row, periods)
    expect([posted.cents, posted.from, posted.to]).toEqual([quote.total, quote.periodStart, quote.periodEnd])
    await postPayment(tx, services, {
      locationCode: 'GA1',
      leaseNumber,
      cents: quote.total,
      orderId,
      description: 'Paid ahead',
    })
    return quote
  })
}

const returnDebit = (services: TestServices, orderId: string, ahead: IsoDate) =>
  services.db.transaction((tx) =>
    reversePayment(tx, services, { orderId, code: 'R01', description: 'Returned by the bank', ahead }),
  )

describeOnBothEngines('A rent change', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const bill = async (date: IsoDate) => {
    services.clock.set(at(date))
    return runBilling(services)
  }

  it('is proposed by one staff member, approved by another, announced by mail and applied by billing', async () => {
    const batch = await propose(services, [newRentLine(10001, 149_00, { rent_before: 139_00 })])
    expect(batch).toMatchObject({ ok: true, value: { proposed: 1 } })
    const { batch_id } = (batch as { value: { batch_id: string } }).value
    expect(await changesOf(services)).toMatchObject([{ state: 'proposed', old_rent: 139_00, new_rent: 149_00 }])
    expect(await decide(services, batch_id, {}, manager)).toMatchObject({ status: 403 })
    expect(await decide(services, batch_id, {}, person('district', 'elsewhere', ['HI1']))).toMatchObject({
      status: 404,
    })
    expect(await decide(services, batch_id)).toMatchObject({ value: { decided: 1, stale: 0 } })
    expect(await decide(services, batch_id)).toMatchObject({ status: 409, code: 'decided' })
    // The new rent is not scheduled before its notice is sent.
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: null })
    const [mail] = await runDueMessageJobs(services)
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      subject: expect.stringContaining('changes on Thursday, December 31, 2026'),
    })
    expect(mail?.text).toContain(
      'This is your written notice under your rental agreement. The rent of unit 301 at Storage GA1 changes from $139.00 to $149.00 for each period of 30 days, beginning with the period that starts on Thursday, December 31, 2026.',
    )
    expect(await changesOf(services)).toMatchObject([
      { state: 'coming', notice_on: today, not_before: '2026-12-20', applied_from: null },
    ])
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: 149_00, next_rent_from: '2026-12-20' })
    // The period of December 1 begins before the 30 days of notice are over.
    await bill('2026-12-01')
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: 149_00 })
    await bill('2026-12-31')
    expect(await leaseOf(services)).toMatchObject({ rent: 149_00, next_rent: null, next_rent_from: null })
    expect(await rentsOf(services)).toEqual([
      ['2026-12-01', 139_00],
      ['2026-12-31', 149_00],
    ])
    expect(await changesOf(services)).toMatchObject([{ state: 'applied', applied_from: '2026-12-31' }])
    const events = await rowsOf(services.db, 'audit_events', ['kind', 'actor', 'outcome', 'lease_number'])
    expect(events.map(({ kind, actor }) => `${actor} ${kind}`).sort()).toEqual([
      'district rent.approved',
      'manager act.refused',
      'manager rent.proposed',
    ])
  })

  it('is refused on short notice, above the cap, for a wrong old rent, twice, and for tenants who leave or have no address', async () => {
    const refusalOf = async (change: object, from = '') => {
      const outcome = await propose(services, [change], from)
      return outcome.ok ? 'proposed' : `${outcome.status} ${outcome.code}`
    }
    expect(await refusalOf(newRentLine(10001, 149_00), '2026-12-19')).toBe('409 under_notice')
    expect(await refusalOf(newRentLine(10001, 180_71))).toBe('409 above_cap')
    expect(await refusalOf(newRentLine(10001, 139_00))).toBe('409 same_rent')
    expect(await refusalOf(newRentLine(10001, 149_00, { rent_before: 138_00 }))).toBe('409 changed')
    expect(await refusalOf(newRentLine(10009, 149_00))).toBe('404 not_found')
    expect(await refusalOf(newRentLine(10001, 149_00, { location_code: 'ZZ9' }))).toBe('404 not_found')
    for (const rent of [0, -1, 1e9, 99, 0.5])
      expect(await refusalOf(newRentLine(10001, rent))).toBe('400 invalid_input')
    await services.db.write.updateTable('tenants').set({ email: '' }).where('tenant_id', '=', 1002).execute()
    expect(await refusalOf(newRentLine(10002, 149_00))).toBe('409 no_address')
    await services.db.write
      .updateTable('leases')
      .set({ scheduled_move_out: '2026-12-24' })
      .where('lease_number', '=', 10002)
      .execute()
    expect(await refusalOf(newRentLine(10002, 129_00))).toBe('409 moving_out')
    expect(await refusalOf(newRentLine(10001, 149_00), '2026-12-20')).toBe('proposed')
    expect(await refusalOf(newRentLine(10001, 150_00))).toBe('409 under_way')
    expect(await propose(services, [newRentLine(10001, 1_49_00)], '', person('manager', 'm2', ['HI1']))).toMatchObject({
      status: 404,
    })
    expect(await propose(services, [newRentLine(10001, 149_00)], '', person('agent'))).toMatchObject({ status: 403 })
  })

  it('lowers the rent without notice, from the next period that is charged', async () => {
    await announce(services, 10001, 99_00)
    expect(await leaseOf(services)).toMatchObject({ next_rent: 99_00, next_rent_from: today })
    await bill('2026-12-01')
    expect(await rentsOf(services)).toEqual([['2026-12-01', 99_00]])
    expect(await leaseOf(services)).toMatchObject({ rent: 99_00, next_rent: null })
  })

  it('leaves prepaid periods unchanged, and is part of a prepayment’s quote', async () => {
    await prepay(services, 10001, 2, 'ahead')
    await announce(services, 10001, 149_00)
    expect((await prepay(services, 10001, 1, 'more')).rent).toBe(149_00)
    expect(await leaseOf(services)).toMatchObject({ rent: 149_00, next_rent: null })
    expect(await rentsOf(services)).toEqual([
      ['2026-12-01', 139_00],
      ['2026-12-31', 139_00],
      ['2027-01-30', 149_00],
    ])
    // The new rent is charged ahead: another change has to wait for that period, and a cancellation is too late.
    const [change] = await changesOf(services)
    expect(await propose(services, [newRentLine(10001, 155_00)])).toMatchObject({ status: 409, code: 'charged_ahead' })
    expect(
      await perform(
        services,
        CancelRentChange,
        { change_id: change?.change_id, location_code: 'GA1', reason: 'Asked' },
        district,
      ),
    ).toMatchObject({ status: 409, code: 'charged' })
    // One payment across the change: one period at the old rent, two at the new.
    await announce(services, 10002, 150_00)
    const quote = await prepay(services, 10002, 3, 'three')
    expect(quote.lines.map(({ label, cents }) => `${label} ${cents}`)).toEqual([
      'Rent 13900',
      'Rent from 12/31/2026 30000',
      `Tax on rent ${12_37 + 2 * 13_35}`,
    ])
  })

  it('is scheduled again when the bank returns the payment of its first period', async () => {
    await announce(services, 10001, 149_00)
    await prepay(services, 10001, 3, 'ahead')
    expect(await leaseOf(services)).toMatchObject({ rent: 149_00 })
    await returnDebit(services, 'ahead', '2026-12-01')
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: 149_00, next_rent_from: '2026-12-20' })
    await bill('2026-12-01')
    await bill('2026-12-31')
    expect((await rentsOf(services)).filter(([, cents]) => cents > 0).slice(-5)).toEqual(
      expect.arrayContaining([
        ['2026-12-01', 139_00],
        ['2026-12-31', 149_00],
      ]),
    )
    expect(await leaseOf(services)).toMatchObject({ rent: 149_00, balance: 139_00 + 12_37 + 149_00 + 13_26 })
  })

  it('is cancelled before and after its notice by permitted staff, and the tenant is mailed only after a notice', async () => {
    const cancel = async (by: Callers, location_code = 'GA1') => {
      const open = (await changesOf(services)).find(({ state }) => ['proposed', 'approved', 'coming'].includes(state))
      const input = { change_id: open?.change_id, location_code, reason: 'Agreed' }
      const outcome = await perform(services, CancelRentChange, input, by)
      return outcome.ok ? 'cancelled' : outcome.status
    }
    await propose(services, [newRentLine(10001, 149_00)])
    expect(await cancel(manager)).toBe('cancelled')
    expect(await runDueMessageJobs(services)).toEqual([])
    await announce(services, 10001, 149_00)
    expect(await cancel(manager)).toBe(403)
    expect(await cancel(district, 'HI1')).toBe(404)
    expect(await cancel(district)).toBe('cancelled')
    expect((await runDueMessageJobs(services)).map(({ subject }) => subject)).toEqual([
      'The rent of unit 301 stays as it is',
    ])
    await bill('2026-12-31')
    expect(await rentsOf(services)).toEqual([
      ['2026-12-01', 139_00],
      ['2026-12-31', 139_00],
    ])
    // A second change may follow.
    await announce(services, 10001, 144_00)
  })

  it('that is cancelled while its notice is sent is withdrawn by a mail', async () => {
    const batch = await propose(services, [newRentLine(10001, 149_00)])
    await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)
    const [change] = await changesOf(services)
    const composed = await rentChangeNoticeMail.compose(services, { changeId: change?.change_id ?? '' })
    const input = { change_id: change?.change_id, location_code: 'GA1', reason: 'Agreed' }
    expect(await perform(services, CancelRentChange, input, district)).toMatchObject({ ok: true })
    await composed?.sent?.()
    expect((await runDueMessageJobs(services)).map(({ subject }) => subject)).toEqual([
      'The rent of unit 301 stays as it is',
    ])
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: null })
  })

  const scheduleMoveOut = (date: IsoDate | null) =>
    services.db.write
      .updateTable('leases')
      .set({ scheduled_move_out: date })
      .where('lease_number', '=', 10001)
      .execute()

  it('is not announced to a tenant who scheduled a move-out after its approval', async () => {
    const batch = await propose(services, [newRentLine(10001, 149_00)])
    await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)
    await scheduleMoveOut('2027-03-01')
    expect(await runDueMessageJobs(services)).toEqual([])
    expect(await changesOf(services)).toMatchObject([{ state: 'stale', notice_on: null }])
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: null })
    await scheduleMoveOut(null)
    await announce(services, 10001, 144_00)
  })

  it('is withdrawn by a mail when the tenant schedules a move-out while its notice is sent', async () => {
    const batch = await propose(services, [newRentLine(10001, 149_00)])
    await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)
    const [change] = await changesOf(services)
    const composed = await rentChangeNoticeMail.compose(services, { changeId: change?.change_id ?? '' })
    await scheduleMoveOut('2027-03-01')
    await composed?.sent?.()
    expect((await runDueMessageJobs(services)).map(({ subject }) => subject)).toEqual([
      'The rent of unit 301 stays as it is',
    ])
    expect(await changesOf(services)).toMatchObject([{ state: 'stale', notice_on: today }])
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: null })
  })

  it('ends with the lease, and a proposal is stale when its lease has changed', async () => {
    await announce(services, 10001, 149_00)
    await services.db.transaction(async (tx) => {
      const row = await tx.selectFrom('leases').selectAll().where('lease_number', '=', 10001).executeTakeFirstOrThrow()
      await completeMoveOut(tx, services, row, today)
    })
    expect(await changesOf(services)).toMatchObject([{ state: 'lapsed' }])
    expect(await leaseOf(services)).toMatchObject({ rent: 139_00, next_rent: null, next_rent_from: null })
    const batch = await propose(services, [newRentLine(10002, 149_00)])
    await services.db.write.updateTable('leases').set({ rent: 141_00 }).where('lease_number', '=', 10002).execute()
    expect(await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)).toMatchObject({
      status: 409,
      code: 'changed',
    })
    expect(await changesOf(services)).toMatchObject([{ state: 'lapsed' }, { state: 'stale' }])
    expect(await runDueMessageJobs(services)).toEqual([])
  })

  it('is proposed once and decided once by two requests at the same moment, and proposed once when sent twice', async () => {
    const two = await Promise.all([
      propose(services, [newRentLine(10001, 149_00)]),
      propose(services, [newRentLine(10001, 148_00)]),
    ])
    expect(two.map((outcome) => (outcome.ok ? 'proposed' : outcome.code)).sort()).toEqual(['proposed', 'under_way'])
    const { batch_id } = (two.find(({ ok }) => ok) as { value: { batch_id: string } }).value
    const both = await Promise.all([
      decide(services, batch_id),
      decide(services, batch_id, { decision: 'refuse' }, person('owner')),
    ])
    expect(both.map((outcome) => (outcome.ok ? 'decided' : outcome.code)).sort()).toEqual(['decided', 'decided'])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    const input = { changes: [newRentLine(10002, 149_00)], wanted_from: '', reason: 'Yearly' }
    const key = 'b7d6a2b0-4f38-4f0e-8b7b-6d1b2f6f3f01'
    const first = await perform(services, ProposeRentChanges, input, manager, key)
    expect(await perform(services, ProposeRentChanges, input, manager, key)).toMatchObject({ ...first, replayed: true })
  })

  it('of a list is proposed with the whole list or not at all, by lease or by unit', async () => {
    const list = [
      newRentLine(10001, 149_00),
      newRentLine(10002, 300_00),
      { ...newRentLine(0, 149_00), lease_number: null, unit_number: '999' },
    ]
    expect(await propose(services, list)).toMatchObject({
      status: 409,
      message: '2 of 3 lines cannot be proposed. Nothing was proposed.',
      fields: {
        'line 2': 'Line 2, GA1 lease 10002: This is more than 30 % at once: the rent may become $180.70 at most.',
        'line 3': expect.stringContaining('Line 3, GA1 unit 999'),
      },
    })
    expect(await changesOf(services)).toEqual([])
    const byUnit = { ...newRentLine(0, 149_00), lease_number: null, unit_number: '302' }
    expect(await propose(services, [newRentLine(10002, 148_00), byUnit])).toMatchObject({ status: 409, code: 'twice' })
    expect(await propose(services, [newRentLine(10001, 148_00), byUnit])).toMatchObject({ value: { proposed: 2 } })
  })

  it('of five hundred leases is proposed by rule and approved together', { timeout: 60_000 }, async () => {
    await manyLeases(services.db, 500)
    services.clock.set(at('2027-11-20'))
    const begun = performance.now()
    const rule = { months: 12, percent: 8, most: 9_00, of_street_rate: null, wanted_from: '', reason: 'Yearly' }
    const batch = await perform(services, ProposeRentChangesByRule, { location_codes: ['GA1'], ...rule }, manager)
    expect(batch).toMatchObject({ value: { proposed: 502 } })
    expect(await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)).toMatchObject({
      value: { decided: 502, stale: 0 },
    })
    console.log(`502 rents proposed and approved in ${Math.round(performance.now() - begun)} ms`)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await changesOf(services)).every(({ new_rent }) => new_rent === 148_00)).toBe(true)
  })
})

/** Adds leases to GA1, numbered from 20001, each with its own unit and tenant. */
async function manyLeases(db: Database, count: number, fields: (n: number) => object = () => ({})) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await db.transaction(async (tx) => {
    const units = numbers.map((n) => ({ ...unit('GA1', 1000 + n, 1, `M${n}`), status: 'rented' as const }))
    await tx.insertInto('units').values(units).execute()
    await tx
      .insertInto('tenants')
      .values(numbers.map((n) => tenant({ tenant_id: 20_000 + n, first: `T${n}`, last: 'Many' })))
      .execute()
    for (const n of numbers)
      await tx
        .insertInto('leases')
        .values(
          lease({
            lease_number: 20_000 + n,
            tenant_id: 20_000 + n,
            unit_id: 1000 + n,
            unit_number: `M${n}`,
            ...fields(n),
          }),
        )
        .execute()
  })
}

describe('Rent changes over time', () => {
  const open = openerForTests()

  it('keep every charge equal to the one that the tenant’s page showed', { timeout: 60_000 }, async () => {
    const services = await openTestServices(await open())
    await manyLeases(services.db, 30, (n) => ({ paid_through: addDays('2026-11-18', n) }))
    const changes = Array.from({ length: 30 }, (_, at) => newRentLine(20_001 + at, 141_00 + at * 10))
    const batch = await propose(services, changes)
    await decide(services, (batch as { value: { batch_id: string } }).value.batch_id)
    await runDueMessageJobs(services)
    for (let date: IsoDate = '2026-11-20'; date <= '2027-02-01'; date = addDays(date, 1)) {
      const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')!
      const all = await rowsOf(services.db, 'leases', ['lease_number'], { paid_through: addDays(date, -1) })
      const due = all.filter(({ lease_number }) => lease_number > 20_000)
      // Loaded before billing: the next charge that the tenant's page shows.
      const shownUnits = await Promise.all(
        due.map(async ({ lease_number }) => {
          const { units } = await loadRentedUnits(services, facts, { locationCode: 'GA1', tenantId: lease_number })
          return units[0]!
        }),
      )
      services.clock.set(at(date))
      await runBilling(services)
      for (const { leaseNumber, next } of shownUnits) {
        expect([next.on, (await leaseOf(services, leaseNumber)).balance]).toEqual([date, next.cents])
        await services.db.transaction((tx) =>
          postPayment(tx, services, {
            locationCode: 'GA1',
            leaseNumber,
            cents: next.cents,
            orderId: `${leaseNumber} ${date}`,
            description: 'Card',
          }),
        )
      }
      const owing = (await rowsOf(services.db, 'leases', ['balance', 'lease_number'])).filter(
        ({ balance, lease_number }) => balance !== 0 && lease_number > 20_000,
      )
      expect(owing).toEqual([])
    }
    for (const { lease_number, new_rent } of changes) {
      const rents = await rentsOf(services, lease_number)
      expect(rents.length).toBeGreaterThan(1)
      for (const [start, cents] of rents) expect(cents).toBe((start ?? '') >= '2026-12-20' ? new_rent : 139_00)
      expect(await leaseOf(services, lease_number)).toMatchObject({ rent: new_rent, next_rent: null })
    }
  })

  it('stay correct over ten months of random changes, cancellations, prepayments and returns', {
    timeout: 120_000,
  }, async () => {
    const services = await openTestServices(await open())
    const random = seededRandom(22)
    const chance = (favorable: number, total: number) => random.integer(1, total) <= favorable
    await manyLeases(services.db, 10, (n) => ({ paid_through: addDays('2026-11-18', n * 3) }))
    const numbers = Array.from({ length: 10 }, (_, at) => 20_001 + at)
    const prepaid: { leaseNumber: number; orderId: string; from: IsoDate; on: IsoDate }[] = []
    let orders = 0
    for (let date: IsoDate = '2026-11-21'; date <= '2027-09-20'; date = addDays(date, 1)) {
      services.clock.set(at(date))
      await runBilling(services)
      const leases = new Map(
        (await rowsOf(services.db, 'leases', ['lease_number', 'balance', 'rent'])).map((row) => [
          row.lease_number,
          row,
        ]),
      )
      for (const leaseNumber of numbers) {
        const { balance, rent } = leases.get(leaseNumber)!
        if (balance > 0 && chance(1, 3)) {
          orders += 1
          await services.db.transaction((tx) =>
            postPayment(tx, services, {
              locationCode: 'GA1',
              leaseNumber,
              cents: balance,
              orderId: `paid ${orders}`,
              description: 'Card',
            }),
          )
        }
        if (chance(1, 30)) {
          const newRent = chance(1, 4) ? rent - 5_00 : rent + random.integer(1, 20) * 100
          const batch = await propose(services, [newRentLine(leaseNumber, newRent)])
          if (batch.ok) await decide(services, batch.value.batch_id)
          await runDueMessageJobs(services)
        }
        if (balance <= 0 && chance(1, 60)) {
          orders += 1
          const quote = await prepay(services, leaseNumber, random.integer(1, 4), `ahead ${orders}`)
          prepaid.push({ leaseNumber, orderId: `ahead ${orders}`, from: quote.periodStart, on: date })
        }
        if (chance(1, 150)) {
          const open = (await changesOf(services)).find(
            (change) => change.lease_number === leaseNumber && change.state === 'coming',
          )
          const input = { change_id: open?.change_id, location_code: 'GA1', reason: 'Agreed' }
          if (open) expect(await perform(services, CancelRentChange, input, district)).toMatchObject({ ok: true })
        }
      }
      const back = prepaid.findIndex(({ on }) => daysBetween(on, date) >= 3)
      if (back >= 0) {
        const [payment] = prepaid.splice(back, 1)
        if (payment && chance(1, 2)) await returnDebit(services, payment.orderId, payment.from)
      }
    }
    const changes = (await changesOf(services)).filter(({ state }) => state === 'applied')
    expect(changes.length).toBeGreaterThan(15)
    for (const leaseNumber of numbers) {
      const own = changes
        .filter((change) => change.lease_number === leaseNumber)
        .sort((a, b) => ((a.applied_from ?? '') < (b.applied_from ?? '') ? -1 : 1))
      const rents = new Map<IsoDate, number>()
      for (const [start, cents] of await rentsOf(services, leaseNumber))
        rents.set(start ?? '', (rents.get(start ?? '') ?? 0) + cents)
      for (const [start, cents] of rents) {
        if (cents === 0) continue
        const last = own.findLast(({ applied_from }) => (applied_from ?? '') <= start)
        expect([leaseNumber, start, cents]).toEqual([leaseNumber, start, last?.new_rent ?? own[0]?.old_rent ?? 139_00])
      }
      for (const { new_rent, old_rent, notice_on, applied_from, not_before } of own) {
        expect((applied_from ?? '') >= (not_before ?? '')).toBe(true)
        if (new_rent > old_rent) expect(daysBetween(notice_on ?? '', applied_from ?? '')).toBeGreaterThanOrEqual(30)
      }
      expect((await leaseOf(services, leaseNumber)).rent).toBe(own.at(-1)?.new_rent ?? 139_00)
    }
  })
})

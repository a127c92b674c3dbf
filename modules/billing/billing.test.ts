import { beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import type { Database } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { observeServices } from '../../tests/support/fault-points.ts'
import { asAda, lease, openTestServices, type TestServices, tenant } from '../../tests/support/small-operator.ts'
import { AddFeesToLease } from '../leases/operations/add-full-day-access-fee-by-tenant.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { loadEntries } from '../payments/payment-history.ts'
import { postCharge, postPayment } from '../standing/post-entries.ts'
import { reversePayment } from '../standing/reverse-payment.ts'
import { runBilling } from './run-billing.ts'

const periodCents = 139_00 + 12_37

const loadLease = (services: TestServices, leaseNumber = 10001) =>
  services.db.read
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', 'GA1')
    .where('lease_number', '=', leaseNumber)
    .executeTakeFirstOrThrow()

const loadPeriods = async (services: TestServices, leaseNumber = 10001) =>
  (await loadEntries(services.db.read, 'GA1', leaseNumber))
    .filter((entry) => entry.kind === 'rent' && entry.period_start !== null)
    .map((entry) => `${entry.period_start} ${entry.period_end}`)
    .sort()

const loadMails = async (services: TestServices) =>
  (
    await services.db.read
      .selectFrom('jobs')
      .select(['kind', 'once'])
      .where('kind', 'in', ['payment_due', 'past_due'])
      .orderBy('created_at')
      .orderBy('kind')
      .execute()
  ).map((job) => `${job.kind} ${job.once}`)

const at = (date: string) => Date.parse(`${date}T17:00:00Z`)

async function pay(services: TestServices, cents: number, orderId: string, leaseNumber = 10001) {
  await services.db.transaction((tx) =>
    postPayment(tx, services, { locationCode: 'GA1', leaseNumber, cents, orderId, description: 'Card payment' }),
  )
}

/** Inserts `count` leases at GA1, each with its own unit and tenant. Numbers of leases and tenants begin with 20001. */
async function insertLeases(db: Database, count: number, columns: (at: number) => object = () => ({})) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await db.transaction(async (tx) => {
    for (let from = 0; from < count; from += 200) {
      const batch = numbers.slice(from, from + 200)
      await tx
        .insertInto('units')
        .values(
          batch.map((n) => ({
            location_code: 'GA1',
            unit_id: 1000 + n,
            unit_number: `M${n}`,
            unit_type_id: 1,
            status: 'rented',
            held_by: null,
            held_until: null,
            floor_no: 1,
            left_coordinate: null,
            top_coordinate: 0,
            length: 10,
            width: 10,
            rotate: 0,
          })),
        )
        .execute()
      await tx
        .insertInto('tenants')
        .values(batch.map((n) => tenant({ tenant_id: 20_000 + n, first: `T${n}`, last: 'Many' })))
        .execute()
      await tx
        .insertInto('leases')
        .values(
          batch.map((n) =>
            lease({
              lease_number: 20_000 + n,
              tenant_id: 20_000 + n,
              unit_id: 1000 + n,
              unit_number: `M${n}`,
              ...columns(n),
            }),
          ),
        )
        .execute()
    }
  })
}

/** Returns leases, entries and mails, which two ways of billing must leave equal. */
async function loadBillingState(services: TestServices) {
  const { read } = services.db
  return {
    leases: await read
      .selectFrom('leases')
      .select(['lease_number', 'status', 'paid_through', 'auction_prepped', 'overlocked', 'closed_on'])
      .orderBy('lease_number')
      .execute(),
    entries: await read
      .selectFrom('ledger_entries')
      .select(['lease_number', 'kind', 'cents', 'once', 'period_start', 'period_end', 'posted_on'])
      .orderBy('lease_number')
      .orderBy('once')
      .execute(),
    mails: await read.selectFrom('jobs').select(['kind', 'once']).orderBy('kind').orderBy('once').execute(),
  }
}

class Killed extends Error {}

describeOnBothEngines('The billing run', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  it('bills a lease whose own policy ends on the last possible day', async () => {
    const policy = { carrier: 'Acme', policy_number: 'P-1', expiration_date: '9999-12-31' }
    await services.db.write
      .updateTable('leases')
      .set({ insurance_status: 2, insurance_notes: JSON.stringify(policy) })
      .where('lease_number', '=', 10001)
      .execute()
    services.clock.set(at('2026-12-01'))
    expect(await runBilling(services)).toMatchObject({ facilities: 2, leases: 2, periods: 2 })
  })

  it('charges rent, insurance, recurring fees and taxes of the next 30 days once, when a period has ended', async () => {
    await services.db.write
      .updateTable('leases')
      .set({ insurance_status: 1, insurance_scheme_id: 1, insurance_premium: 24_00 })
      .where('lease_number', '=', 10001)
      .execute()
    await perform(
      services,
      AddFeesToLease,
      { location_code: 'GA1', tenant_id: 1001, lease_number: 10001, fee_id: 2 },
      asAda,
    )
    services.clock.set(at('2026-11-30'))
    expect(await runBilling(services)).toMatchObject({ facilities: 2, leases: 2, periods: 0, entries: 0 })
    services.clock.set(at('2026-12-01'))
    expect(await runBilling(services)).toMatchObject({ facilities: 2, leases: 2, periods: 2, entries: 8 })
    const entries = (await loadEntries(services.db.read, 'GA1', 10001)).sort((a, b) => (a.once < b.once ? -1 : 1))
    expect(
      entries.map((entry) => [entry.kind, entry.cents, entry.period_start, entry.period_end, entry.posted_on]),
    ).toEqual(
      [
        ['fee', 20_00],
        ['insurance', 24_00],
        ['rent', 139_00],
        ['tax', 1_40],
        ['tax', 96],
        ['tax', 12_37],
      ].map((line) => [...line, '2026-12-01', '2026-12-30', '2026-12-01']),
    )
    expect(await loadLease(services)).toMatchObject({
      status: 'Past Due',
      paid_through: '2026-11-30',
      overlocked: null,
    })
    const before = await loadBillingState(services)
    expect(await runBilling(services)).toMatchObject({ facilities: 0, leases: 0, entries: 0, mails: 0 })
    expect(await runBilling(services, { again: true })).toMatchObject({
      leases: 2,
      periods: 0,
      entries: 0,
      mails: 0,
    })
    expect(await loadBillingState(services)).toEqual(before)
    await pay(services, 197_73, 'order-1')
    expect(await loadLease(services)).toMatchObject({ status: 'Current', paid_through: '2026-12-30' })
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
  })

  it('runs once with two workers, and continues after one was killed', async () => {
    await insertLeases(services.db, 1150)
    services.clock.set(at('2026-12-05'))
    // On SQLite, the run is killed before and after its first batch's commit, then when every lease is billed.
    // On PostgreSQL, the transactions of both facilities alternate, so the moments vary.
    for (const [at, count] of [
      ['work done', 2],
      ['transaction committed', 2],
      ['transaction committed', 4],
    ] as const) {
      let reached = 0
      const dying = observeServices(services, (moment) => {
        if (moment.at === at && ++reached === count) throw new Killed()
      })
      await expect(runBilling(dying)).rejects.toThrow(Killed)
    }
    const [first, second] = await Promise.all([runBilling(services), runBilling(services)])
    expect(first.facilities + second.facilities).toBeLessThanOrEqual(2)
    const rows = await services.db.read
      .selectFrom('ledger_entries')
      .select(['lease_number', 'once'])
      .where('period_start', '=', '2026-12-01')
      .execute()
    expect(rows).toHaveLength(2 * 1152)
    expect(new Set(rows.map((row) => `${row.lease_number} ${row.once}`)).size).toBe(2 * 1152)
    expect(
      await services.db.read
        .selectFrom('billing_runs')
        .select(['location_code', 'state', 'leases', 'entries'])
        .execute(),
    ).toEqual(
      expect.arrayContaining([
        { location_code: 'GA1', state: 'done', leases: 1152, entries: 2 * 1152 },
        { location_code: 'HI1', state: 'done', leases: 0, entries: 0 },
      ]),
    )
    expect(await loadMails(services)).toHaveLength(1152)
  })
})

describe('The billing run, rule by rule', () => {
  const open = openerForTests()
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })
  const bill = async (date: string) => {
    services.clock.set(at(date))
    return runBilling(services)
  }
  const setLease = (set: object, leaseNumber = 10001) =>
    services.db.write.updateTable('leases').set(set).where('lease_number', '=', leaseNumber).execute()

  it.each([
    ['a month of 31 days', '2027-01-30', '2027-01-31', '2027-03-01'],
    ['29 February', '2028-02-28', '2028-02-29', '2028-03-29'],
    ['the year’s end', '2026-12-31', '2027-01-01', '2027-01-30'],
    ['the clock going forward', '2027-03-13', '2027-03-14', '2027-04-12'],
    ['the clock going back', '2027-11-06', '2027-11-07', '2027-12-06'],
  ])('moves paid-through by exactly 30 days over %s', async (_, paidThrough, start, end) => {
    await setLease({ paid_through: paidThrough })
    await bill(paidThrough)
    expect(await loadPeriods(services)).toEqual([])
    await bill(start)
    expect(await loadPeriods(services)).toEqual([`${start} ${end}`])
    await pay(services, periodCents, 'order-1')
    expect((await loadLease(services)).paid_through).toBe(end)
    await bill(end)
    expect(await loadPeriods(services)).toHaveLength(1)
  })

  it('charges all periods of missed days, as if no day had been missed', async () => {
    await setLease({ paid_through: '2026-11-20' })
    await pay(services, 400_00, 'ahead')
    const other = await openTestServices(await open())
    await other.db.write
      .updateTable('leases')
      .set({ paid_through: '2026-11-20' })
      .where('lease_number', '=', 10001)
      .execute()
    await pay(other, 400_00, 'ahead')
    for (let date = '2026-11-20'; date <= '2027-02-25'; date = addDays(date, 1)) {
      other.clock.set(at(date))
      await runBilling(other)
    }
    await bill('2026-11-20')
    expect(await bill('2027-02-25')).toMatchObject({ periods: 4 + 3 })
    expect(await loadPeriods(services)).toEqual(await loadPeriods(other))
    expect(await loadPeriods(services)).toEqual([
      '2026-11-21 2026-12-20',
      '2026-12-21 2027-01-19',
      '2027-01-20 2027-02-18',
      '2027-02-19 2027-03-20',
    ])
    const { paid_through, status, overlocked } = await loadLease(services)
    expect(await loadLease(other)).toMatchObject({ paid_through, status, overlocked })
    expect({ paid_through, status, overlocked }).toEqual({
      paid_through: '2027-01-19',
      status: 'Past Due',
      overlocked: 1,
    })
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(4 * periodCents - 400_00)
  })

  it('leaves prepaid periods alone, and applies a credit to new periods', async () => {
    await bill('2026-12-01')
    await pay(services, 2 * periodCents, 'order-1')
    expect(await loadLease(services)).toMatchObject({ paid_through: '2026-12-30', status: 'Current' })
    await bill('2026-12-31')
    expect(await loadLease(services)).toMatchObject({ paid_through: '2027-01-29', status: 'Current' })
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
    await services.db.transaction((tx) =>
      reversePayment(tx, services, { orderId: 'order-1', code: 'R01', description: 'Returned by the bank' }),
    )
    expect(await loadLease(services)).toMatchObject({ paid_through: '2026-11-30', status: 'Past Due', overlocked: 1 })
  })

  it('pays a missed period from a credit before a fee that was charged after the period began', async () => {
    await pay(services, 90_00, 'credit')
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 25_00,
        description: 'Lock cut',
        once: 'lock',
      }),
    )
    services.clock.set(at('2026-12-10'))
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'credit',
        cents: -86_37,
        description: 'Goodwill',
        once: 'goodwill',
      }),
    )
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 10_00,
        description: 'Cleaning',
        once: 'cleaning',
      }),
    )
    // The credit of $151.37 covers the period from December 1; the fee of $10.00, charged later, is due.
    await bill('2026-12-11')
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(10_00)
    expect(await loadLease(services)).toMatchObject({ paid_through: '2026-12-30', status: 'Past Due', overlocked: 0 })
  })

  it('flags a lease for auction when it is unpaid longer than the facility allows, but never a military tenant', async () => {
    await services.db.write.updateTable('tenants').set({ active_military: 1 }).where('tenant_id', '=', 1002).execute()
    for (const [date, status] of [
      ['2027-02-13', 'Past Due'],
      ['2027-02-14', 'Auction'],
    ] as const) {
      await bill(date)
      expect(await loadLease(services, 10001)).toMatchObject({ status, auction_prepped: status === 'Auction' ? 1 : 0 })
      expect(await loadLease(services, 10002)).toMatchObject({ status: 'Past Due', auction_prepped: 0, overlocked: 1 })
    }
    await services.db.write.updateTable('tenants').set({ active_military: 1 }).where('tenant_id', '=', 1001).execute()
    await bill('2027-02-15')
    expect(await loadLease(services)).toMatchObject({ status: 'Past Due', auction_prepped: 0 })
    await services.db.write.updateTable('tenants').set({ active_military: 0 }).where('tenant_id', '=', 1001).execute()
    await bill('2027-02-16')
    expect(await loadLease(services)).toMatchObject({ status: 'Auction', auction_prepped: 1 })
    await pay(services, await loadBalance(services.db.read, 'GA1', 10001), 'all')
    expect(await loadLease(services)).toMatchObject({ status: 'Current', auction_prepped: 0, overlocked: 0 })
  })

  it('charges a late fee, if the facility has one, once for each period, ten days after it began', async () => {
    await services.db.write
      .insertInto('fees')
      .values({
        location_code: 'GA1',
        fee_id: 9,
        unit_type_id: null,
        description: 'Late Fee',
        amount: 25_00,
        charged: 'late',
      })
      .execute()
    await bill('2026-12-01')
    await bill('2026-12-10')
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(periodCents)
    await bill('2026-12-11')
    expect(await runBilling(services, { date: '2026-12-11', again: true })).toMatchObject({ entries: 0, cents: 0 })
    await bill('2026-12-12')
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(periodCents + 25_00 + 1_75)
    expect((await loadLease(services)).paid_through).toBe('2026-11-30')
    await bill('2027-01-15')
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(2 * (periodCents + 25_00 + 1_75))
    await pay(services, await loadBalance(services.db.read, 'GA1', 10001), 'order-1')
    await bill('2027-01-30')
    await pay(services, periodCents, 'order-2')
    await bill('2027-02-12')
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
  })

  it('mails due and past-due notices once for each lease and period', async () => {
    await setLease({ autopay: 1 }, 10002)
    for (let date = '2026-11-29'; date <= '2026-12-20'; date = addDays(date, 1)) await bill(date)
    expect(await loadMails(services)).toEqual(['payment_due GA1:10001:2026-12-01', 'past_due GA1:10001:2026-12-01'])
    await bill('2027-01-02')
    expect(await loadMails(services)).toHaveLength(3)
    await pay(services, 2 * periodCents, 'order-1')
    await bill('2027-01-10')
    expect(await loadMails(services)).toHaveLength(3)
  })

  it('sends no mail to a tenant who cannot pay online, or about dues from before the facility’s first run', async () => {
    await setLease({ paid_through: '2026-08-05' }, 10001)
    await setLease({ paid_through: '2026-11-01' }, 10002)
    await services.db.write
      .insertInto('ledger_entries')
      .values(
        [10001, 10002].map((lease_number) => ({
          entry_id: `r${lease_number}`,
          location_code: 'GA1',
          lease_number,
          kind: 'rent',
          cents: periodCents,
          description: 'Rent',
          once: 'brought in',
          order_id: null,
          posted_on: '2026-11-02',
          created_at: 0,
          period_start: '2026-11-02',
          period_end: '2026-12-01',
        })),
      )
      .execute()
    await bill('2026-11-20')
    expect(await loadMails(services)).toEqual([])
  })

  it('closes a lease when the day of its move-out is over, and charges no period that begins on it', async () => {
    await setLease({ scheduled_move_out: '2026-12-01', move_out_reason: 1 })
    await bill('2026-12-01')
    expect(await loadLease(services)).toMatchObject({ status: 'Current' })
    expect(await loadPeriods(services)).toEqual([])
    expect(await bill('2026-12-02')).toMatchObject({ movedOut: 1 })
    expect(await loadLease(services)).toMatchObject({ status: 'Closed', closed_on: '2026-12-01' })
    expect(await loadPeriods(services)).toEqual([])
    expect(await bill('2027-01-05')).toMatchObject({ movedOut: 0 })
    const code = await services.db.read
      .selectFrom('gate_codes')
      .select('active')
      .where('gate_code', '=', '482917')
      .executeTakeFirst()
    expect(code?.active).toBe(0)
  })

  it('charges periods from before the move-out, even if billing runs after it', async () => {
    await setLease({ scheduled_move_out: '2026-12-20', move_out_reason: 1 })
    expect(await bill('2027-01-15')).toMatchObject({ movedOut: 1 })
    expect(await loadPeriods(services)).toEqual(['2026-12-01 2026-12-30'])
    expect(await loadLease(services)).toMatchObject({ status: 'Closed', closed_on: '2026-12-20', overlocked: 0 })
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(periodCents)
  })

  it('can run for a future or past day or one facility, and can stop after a number of leases', async () => {
    await insertLeases(services.db, 30)
    expect(await runBilling(services, { date: '2026-12-01', locationCode: 'HI1' })).toMatchObject({
      facilities: 1,
      leases: 0,
    })
    expect(await runBilling(services, { date: '2026-12-01', most: 10 })).toMatchObject({ facilities: 0, leases: 10 })
    expect(await runBilling(services, { date: '2026-12-01', most: 10 })).toMatchObject({ facilities: 0, leases: 10 })
    expect(await runBilling(services, { date: '2026-12-01' })).toMatchObject({ leases: 12, periods: 12 })
    services.clock.set(at('2026-12-20'))
    await runBilling(services)
    const before = await loadBillingState(services)
    expect(await runBilling(services, { date: '2026-11-25' })).toMatchObject({
      leases: 32,
      periods: 0,
      entries: 0,
      mails: 0,
    })
    expect(await loadBillingState(services)).toEqual(before)
  })

  it('stops between two batches when the server stops, and continues there', async () => {
    await insertLeases(services.db, 600)
    let calls = 0
    const partial = await runBilling(services, { date: '2026-12-01', stopping: () => ++calls > 2 })
    expect(partial).toMatchObject({ leases: 500, periods: 500 })
    expect(await runBilling(services, { date: '2026-12-01' })).toMatchObject({
      leases: 102,
      periods: 102,
      facilities: 2,
    })
  })

  it('does not bill a facility whose import is not finished, unless requested', async () => {
    await services.db.write
      .updateTable('locations')
      .set({ coming_soon: 1 })
      .where('location_code', '=', 'GA1')
      .execute()
    expect(await bill('2026-12-01')).toMatchObject({ leases: 0 })
    expect(await runBilling(services, { locationCode: 'GA1' })).toMatchObject({ leases: 2 })
  })

  it('posts the same ledger if it is stopped and repeated for two months as if it had never stopped', async () => {
    const other = await openTestServices(await open())
    for (const instance of [services, other]) {
      await insertLeases(instance.db, 40, (n) => ({
        paid_through: addDays('2026-11-01', n),
        ...(n % 7 === 0 && { scheduled_move_out: addDays('2026-12-01', n) }),
      }))
    }
    let turn = 0
    for (let date = '2026-11-20'; date <= '2027-01-25'; date = addDays(date, 1)) {
      other.clock.set(at(date))
      await runBilling(other)
      services.clock.set(at(date))
      await runBilling(services, { most: 7 + (turn % 5) })
      const dying = observeServices(services, ({ at }) => {
        if (!at.includes('transaction') && at !== 'work done') return
        turn += 1
        if (turn % 5 === 0) throw new Killed()
      })
      await runBilling(dying).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
      await runBilling(services)
    }
    expect(await loadBillingState(services)).toEqual(await loadBillingState(other))
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { endOfDay, startOfDay, todayIn } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { AddCharge } from '../ledger/operations/add-charge.ts'
import { CreditLease } from '../ledger/operations/credit-lease.ts'
import { WaiveCharge } from '../ledger/operations/waive-charge.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge, postPayment, postPeriods } from '../standing/post-entries.ts'
import { reversePayment } from '../standing/reverse-payment.ts'
import { loadStoredRoll } from './load-stored-rent-roll.ts'
import { saveDailySnapshots } from './save-daily-snapshots.ts'

const zone = 'America/New_York'
const at = (services: TestServices, day: string) => services.clock.set(startOfDay(zone, day) + 60_000)
const days = async (services: TestServices) =>
  (await recordsOf(services, 'daily_figures', { location_code: 'GA1' })).sort((a, b) => (a.day < b.day ? -1 : 1))

/** Runs a night's chores in the order of the schedule. */
async function night(services: TestServices) {
  await saveDailySnapshots(services)
  await runBilling(services)
}

const pay = (services: TestServices, leaseNumber: number, cents: number, orderId: string) =>
  services.db.transaction((tx) =>
    postPayment(tx, services, { locationCode: 'GA1', leaseNumber, cents, orderId, description: 'Card payment' }),
  )

async function prepay(services: TestServices, orderId: string) {
  const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
  const [lease] = await recordsOf(services, 'leases', { lease_number: 10001 })
  if (!facts || !lease) throw new Error('nothing to pay')
  return services.db.transaction(async (tx) => {
    const { cents, from } = await postPeriods(tx, services, facts, lease, 2)
    const payment = { locationCode: 'GA1', leaseNumber: 10001, cents, orderId, description: 'Card payment' }
    await postPayment(tx, services, payment)
    return from
  })
}

/** Performs one random operation of a history. */
async function act(services: TestServices, by: StaffCallers, random: ReturnType<typeof seededRandom>, id: string) {
  const leaseNumber = random.integer(10001, 10002)
  const leaseKey = { location_code: 'GA1', lease_number: leaseNumber }
  const cents = random.integer(1, 300_00)
  const choice = random.integer(0, 6)
  if (choice === 0) return pay(services, leaseNumber, cents, id)
  if (choice === 1) {
    const ahead = await prepay(services, id)
    if (random.integer(0, 1) === 1) return
    const reversal = { orderId: id, code: 'R01', description: 'Returned', ahead }
    return services.db.transaction((tx) => reversePayment(tx, services, reversal))
  }
  if (choice === 2) {
    const fee = { locationCode: 'GA1', leaseNumber, kind: 'fee', cents, description: 'Lock', once: id } as const
    return services.db.transaction((tx) => postCharge(tx, services, fee))
  }
  const [lease] = await recordsOf(services, 'leases', leaseKey)
  const entries = await recordsOf(services, 'ledger_entries', leaseKey)
  const form = {
    ...leaseKey,
    tenant_id: lease?.tenant_id,
    balance: lease?.balance,
    newest_entry: (await loadNewestEntry(services.db.read, leaseKey))?.entry_id ?? '',
    act_id: services.random.uuid(),
    reason: 'our-mistake',
    note: '',
  }
  const entry = entries[random.integer(0, Math.max(entries.length - 1, 0))]
  if (choice === 3) return perform(services, WaiveCharge, { ...form, entry_id: entry?.entry_id ?? '' }, by)
  if (choice === 4) return perform(services, AddCharge, { ...form, fee_id: random.integer(1, 3) }, by)
  return perform(services, CreditLease, { ...form, cents, period_start: entry?.period_start ?? '2026-12-01' }, by)
}

/** Checks that the figures of the stored days agree with each other and with the ledger. */
async function expectAgreement(services: TestServices) {
  const rows = await days(services)
  const entries = await recordsOf(services, 'ledger_entries')
  const sum = (all: number[]) => all.reduce((total, value) => total + value, 0)
  for (const [index, day] of rows.entries()) {
    const { balances: b, ...figures } = day
    const flows = sum([
      figures.rent_charged,
      figures.discounts_given,
      figures.insurance_charged,
      figures.fees_charged,
      figures.tax_charged,
      figures.payments,
      figures.refunds,
      figures.reversals,
      figures.credits_given,
    ])
    const before = rows[index - 1]
    if (before) expect(b, day.day).toBe(before.balances + flows)
    expect(b).toBe(sum(entries.filter((entry) => entry.posted_on <= day.day).map(({ cents }) => cents)))
    if (day.kept === 0) continue
    const aged = figures.owed_30 + figures.owed_60 + figures.owed_90 + figures.owed_91
    expect(aged - figures.credits + figures.closed_owed - figures.closed_credits, day.day).toBe(b)
    expect(figures.rent_tax + figures.insurance_tax + figures.fee_tax + figures.credit_tax).toBe(figures.tax_charged)
    expect(figures.rent_base + figures.insurance_base + figures.fee_base + figures.exempt).toBe(
      figures.rent_charged + figures.discounts_given + figures.insurance_charged + figures.fees_charged,
    )
    const received = [
      figures.received_card,
      figures.received_bank,
      figures.received_cash,
      figures.received_check,
      figures.received_money_order,
    ]
    expect(sum(received) + figures.received_other + figures.payments).toBe(0)
    expect(figures.money_returned).toBe(figures.reversals)
    const stored = await loadStoredRoll(services.db.read, 'GA1', day.day)
    expect(stored?.day).toBe(day.day)
    const rented = stored?.roll.units.flatMap(({ lease }) => lease ?? []) ?? []
    expect(
      sum(rented.map(({ balance }) => balance)) + sum(stored?.roll.closed.map(({ balance }) => balance) ?? []),
    ).toBe(b)
    expect([rented.length, stored?.roll.units.length]).toEqual([figures.leases, figures.units])
  }
}

describeOnBothEngines('The figures of a day', (open, engine) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  it.each(engine === 'sqlite' ? [1, 2, 3] : [7])(
    'agree with each other over a random history, and do not change later (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const by = await addStaffCaller(services, 'owner')
      await night(services)
      let today = todayIn(zone, services.clock.now())
      const recorded = new Map<string, unknown>()
      for (let step = 0; step < 18; step += 1) {
        for (let left = random.integer(0, 3); left > 0; left -= 1)
          await act(services, by, random, `order-${step}-${left}`)
        today = addDays(today, random.integer(0, 4) === 0 ? random.integer(2, 9) : 1)
        at(services, today)
        await night(services)
        const newest = (await days(services)).at(-1)
        if (newest) recorded.set(newest.day, [newest, await loadStoredRoll(services.db.read, 'GA1', newest.day)])
      }
      await expectAgreement(services)
      for (const [day, [figures, roll]] of recorded as Map<string, [unknown, unknown]>) {
        const [again] = await recordsOf(services, 'daily_figures', { location_code: 'GA1', day })
        expect([again, await loadStoredRoll(services.db.read, 'GA1', day)]).toEqual([figures, roll])
      }
      expect(recorded.size).toBeGreaterThan(10)
    },
  )

  it('record units, rents and street rates of the day, whatever changes later', async () => {
    await night(services)
    at(services, '2026-11-21')
    await night(services)
    await change(services, 'leases', { lease_number: 10001 }, { rent: 999_00 })
    await change(services, 'units', { location_code: 'GA1', unit_number: '101' }, { status: 'off' })
    at(services, '2026-11-22')
    await night(services)
    const [first, second] = await days(services)
    expect(first).toMatchObject({
      day: '2026-11-20',
      kept: 1,
      units: 7,
      units_rented: 2,
      units_off: 0,
      leases: 2,
      leases_owing: 1,
      rent: 278_00,
      street: 5 * 150_00 + 150_00 + 60_00,
      area: 95_000,
      area_rented: 20_000,
      balances: 151_37,
      owed_30: 151_37,
      rent_charged: 151_37,
      exempt: 151_37,
      tax_charged: 0,
    })
    expect(second).toMatchObject({ units_off: 1, rent: 999_00 + 139_00, rent_charged: 0 })
    const roll = await loadStoredRoll(services.db.read, 'GA1', '2026-11-20')
    expect(roll?.roll.units.find(({ unitNumber }) => unitNumber === '301')).toMatchObject({
      use: 'rented',
      street: 150_00,
      lease: { leaseNumber: 10001, rent: 139_00, paidThrough: '2026-11-30' },
    })
  })

  it('are stored once by several processes at once, before the next day is billed', async () => {
    await night(services)
    at(services, '2026-12-01')
    const both = await Promise.all([night(services), night(services), saveDailySnapshots(services)])
    expect(both).toHaveLength(3)
    const rows = await days(services)
    expect(rows.map(({ day, kept }) => [day, kept])).toEqual([['2026-11-30', 1]])
    expect(rows[0]).toMatchObject({ rent_charged: 0, balances: 151_37 })
    expect(await saveDailySnapshots(services)).toBe(0)
  })

  it('count a sale’s surplus that was paid out as outgoing money', async () => {
    await night(services)
    const entry = { entry_id: 'surplus', location_code: 'GA1', lease_number: 10002, kind: 'refund', cents: 48_63 }
    const ledgerFields = {
      description: 'Surplus',
      once: 'surplus:case',
      order_id: null,
      billing_run: null,
      period_start: null,
    }
    const on = { period_end: null, posted_on: '2026-11-20', created_at: services.clock.now() }
    await addRecord(services, 'ledger_entries', { ...entry, ...ledgerFields, ...on })
    const why = { act: 'surplus', reason: 'sale-surplus', note: '', staff_id: 'finance', corrects: null }
    await addRecord(services, 'entry_reasons', { entry_id: 'surplus', ...why })
    at(services, '2026-11-21')
    await saveDailySnapshots(services)
    expect((await days(services))[0]).toMatchObject({ refunds: 48_63, money_refunded: 48_63 })
  })

  it('mark missed days, and continue from the last known one', async () => {
    await night(services)
    at(services, '2026-11-21')
    await night(services)
    await pay(services, 10002, 50_00, 'one')
    at(services, '2026-11-25')
    // A later day is billed before the snapshots, so the states at the end of the missed days are not known.
    await runBilling(services)
    await saveDailySnapshots(services)
    at(services, '2026-11-26')
    await night(services)
    expect((await days(services)).map(({ day, kept, balances, units }) => [day, kept, balances, units])).toEqual([
      ['2026-11-20', 1, 151_37, 7],
      ['2026-11-21', 0, 101_37, 0],
      ['2026-11-22', 0, 101_37, 0],
      ['2026-11-23', 0, 101_37, 0],
      ['2026-11-24', 0, 101_37, 0],
      ['2026-11-25', 1, 101_37, 7],
    ])
    await expectAgreement(services)
  })

  it('count no overlock of a lease that owed nothing at the end of the day', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-11-01' })
    at(services, '2026-12-01')
    await night(services)
    const { balance } = await recordOf(services, 'leases', { lease_number: 10002 })
    await pay(services, 10002, balance, 'returned')
    at(services, '2026-12-02')
    const reversal = { orderId: 'returned', code: 'R01', description: 'Returned', ahead: null }
    await services.db.transaction((tx) => reversePayment(tx, services, reversal))
    expect(await recordOf(services, 'leases', { lease_number: 10002 })).toMatchObject({ overlocked: 1 })
    await saveDailySnapshots(services)
    expect((await days(services)).at(-1)).toMatchObject({ day: '2026-12-01', leases_owing: 1, leases_overlocked: 0 })
  })

  it('include entries that are posted to an earlier day after its snapshot', async () => {
    await night(services)
    at(services, '2026-12-03')
    await saveDailySnapshots(services)
    await runBilling(services, { date: '2026-12-01', locationCode: 'GA1' })
    at(services, '2026-12-04')
    await saveDailySnapshots(services)
    const rows = await days(services)
    expect(rows.at(-1)).toMatchObject({ day: '2026-12-03', kept: 1, rent_charged: 278_00 })
    expect(rows.at(-1)?.balances).toBe((rows.at(-2)?.balances ?? 0) + 2 * 151_37)
  })

  it('divide a payment between rent and tax of a period in proportion, and count the rent of coming days as unearned', async () => {
    await night(services)
    at(services, '2026-12-01')
    await night(services)
    // Rent 139.00 and tax 12.37 of one period.
    await pay(services, 10001, 75_69, 'half')
    at(services, '2026-12-02')
    await night(services)
    await pay(services, 10001, 75_68, 'rest')
    at(services, '2026-12-03')
    await night(services)
    const rows = await days(services)
    const collected = rows.map(({ day, rent_collected }) => [day, rent_collected])
    expect(collected.slice(-2)).toEqual([
      ['2026-12-01', 69_50],
      ['2026-12-02', 69_50],
    ])
    expect(rows.at(-1)).toMatchObject({ unearned: Math.round((2 * 139_00 * 28) / 30) })
  })
})

describe.each(['Pacific/Honolulu', 'America/New_York', 'America/Phoenix'])('At midnight in %s', (time_zone) => {
  const open = openerForTests()

  const mornings = ['2026-11-21', '2027-03-14', '2027-03-15', '2027-11-07', '2027-11-08']
  it.each(mornings)('before %s, saves the ended day with its own payments only', async (morning) => {
    const services = await openTestServices(await open())
    await services.db.write.updateTable('locations').set({ time_zone }).where('location_code', '=', 'GA1').execute()
    const midnight = endOfDay(time_zone, addDays(morning, -1))
    services.clock.set(midnight - 3_600_000)
    await night(services)
    services.clock.set(midnight - 1)
    await pay(services, 10001, 10_00, 'before midnight')
    await saveDailySnapshots(services)
    expect(await days(services)).toEqual([])
    services.clock.set(midnight)
    await pay(services, 10001, 5_00, 'after midnight')
    await saveDailySnapshots(services)
    expect(await days(services)).toMatchObject([{ day: addDays(morning, -1), payments: -10_00 }])
  })
})

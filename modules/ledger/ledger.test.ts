import { beforeEach, describe, expect, it } from 'vitest'
import { toWire } from '../../domain/money.ts'
import { addDays, formatUs } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { asAda, openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { GetTenantUnitLeaseDetails } from '../leases/operations/get-tenant-unit-lease-details.ts'
import { loadEntries } from '../payments/payment-history.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { cardFeeEntries, postCharge, postPayment, postPeriods } from '../standing/post-entries.ts'
import { reversePayment } from '../standing/reverse-payment.ts'
import { computeStanding } from '../standing/rules/lease-status.ts'
import { updateStanding } from '../standing/update-standing.ts'
import { addEntries } from './build-and-insert-entries.ts'
import { AddCharge } from './operations/add-charge.ts'
import { CreditLease } from './operations/credit-lease.ts'
import { GetCurrentDues } from './operations/get-current-dues.ts'
import { WaiveCharge } from './operations/waive-charge.ts'
import { balance, chargesByPeriod, type Entry, paidThroughOf } from './rules/ledger.ts'

const DAY = 24 * 60 * 60 * 1000
const key = { locationCode: 'GA1', leaseNumber: 10001 }
const row = { location_code: 'GA1', lease_number: 10001 }

const loadLeaseRow = (services: TestServices) =>
  services.db.read
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', 'GA1')
    .where('lease_number', '=', 10001)
    .executeTakeFirstOrThrow()

async function loadEntryFacts(services: TestServices): Promise<Entry[]> {
  return (await loadEntries(services.db.read, 'GA1', 10001)).map((entry) => ({
    kind: entry.kind,
    cents: entry.cents,
    postedOn: entry.posted_on,
    periodStart: entry.period_start,
    periodEnd: entry.period_end,
  }))
}

const pay = (services: TestServices, cents: number, orderId: string) =>
  services.db.transaction((tx) => postPayment(tx, services, { ...key, cents, orderId, description: 'Card payment' }))

const payWithFee = (services: TestServices, cents: number, orderId: string, cardFee: number) =>
  services.db.transaction(async (tx) => {
    const fee = { amount: cardFee, tax: Math.round(cardFee * 0.08), description: 'Card fee' }
    const charges = cardFee > 0 ? cardFeeEntries(fee, orderId) : []
    await postPayment(tx, services, { ...key, cents, orderId, description: 'Card payment', charges })
  })

async function prepay(services: TestServices, periods: number, orderId: string) {
  const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
  if (!facts) throw new Error('no facility')
  const lease = await loadLeaseRow(services)
  return services.db.transaction(async (tx) => {
    const { cents, from } = await postPeriods(tx, services, facts, lease, periods)
    await postPayment(tx, services, { ...key, cents, orderId, description: 'Card payment' })
    return from
  })
}

/** Checks that dues and lease details state the sum of the entries, and that the lease row follows from the entries. */
async function expectConsistentBalance(services: TestServices, step: string) {
  const [entries, lease] = await Promise.all([loadEntryFacts(services), loadLeaseRow(services)])
  const owed = balance(entries)
  const paidThrough = paidThroughOf(entries) ?? '2026-11-30'
  const [dues, details] = await Promise.all([
    perform(services, GetCurrentDues, { ...row, tenant_id: 1001 }, asAda),
    perform(services, GetTenantUnitLeaseDetails, { location_code: 'GA1', tenant_id: 1001, lease_no: 10001 }, asAda),
  ])
  const expected = { currentBalanceDue: toWire(owed), paidThroughDate: formatUs(paidThrough) }
  expect(lease.balance, step).toBe(owed)
  expect(dues, step).toMatchObject({ value: expected })
  expect(details, step).toMatchObject({ value: { ...expected, leaseStatus: lease.status } })
  const on = todayIn('America/New_York', services.clock.now())
  const { overlocked, ...now } = computeStanding(
    {
      auctionPrepped: lease.auction_prepped === 1,
      activeMilitary: false,
      balance: owed,
      paidThrough,
      autopayToCome: false,
    },
    on,
    null,
  )
  expect([lease.paid_through, lease.status, lease.overlocked === 1], step).toEqual([
    paidThrough,
    now.status,
    overlocked,
  ])
}

/** Waives, charges or credits through an operation. A refusal must change nothing. */
async function actByHand(
  services: TestServices,
  by: StaffCallers,
  act: number,
  random: ReturnType<typeof seededRandom>,
) {
  const before = await services.db.read.selectFrom('ledger_entries').selectAll().orderBy('entry_id').execute()
  const lease = await loadLeaseRow(services)
  const newest = await loadNewestEntry(services.db.read, lease)
  const form = {
    ...row,
    tenant_id: 1001,
    balance: lease.balance,
    newest_entry: newest?.entry_id ?? '',
    act_id: services.random.uuid(),
    reason: 'our-mistake',
    note: '',
  }
  const entries = before.filter(({ lease_number }) => lease_number === 10001)
  const entry = entries[random.integer(0, Math.max(entries.length - 1, 0))]
  const result =
    act === 8
      ? await perform(services, WaiveCharge, { ...form, entry_id: entry?.entry_id ?? '' }, by)
      : act === 9
        ? await perform(services, AddCharge, { ...form, fee_id: random.integer(1, 3) }, by)
        : await perform(
            services,
            CreditLease,
            { ...form, cents: random.integer(1, 200_00), period_start: entry?.period_start ?? '2026-12-01' },
            by,
          )
  const after = await services.db.read.selectFrom('ledger_entries').selectAll().orderBy('entry_id').execute()
  const added = after.filter((now) => !before.some(({ entry_id }) => entry_id === now.entry_id))
  expect(after.filter((now) => !added.includes(now))).toEqual(before)
  expect(added.length > 0).toBe(result.ok)
  expect(added.every(({ kind }) => ['fee', 'tax', 'credit'].includes(kind))).toBe(true)
}

describe('The ledger of a lease over random histories', () => {
  const open = openerForTests()

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('agrees with dues and lease (seed %i)', async (seed) => {
    const services = await openTestServices(await open())
    const random = seededRandom(seed)
    const by = await addStaffCaller(services, 'owner')
    const paid: string[] = []
    const aheadOf = new Map<string, string>()
    for (let at = 0; at < 30; at += 1) {
      const orderId = `order-${seed}-${at}`
      const cents = random.integer(1, 400_00)
      const act = random.integer(0, 10)
      if (act <= 1) {
        services.clock.advance(random.integer(1, 40) * DAY)
        await runBilling(services)
      } else if (act === 2) {
        paid.push(orderId)
        await payWithFee(services, cents, orderId, random.integer(0, 3) * 100)
      } else if (act === 3 && balance(await loadEntryFacts(services)) <= 0) {
        paid.push(orderId)
        aheadOf.set(orderId, await prepay(services, random.integer(1, 3), orderId))
      } else if (act === 4 && paid.length > 0) {
        const [returnedOrder] = paid.splice(random.integer(0, paid.length - 1), 1)
        const ahead = aheadOf.get(returnedOrder as string) ?? null
        const bankReturn = { orderId: returnedOrder as string, code: 'R01', description: 'Returned by the bank', ahead }
        // The bank reports the return twice, and the payment is reversed once.
        for (const _ of [1, 2]) await services.db.transaction((tx) => reversePayment(tx, services, bankReturn))
      } else if (act === 5) {
        const kind = random.integer(0, 1) === 0 ? 'fee' : 'credit'
        const charge = {
          ...key,
          kind,
          cents: kind === 'fee' ? cents : -cents,
          description: 'By hand',
          once: orderId,
        } as const
        for (const _ of [1, 2]) await services.db.transaction((tx) => postCharge(tx, services, charge))
      } else if (act >= 8) {
        await actByHand(services, by, act, random)
      } else if (act === 6 && balance(await loadEntryFacts(services)) < 0) {
        await services.db.transaction(async (tx) => {
          const refund = { kind: 'refund' as const, cents, description: 'Given back', once: orderId }
          await addEntries(tx, services, row, todayIn('America/New_York', services.clock.now()), [refund])
          await updateStanding(tx, services, row)
        })
      } else {
        const owed = balance(await loadEntryFacts(services))
        if (owed > 0) {
          paid.push(orderId)
          if (random.integer(0, 1) === 0) await pay(services, owed, orderId)
          else await payWithFee(services, owed, orderId, 0)
        }
      }
      // A new day changes overlock and prepaid status through that day's billing run.
      await runBilling(services)
      await expectConsistentBalance(services, `seed ${seed}, step ${at}`)
    }
    expect((await loadEntryFacts(services)).length).toBeGreaterThan(5)
  })
})

describeOnBothEngines('Posting to the ledger', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  it('counts all of many concurrent payments, and posts each order once', async () => {
    services.clock.set(Date.parse('2027-02-01T17:00:00Z'))
    await runBilling(services)
    const owed = balance(await loadEntryFacts(services))
    const parts = Array.from({ length: 8 }, (_, at) => Math.floor(owed / 8) + (at === 0 ? owed % 8 : 0))
    await Promise.all(parts.flatMap((cents, at) => [pay(services, cents, `o${at}`), pay(services, cents, `o${at}`)]))
    expect(balance(await loadEntryFacts(services))).toBe(0)
    expect(await loadLeaseRow(services)).toMatchObject({ status: 'Current', paid_through: '2027-02-28', overlocked: 0 })
  })

  it('leaves returned prepaid periods unowed before they begin, and charges them once when they do', async () => {
    const day = (date: string) => services.clock.set(Date.parse(`${date}T17:00:00Z`))
    const returnPayment = (orderId: string, ahead: string) =>
      services.db.transaction((tx) =>
        reversePayment(tx, services, { orderId, code: 'R01', description: 'Returned by the bank', ahead }),
      )
    const owed = async () => balance(await loadEntryFacts(services))
    const firstDay = await prepay(services, 3, 'first')
    expect(firstDay).toBe('2026-12-01')
    await returnPayment('first', firstDay)
    expect(await owed()).toBe(0)
    expect(await loadLeaseRow(services)).toMatchObject({ status: 'Current', paid_through: '2026-11-30' })
    // Paid ahead again and returned after the first period has begun: that period is owed.
    const again = await prepay(services, 3, 'second')
    expect(again).toBe(firstDay)
    expect(await loadLeaseRow(services)).toMatchObject({ status: 'Pre-Paid', paid_through: '2027-02-28' })
    day('2026-12-05')
    await runBilling(services)
    await returnPayment('second', again)
    await returnPayment('second', again)
    const period = 139_00 + 12_37
    expect(await owed()).toBe(period)
    expect(await loadLeaseRow(services)).toMatchObject({ status: 'Past Due', paid_through: '2026-11-30' })
    await pay(services, period, 'third')
    expect(await loadLeaseRow(services)).toMatchObject({ status: 'Current', paid_through: '2026-12-30' })
    for (const date of ['2026-12-30', '2026-12-31', '2027-01-01']) {
      day(date)
      await runBilling(services)
      expect(await owed(), date).toBe(date < '2026-12-31' ? 0 : period)
    }
    day('2027-02-01')
    await runBilling(services)
    expect(await owed()).toBe(2 * period)
    await expectConsistentBalance(services, 'after all')
    // When the first of two prepayments is returned, the money of the second pays the earliest periods.
    await pay(services, 2 * period, 'fourth')
    const fifth = await prepay(services, 1, 'fifth')
    const sixth = await prepay(services, 2, 'sixth')
    const rents = async () =>
      chargesByPeriod(await loadEntryFacts(services)).filter(({ start, end }) => end !== null && start >= fifth)
    await returnPayment('fifth', fifth)
    expect((await rents()).map(({ start }) => start)).toEqual([fifth, sixth])
    expect(await owed()).toBe(0)
    await returnPayment('sixth', sixth)
    expect(await rents()).toEqual([])
    expect(await owed()).toBe(0)
    expect((await loadLeaseRow(services)).paid_through).toBe(addDays(fifth, -1))
  })

  it('does not post an order twice', async () => {
    await payWithFee(services, 50_00, 'order', 200)
    const before = [await loadEntryFacts(services), await loadLeaseRow(services)]
    await payWithFee(services, 50_00, 'order', 200)
    expect([await loadEntryFacts(services), await loadLeaseRow(services)]).toEqual(before)
  })

  it('charges each period once when billing and a prepayment run at the same moment', async () => {
    services.clock.set(Date.parse('2026-12-01T17:00:00Z'))
    await Promise.all([runBilling(services), prepay(services, 2, 'ahead'), runBilling(services, { again: true })])
    const rents = (await loadEntryFacts(services))
      .filter((entry) => entry.kind === 'rent')
      .map((entry) => entry.periodStart)
    expect(new Set(rents).size).toBe(rents.length)
    const entries = await loadEntryFacts(services)
    expect((await loadLeaseRow(services)).paid_through).toBe(paidThroughOf(entries))
  })

  it('keeps the gate code of a paid lease open while that of an overlocked lease is refused, each with its hours', async () => {
    const adas = { code: '482917', tenantId: 1001, since: 0, hours: 'standard', opens: true, units: ['301'] }
    const cys = { code: '591734', tenantId: 1002, since: 0, hours: 'standard', opens: true, units: ['302'] }
    const free = { overlocked: [], refused: null }
    const access = () => loadGateAccess(services.db.read, 'GA1', services.clock.now())
    expect(await access()).toEqual([
      { ...adas, ...free },
      { ...cys, ...free },
    ])
    services.clock.set(Date.parse('2026-12-11T17:00:00Z'))
    await runBilling(services)
    await services.db.write
      .updateTable('gate_codes')
      .set({ time_zone_name: '24-hour' })
      .where('tenant_id', '=', 1002)
      .execute()
    await pay(services, balance(await loadEntryFacts(services)), 'all')
    expect(await access()).toEqual([
      { ...adas, ...free },
      { ...cys, ...free, hours: '24-hour', opens: false, refused: 'overlocked', overlocked: ['302'] },
    ])
    expect(await loadGateAccess(services.db.read, 'HI1', services.clock.now())).toEqual([])
  })
})

import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Operation, perform } from '../../platform/operations/operation.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import {
  asAda,
  asCy,
  lease,
  noon,
  openTestServices,
  type TestServices,
  today,
  visitor,
} from '../../tests/support/small-operator.ts'
import { GetPaymentHistory_V1 } from '../payments/operations/get-payment-history-v1.ts'
import { GetTenantLastPaymentDetails } from '../payments/operations/get-tenant-last-payment-details.ts'
import { loadPaymentHistory } from '../payments/payment-history.ts'
import { findBalanceMismatches, loadBalance, repairBalances } from './load-and-repair-lease-balance.ts'
import { GetCurrentDues } from './operations/get-current-dues.ts'
import { GetPrePayRentalCharges } from './operations/get-pre-pay-rental-charges.ts'

// biome-ignore lint/suspicious/noExplicitAny: operations of every input and output
type AnyOperation = Operation<any, any>

const adas = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001 }
const cys = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 }
const guestFor = (tenantId: number): Callers => ({
  ...visitor(),
  guest: { tenants: [{ locationCode: 'GA1', tenantId }], signIn: 'of a guest' },
})

describeOnBothEngines('The ledger', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  async function answer<O>(operation: Operation<any, O>, input: object, callers: Callers): Promise<O> {
    const outcome = await perform(services, operation, input, callers)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    return outcome.value
  }

  let posted = 0
  const post = (
    leaseNumber: number,
    kind: 'payment' | 'refund' | 'reversal' | 'rent' | 'credit',
    cents: number,
    when: { on?: string; at?: number; once?: string } = {},
  ) => {
    posted += 1
    return services.db.write
      .insertInto('ledger_entries')
      .values({
        entry_id: `t${String(posted).padStart(4, '0')}`,
        location_code: 'GA1',
        lease_number: leaseNumber,
        kind,
        cents,
        description: kind === 'payment' ? 'Card payment' : kind,
        once: when.once ?? `test:${posted}`,
        order_id: kind === 'payment' ? `order-${posted}` : null,
        period_start: null,
        period_end: null,
        posted_on: when.on ?? today,
        created_at: when.at ?? noon,
      })
      .execute()
  }

  it('adds the card fee with its tax only to a card payment without autopay', async () => {
    expect(await answer(GetCurrentDues, cys, asCy)).toEqual({
      leaseNumber: 10002,
      unitID: 7,
      unitNumber: '302',
      currentBalanceDue: '151.37',
      cardFee: '0.00',
      tax: '0.00',
      total: '151.37',
      paidThroughDate: '11/30/2026',
      ErrorMessage: '',
    })
    const declined = { ...cys, autopay_bit: '0' }
    expect(await answer(GetCurrentDues, declined, asCy)).toMatchObject({
      currentBalanceDue: '151.37',
      cardFee: '2.00',
      tax: '0.14',
      total: '153.51',
    })
    expect(await answer(GetCurrentDues, { ...declined, payment_method: 'ACH' }, asCy)).toMatchObject({
      cardFee: '0.00',
      total: '151.37',
    })
    // A lease on autopay bears no card fee, even if paid by hand.
    await services.db.write.updateTable('leases').set({ autopay: 1 }).where('location_code', '=', 'GA1').execute()
    expect(await answer(GetCurrentDues, declined, asCy)).toMatchObject({ cardFee: '0.00', total: '151.37' })
    expect(await answer(GetPrePayRentalCharges, { ...adas, autopay_bit: '0' }, asAda)).toMatchObject({ fee: '0.00' })
    await services.db.write.updateTable('leases').set({ autopay: 0 }).where('location_code', '=', 'GA1').execute()
    expect(await answer(GetPrePayRentalCharges, { ...adas, autopay_bit: '0' }, asAda)).toMatchObject({ fee: '2.00' })
    // With nothing due, no card fee applies.
    expect(await answer(GetCurrentDues, { ...adas, autopay_bit: 0 }, asAda)).toMatchObject({
      cardFee: '0.00',
      total: '0.00',
    })
    await services.db.write.updateTable('locations').set({ cc_fee: 0 }).where('location_code', '=', 'GA1').execute()
    expect(await answer(GetCurrentDues, declined, asCy)).toMatchObject({ cardFee: '0.00', total: '151.37' })
  })

  it('quotes periods ahead from the lease’s own terms: rent + insurance + fee − discount + tax', async () => {
    expect(await answer(GetPrePayRentalCharges, adas, asAda)).toEqual({
      leaseNumber: 10001,
      unitID: 6,
      unitNumber: '301',
      rent: '139.00',
      insurance: '0.00',
      fee: '0.00',
      discount: '0.00',
      tax: '12.37',
      total: '151.37',
      prePayPeriods: 1,
      fromDate: '12/01/2026',
      toDate: '12/30/2026',
      ErrorMessage: '',
    })
    await services.db.write
      .updateTable('leases')
      .set({ insurance_status: 1, insurance_scheme_id: 1, insurance_premium: 22_00, discount_id: 2 })
      .where('lease_number', '=', 10001)
      .execute()
    const fee = { location_code: 'GA1', lease_number: 10001 }
    await services.db.write
      .insertInto('lease_fees')
      .values([
        { ...fee, fee_id: 2, description: '24 Hour Access Fee', amount: 20_00 },
        { ...fee, fee_id: 4, description: 'Shore Power', amount: 15_00 },
      ])
      .execute()
    // Uses the premium agreed in the lease (22.00), not today's (24.00). Taxes 12.37 + 0.88 + 1.40 + 1.05 three times,
    // and the card fee's 0.14 once.
    const quote = await answer(
      GetPrePayRentalCharges,
      { ...adas, autopay_bit: 'false', prePayPeriods: '3' },
      guestFor(1001),
    )
    expect(quote).toMatchObject({
      rent: '417.00',
      insurance: '66.00',
      fee: '107.00',
      discount: '0.00',
      tax: '47.24',
      total: '637.24',
      prePayPeriods: 3,
      fromDate: '12/01/2026',
      toDate: '02/28/2027',
    })
    const cents = (text: string) => Math.round(Number(text) * 100)
    expect(
      cents(quote.rent) + cents(quote.insurance) + cents(quote.fee) - cents(quote.discount) + cents(quote.tax),
    ).toBe(cents(quote.total))
    for (const prePayPeriods of [0, 13, -1, 1.5, 'two']) {
      expect(await perform(services, GetPrePayRentalCharges, { ...adas, prePayPeriods }, asAda)).toMatchObject({
        ok: false,
        status: 400,
        fields: { prePayPeriods: 'must be from 1 to 12' },
      })
    }
  })

  it('states in the specified words why a unit cannot be paid online', async () => {
    const set = (change: object) =>
      services.db.write.updateTable('leases').set(change).where('lease_number', '=', 10002).execute()
    const errorMessage = async () => (await answer(GetCurrentDues, cys, guestFor(1002))).ErrorMessage
    await set({ paid_through: addDays(today, -70) })
    expect(await errorMessage()).toBe('')
    await set({ paid_through: addDays(today, -71) })
    expect(await errorMessage()).toBe(
      'Your account is over 70 days delinquent, please call (404) 555-0199 and select option 3 to get more details on your account.',
    )
    await set({ auction_prepped: 1 })
    expect(await errorMessage()).toBe('Please contact customer service to make a payment - (404) 555-0199')
    expect((await answer(GetPrePayRentalCharges, cys, asCy)).ErrorMessage).toBe(await errorMessage())
    const phone = (change: object) =>
      services.db.write.updateTable('locations').set(change).where('location_code', '=', 'GA1').execute()
    await phone({ phone: '' })
    expect(await errorMessage()).toContain('(404) 555-0100')
    await phone({ phone: '', state: 'HI' })
    expect(await errorMessage()).toContain('(888) 555-0100')
  })

  it('shows the 12 most recent payments and reversals, newest first', async () => {
    for (let back = 0; back < 14; back += 1) {
      const on = addDays(today, -30 * back)
      await post(10001, 'payment', -(100_00 + back), { on, at: noon - back * 30 * 86_400_000 })
      await post(10001, 'rent', 100_00 + back, { on })
    }
    await post(10001, 'reversal', 100_00, { at: noon + 60_000 })
    await post(10001, 'credit', -5_00, { at: noon + 60_000 })
    await post(10002, 'payment', -9_99)
    // An entry posted for another day, and an imported one, are shown at noon of their day.
    await post(10001, 'payment', -1_00, { on: '2016-01-05' })
    const sameDay = Date.parse('2016-01-04T18:30:00Z')
    await post(10001, 'payment', -2_00, { on: '2016-01-04', at: sameDay, once: 'imported:2016-01-04:payment' })
    const { Payment } = await answer(GetPaymentHistory_V1, { location_code: 'GA1', tenant_id: 1001 }, asAda)
    expect(Payment).toHaveLength(12)
    expect(Payment.slice(0, 3)).toMatchObject([
      { dateTime: '2026-11-20T12:01:00-05:00', leaseAmountPaid: '-100.00', unitNumber: '301', order_id: '' },
      { dateTime: '2026-11-20T12:00:00-05:00', leaseAmountPaid: '100.00', description: 'Card payment' },
      // Georgia was on daylight saving time then.
      { dateTime: '2026-10-21T13:00:00-04:00', leaseAmountPaid: '100.01', order_id: expect.stringMatching(/^order-/) },
    ])
    const old = await answer(
      GetPaymentHistory_V1,
      { location_code: 'GA1', tenant_id: 1001, from_date: '01/01/1970', to_date: '12/31/2016' },
      asAda,
    )
    expect(old.Payment).toMatchObject([
      { dateTime: '2016-01-05T12:00:00-05:00', leaseAmountPaid: '1.00' },
      { dateTime: '2016-01-04T12:00:00-05:00', leaseAmountPaid: '2.00' },
    ])
  })

  it('returns the last payment in Cancun time, so that a payment that timed out can be recognized', async () => {
    const tenantKey = { location_code: 'GA1', tenant_id: 1002 }
    const nothing = await answer(GetTenantLastPaymentDetails, tenantKey, asCy)
    expect(nothing).toMatchObject({ dateTime: '', leaseNumber: 0, leaseAmountPaid: '0.00' })
    await post(10002, 'payment', -51_37, { at: noon - 20_000 })
    await post(10002, 'refund', 51_37, { at: noon - 10_000 })
    const last = await answer(GetTenantLastPaymentDetails, tenantKey, asCy)
    expect(last).toMatchObject({
      // Cancun has no daylight saving time: its 12:00 is 12:00 in Georgia in November.
      dateTime: '2026-11-20T11:59:40-05:00',
      unitNumber: '302',
      leaseNumber: 10002,
      leaseAmountPaid: '51.37',
    })
    expect(await answer(GetTenantLastPaymentDetails, { ...tenantKey, lease_number: 10001 }, asCy)).toEqual(nothing)
  })

  it('maintains each lease’s sum as entries are inserted, changed and deleted; reconciling repairs a wrong sum', async () => {
    const random = seededRandom(4)
    const randomBelow = (limit: number) => random.integer(0, limit - 1)
    const storedBalances = async () => {
      const leases = await services.db.read.selectFrom('leases').select(['lease_number', 'balance']).execute()
      return new Map(leases.map((lease) => [lease.lease_number, lease.balance]))
    }
    const at = (entry: string) => sql`entry_id = ${entry}`
    for (let step = 0; step < 60; step += 1) {
      const entry = `t${String(posted - randomBelow(Math.min(posted, 20))).padStart(4, '0')}`
      const cents = randomBelow(20_000) - 10_000
      if (step % 5 < 3 || step < 10) await post(10001 + randomBelow(2), 'credit', cents)
      else if (step % 5 === 3) {
        const to = 10001 + randomBelow(2)
        await sql`update ledger_entries set cents = ${cents}, lease_number = ${to} where ${at(entry)}`.execute(
          services.db.write,
        )
      } else await sql`delete from ledger_entries where ${at(entry)}`.execute(services.db.write)
      const now = await storedBalances()
      for (const lease of [10001, 10002])
        expect(now.get(lease), `step ${step}`).toBe(await loadBalance(services.db.read, 'GA1', lease))
    }
    // One statement inserts entries of several leases.
    const duplicates = sql`select entry_id || 'x', location_code, lease_number, kind, 111, description, once || 'x', null, null, null,
      posted_on, created_at from ledger_entries`
    await sql`insert into ledger_entries (entry_id, location_code, lease_number, kind, cents, description, once, order_id,
      period_start, period_end, posted_on, created_at) ${duplicates}`.execute(services.db.write)
    expect(await findBalanceMismatches(services.db)).toEqual([])
    const sum = await loadBalance(services.db.read, 'GA1', 10002)
    await sql`update leases set balance = balance + 7 where lease_number = 10002`.execute(services.db.write)
    const mismatches = [{ locationCode: 'GA1', leaseNumber: 10002, stored: sum + 7, sum }]
    expect(await findBalanceMismatches(services.db)).toEqual(mismatches)
    expect(await repairBalances(services.db)).toEqual(mismatches)
    expect(await findBalanceMismatches(services.db)).toEqual([])
    expect((await storedBalances()).get(10002)).toBe(sum)
  })

  it('finds the newest twelve payments of many leases, whichever leases they belong to', async () => {
    const random = seededRandom(12)
    const randomBelow = (limit: number) => random.integer(0, limit - 1)
    const numbers = Array.from({ length: 9 }, (_, at) => 20_001 + at)
    await services.db.write
      .insertInto('leases')
      .values(
        numbers.map((lease_number) =>
          lease({
            lease_number,
            tenant_id: 1002,
            unit_id: 7,
            unit_number: `${lease_number}`,
            status: 'Closed',
          }),
        ),
      )
      .execute()
    const money: { leaseNumber: number; cents: number; on: string; at: number; id: string }[] = []
    const tenantKey = { locationCode: 'GA1', tenantId: 1002 }
    for (let round = 0; round < 20; round += 1) {
      // Some leases have a long history and some none, and on some days much happens.
      const leaseNumber = numbers[randomBelow(round < 10 ? 2 : 9)] as number
      for (let entry = randomBelow(6); entry >= 0; entry -= 1) {
        const on = addDays(today, -randomBelow(round % 2 ? 5 : 400))
        const cents = randomBelow(9000) - 8000
        const kind = randomBelow(4) === 0 ? 'refund' : 'payment'
        await post(leaseNumber, kind, cents, { on, at: noon - randomBelow(3) })
        const row = await services.db.read
          .selectFrom('ledger_entries')
          .select(['entry_id', 'created_at'])
          .where('once', '=', `test:${posted}`)
          .executeTakeFirstOrThrow()
        if (kind === 'payment' || cents > 0)
          money.push({ leaseNumber, cents: -cents, on, at: row.created_at, id: row.entry_id })
      }
      const order = (payment: (typeof money)[number]) => `${payment.on} ${payment.at} ${payment.id}`
      const newest = money.toSorted((a, b) => (order(a) < order(b) ? 1 : -1))
      for (const from of ['1970-01-01', addDays(today, -30)]) {
        const payments = await loadPaymentHistory(services.db.read, tenantKey, { from, to: addDays(today, -1) })
        expect(payments.map((payment) => [payment.leaseNumber, payment.cents, payment.postedOn, payment.at])).toEqual(
          newest
            .filter((payment) => payment.on >= from && payment.on < today)
            .slice(0, 12)
            .map((payment) => [payment.leaseNumber, payment.cents, payment.on, payment.at]),
        )
      }
    }
    expect(money.length).toBeGreaterThan(40)
  })

  it('shows dues and quotes to the tenant and guest payer, history to the tenant alone, and no lease of another tenant', async () => {
    for (const operation of [GetCurrentDues, GetPrePayRentalCharges] as AnyOperation[]) {
      expect(await perform(services, operation, adas, guestFor(1001))).toMatchObject({ ok: true })
      expect(await perform(services, operation, cys, guestFor(1001))).toMatchObject({ ok: false, status: 403 })
      const anotherLease = await perform(services, operation, { ...adas, lease_number: 10002 }, asAda)
      expect(anotherLease).toMatchObject({ ok: false, status: 404, code: 'lease_not_found' })
      expect(await perform(services, operation, { ...adas, lease_number: 77 }, asAda)).toEqual(anotherLease)
    }
    for (const operation of [GetPaymentHistory_V1, GetTenantLastPaymentDetails] as AnyOperation[]) {
      expect(await perform(services, operation, adas, asAda)).toMatchObject({ ok: true })
      expect(await perform(services, operation, adas, guestFor(1001))).toMatchObject({ ok: false, status: 403 })
      expect(await perform(services, operation, adas, visitor())).toMatchObject({ ok: false, status: 401 })
    }
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).where('lease_number', '=', 10001).execute()
    expect(await perform(services, GetPrePayRentalCharges, adas, asAda)).toMatchObject({ ok: false, status: 404 })
    expect(await perform(services, GetCurrentDues, adas, asAda)).toMatchObject({ ok: true })
  })

  it('shows a rental session the dues of the lease that it created, and of no other', async () => {
    const rental = {
      draftId: 'd',
      proof: 'own' as const,
      resumedId: null,
      locationCode: 'GA1',
      tenantId: 1001,
      reservationCode: 'MINE',
      existingTenant: false,
      enteredTenantId: null,
    }
    const session: Callers = { ...visitor(), rental }
    expect(await perform(services, GetCurrentDues, adas, session)).toMatchObject({ ok: false, status: 404 })
    await services.db.write
      .updateTable('leases')
      .set({ reservation_code: 'MINE' })
      .where('lease_number', '=', 10001)
      .execute()
    expect(await perform(services, GetCurrentDues, adas, session)).toMatchObject({ ok: true })
    expect(
      await perform(services, GetCurrentDues, adas, { ...visitor(), rental: { ...rental, existingTenant: true } }),
    ).toMatchObject({ ok: false, status: 403 })
  })
})

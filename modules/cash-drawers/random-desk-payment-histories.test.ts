import { describe, expect, it } from 'vitest'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { runBilling } from '../billing/run-billing.ts'
import { balance, type Entry, paidThroughOf } from '../ledger/rules/ledger.ts'
import { loadEntries } from '../payments/payment-history.ts'
import { computeStanding } from '../standing/rules/lease-status.ts'
import { loadDrawerTotals } from './load-drawers.ts'
import { CloseDrawer } from './operations/close-drawer.ts'
import { MatchDeposit } from './operations/match-deposit.ts'
import { ReceivePayment } from './operations/receive-payment.ts'
import { ReturnCheck } from './operations/return-check.ts'
import { VoidReceipt } from './operations/void-receipt.ts'
import { counterPaymentShare, officeCaller, openTestDrawer } from './testing.ts'

const DAY = 24 * 60 * 60 * 1000
const agent = officeCaller('agent')
const manager = officeCaller('manager')
const finance = officeCaller('finance')
const leaseNumbers = [10002, 10003]

async function loadLedger(services: Services, number: number): Promise<Entry[]> {
  return (await loadEntries(services.db.read, 'GA1', number)).map((entry) => ({
    kind: entry.kind,
    cents: entry.cents,
    postedOn: entry.posted_on,
    periodStart: entry.period_start,
    periodEnd: entry.period_end,
  }))
}

/** Checks that balance, paid-through date, status and overlock follow from the entries. */
async function expectLeasesFollowLedger(services: TestServices, step: string) {
  for (const number of leaseNumbers) {
    const entries = await loadLedger(services, number)
    const stored = await recordOf(services, 'leases', { lease_number: number })
    const owed = balance(entries)
    const paidThrough = paidThroughOf(entries) ?? '2026-11-30'
    const today = todayIn('America/New_York', services.clock.now())
    const standing = computeStanding(
      { auctionPrepped: false, activeMilitary: false, balance: owed, paidThrough, autopayToCome: false },
      today,
      null,
    )
    expect([stored.balance, stored.paid_through, stored.status, stored.overlocked === 1], step).toEqual([
      owed,
      paidThrough,
      standing.status,
      standing.overlocked,
    ])
  }
}

/**
 * Checks that each drawer's receipts, without returned ones, equal their ledger entries, and that a closed drawer's
 * deposit equals all its unvoided receipts.
 */
async function expectDrawersAgree(services: TestServices, step: string) {
  for (const batch of await recordsOf(services, 'cash_batches')) {
    const receipts = await recordsOf(services, 'counter_receipts', { batch_id: batch.batch_id })
    const ledger = await Promise.all(
      receipts
        .filter(({ state }) => state !== 'returned')
        .map(({ receipt_id }) => recordsOf(services, 'ledger_entries', { order_id: receipt_id })),
    )
    const returned = receipts.filter(({ state }) => state === 'returned').reduce((sum, { cents }) => sum + cents, 0)
    const { cents } = await loadDrawerTotals(services.db.read, batch.batch_id)
    const collected = cents.cash + cents.check + cents.money_order
    expect(collected - returned, step).toBe(0 - balance(ledger.flat()))
    if (batch.state !== 'open') expect(batch.deposit_cents, step).toBe(collected)
  }
}

describe('Payments at the desk over random histories', () => {
  const open = openerForTests()

  it.each(Array.from({ length: 10 }, (_, index) => index + 1))(
    'ledgers, leases and drawers agree after every step (seed %i)',
    async (seed) => {
      const services = await openTestServices(await open())
      await addRecord(
        services,
        'leases',
        lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }),
      )
      await addRecord(services, 'fees', {
        location_code: 'GA1',
        fee_id: 9,
        unit_type_id: null,
        description: 'Returned Payment Fee',
        amount: 30_00,
        charged: 'returned',
      })
      const random = seededRandom(seed)
      const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
      let drawer = await openTestDrawer(services, agent)
      for (let at = 0; at < 30; at += 1) {
        const action = random.integer(0, 8)
        const receipts = await recordsOf(services, 'counter_receipts')
        const receipt = receipts.length > 0 ? pick(receipts) : undefined
        const receiptKey = receipt && { location_code: 'GA1', receipt_id: receipt.receipt_id }
        const before = await Promise.all(
          leaseNumbers.map(async (number) => balance(await loadLedger(services, number))),
        )
        if (action === 0) {
          services.clock.advance(random.integer(1, 20) * DAY)
          await runBilling(services)
        } else if (action <= 4) {
          const paying = random.integer(0, 2) === 0 ? leaseNumbers : [pick(leaseNumbers)]
          const input = {
            location_code: 'GA1',
            tenant_id: 1002,
            batch_id: drawer,
            check_number: `${at}`,
            method: pick(['check', 'cash', 'money_order']),
            leases: await Promise.all(
              paying.map((number) => counterPaymentShare(services, number, random.integer(1, 300_00))),
            ),
          }
          // A repeated request is refused, so the payment is not received twice.
          const result = await perform(services, ReceivePayment, input, agent)
          if (result.ok) expect(await perform(services, ReceivePayment, input, agent)).toMatchObject({ ok: false })
          if (result.ok && random.integer(0, 3) === 0) {
            const receipt_id = result.value.done?.receiptId
            const voided = { location_code: 'GA1', receipt_id, reason: 'wrong-amount' }
            expect(await perform(services, VoidReceipt, voided, manager)).toMatchObject({ ok: true })
            const after = await Promise.all(
              leaseNumbers.map(async (number) => balance(await loadLedger(services, number))),
            )
            expect(after, `seed ${seed}, step ${at}: corrected`).toEqual(before)
          }
        } else if (action === 5 && receiptKey) {
          await perform(services, VoidReceipt, { ...receiptKey, reason: 'wrong-amount' }, manager)
        } else if (action <= 7 && receiptKey) {
          const input = { ...receiptKey, bank_reason: 'nsf', fee: random.integer(0, 1) === 0 }
          for (const _ of [1, 2]) await perform(services, ReturnCheck, input, finance)
        } else {
          const { cents, count } = await loadDrawerTotals(services.db.read, drawer)
          const sum = (amounts: typeof cents) => amounts.cash + amounts.check + amounts.money_order
          const counted = { cash: cents.cash, checks: cents.check, money_orders: cents.money_order }
          const place = { location_code: 'GA1', batch_id: drawer }
          const closing = { ...place, ...counted, system: sum(cents), receipts: sum(count), difference_reason: '' }
          expect(await perform(services, CloseDrawer, closing, agent)).toMatchObject({ ok: true })
          const bank = { ...place, bank_cents: sum(cents), bank_day: todayIn('America/New_York', services.clock.now()) }
          if (random.integer(0, 1) === 0)
            expect(await perform(services, MatchDeposit, bank, finance)).toMatchObject({ ok: true })
          drawer = await openTestDrawer(services, agent)
        }
        await runBilling(services)
        await expectLeasesFollowLedger(services, `seed ${seed}, step ${at}`)
        await expectDrawersAgree(services, `seed ${seed}, step ${at}`)
      }
      expect((await recordsOf(services, 'counter_receipts')).length).toBeGreaterThan(5)
    },
  )
})

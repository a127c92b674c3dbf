/**
 * Tests with random rentals and prices that quote, charge, ledger and receipt agree: at the move-in, in the next period
 * and when paying ahead; and that after a credit the announced next payment is the one that becomes due.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../domain/plain-date.ts'
import { taxOn } from '../domain/sales-tax.ts'
import { nextAmountDue } from '../modules/billing/rules/next-amount-due.ts'
import { periodEntry } from '../modules/ledger/build-and-insert-entries.ts'
import { balance, type Entry, paidThroughOf } from '../modules/ledger/rules/ledger.ts'
import { linesOfCharge } from '../modules/payments/receipt.ts'
import {
  type ChargeInput,
  type ChargeLine,
  moveInCharges,
  periodCharges,
  prepayQuote,
} from '../modules/pricing/rules/charges.ts'
import { cardFeeEntries } from '../modules/standing/post-entries.ts'

const cents = fc.oneof(fc.nat(30_000), fc.constantFrom(0, 1, 50, 9_999, 1_000_050, 99_999_999))
const rate = fc.constantFrom(0, 1, 500, 725, 890, 1_000, 3_333)
const discount = fc.record({
  id: fc.constant(7),
  description: fc.constantFrom('First Month Free', 'Half off', '$1 for the first 30 days'),
  amount: fc.oneof(fc.nat(10_000), fc.constantFrom(0, 100, 3_333, 10_000, 999_999)),
  type: fc.constantFrom(1, 2),
})
/** Generates fees with ids that start at `from`, because all fees of a facility have different ids. */
const fees = (from: number) =>
  fc
    .array(cents, { maxLength: 3 })
    .map((amounts) =>
      amounts.map((amount, index) => ({ feeId: from + index, description: `Fee ${from + index}`, amount })),
    )

const plans: fc.Arbitrary<ChargeInput> = fc.record({
  streetRent: cents,
  rent: cents,
  discount: fc.option(discount),
  insurance: fc.option(fc.record({ schemeId: fc.nat(9), name: fc.constant('Cover $2,000'), premium: cents })),
  moveInFees: fees(10),
  periodFees: fees(20),
  access24: fc.option(fc.record({ feeId: fc.constant(30), amount: cents })),
  cardFee: fc.option(fc.record({ feeId: fc.constant(31), amount: cents })),
  taxRates: fc.record({ rent: rate, insurance: rate, fee: rate }),
  moveInDate: fc.constantFrom('2026-11-20', '2024-01-31', '2024-02-29', '2026-12-31'),
})

const sum = (rows: readonly { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)

type Row = Pick<Entry, 'kind' | 'cents'> & { once: string }

class Books {
  entries: (Row & Entry)[] = []

  add(rows: readonly Row[], on: string, end: string | null = null) {
    for (const { kind, cents, once } of rows) {
      if (this.entries.some((entry) => entry.once === once)) throw new Error(`${once} stands in the books already`)
      this.entries.push({ kind, cents, once, periodStart: end && on, periodEnd: end, postedOn: on })
    }
    return sum(rows)
  }

  charge(lines: readonly ChargeLine[], start: string) {
    return this.add(
      lines.map((line) => periodEntry(line, start) as Row),
      start,
      addDays(start, 29),
    )
  }

  pay(amount: number, on: string) {
    this.add([{ kind: 'payment', cents: -amount, once: `order:${this.entries.length}` }], on)
  }
}

test('quote, charge, ledger and receipt agree from the move-in on', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(plans, fc.integer({ min: 1, max: 12 }), fc.nat(200_000), (plan, periods, credit) => {
      const books = new Books()
      const quote = moveInCharges(plan)

      expect(books.charge(quote.lines, quote.periodStart)).toBe(quote.dueToday)
      const receipt = linesOfCharge({ amount: quote.dueToday, approved_amount: null }, quote.lines)
      expect([receipt.total, sum(receipt.lines)]).toEqual([quote.dueToday, quote.dueToday])
      // The provider took another amount, and the operator posted it.
      const other = linesOfCharge({ amount: quote.dueToday, approved_amount: quote.dueToday + 1 }, quote.lines)
      expect([other.total, sum(other.lines)]).toEqual([quote.dueToday + 1, quote.dueToday + 1])
      books.pay(quote.dueToday, quote.periodStart)
      expect([balance(books.entries), paidThroughOf(books.entries)]).toEqual([0, quote.periodEnd])

      const lease = { ...plan, cardFee: null, periodStart: quote.nextBilling }
      const second = periodCharges(lease)
      expect(second.total).toBe(quote.thenPerPeriod - quote.cardFeeEach)
      expect(books.charge(second.lines, second.periodStart)).toBe(second.total)
      books.pay(second.total, second.periodStart)

      // The ledger charges each prepaid period once and the card fee once, both with the quoted tax.
      const start = addDays(second.periodEnd, 1)
      const ahead = prepayQuote({ ...lease, periodStart: start, cardFee: plan.cardFee }, periods)
      let charged = 0
      for (let index = 0; index < periods; index += 1) {
        const period = periodCharges({ ...lease, periodStart: addDays(start, 30 * index) })
        charged += books.charge(period.lines, period.periodStart)
      }
      if (plan.cardFee) {
        const fee = { ...plan.cardFee, tax: taxOn(plan.cardFee.amount, plan.taxRates.fee), description: 'Card fee' }
        charged += books.add(cardFeeEntries(fee, 'ahead') as Row[], start)
      }
      expect(charged).toBe(ahead.total)
      const paid = linesOfCharge({ amount: ahead.total, approved_amount: null }, ahead.lines)
      expect([paid.total, sum(paid.lines)]).toEqual([charged, charged])
      books.pay(ahead.total, start)
      expect([balance(books.entries), paidThroughOf(books.entries)]).toEqual([0, ahead.periodEnd])

      // After a credit, the announced next payment is what becomes due, and nothing is due before.
      books.add([{ kind: 'credit', cents: -credit, once: 'credit' }], start)
      let next = addDays(ahead.periodEnd, 1)
      const announced = nextAmountDue({ start: next, cents: second.total }, balance(books.entries))
      // A credit that lasts for 40 periods or more is skipped, because the loop would be too long.
      if (second.total > credit / 40) {
        while (next < announced.on) {
          books.charge(periodCharges({ ...lease, periodStart: next }).lines, next)
          expect(balance(books.entries)).toBeLessThanOrEqual(0)
          next = addDays(next, 30)
        }
        books.charge(periodCharges({ ...lease, periodStart: next }).lines, next)
        expect([next, balance(books.entries)]).toEqual([announced.on, announced.cents])
      }
    }),
    { numRuns: 600 },
  )
})

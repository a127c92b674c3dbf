import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { periodsDue, periodsReachingAge } from '../../billing/rules/periods-due.ts'
import { type PeriodInput, periodCharges } from '../../pricing/rules/charges.ts'
import { kindOfLine } from '../lease-ledger-totals.ts'
import { balance, chargesByPeriod, type Entry, paidThroughOf, unpaidByPeriod } from './ledger.ts'
import { computePaidThrough } from './paid-through.ts'

/** Number of random histories, set by `npm run ledger -- --histories N`. */
const histories = Number(process.env.LEDGER_HISTORIES ?? 5000)
const seed = process.env.LEDGER_SEED ? { seed: Number(process.env.LEDGER_SEED) } : {}

const first: IsoDate = '2026-11-20'

type Step =
  | { does: 'charge the next periods'; periods: number }
  | { does: 'charge a fee'; cents: number }
  | { does: 'pay'; cents: number }
  | { does: 'pay all' }
  | { does: 'credit'; cents: number }
  | { does: 'give back'; cents: number }
  | { does: 'take a payment back'; which: number }
  | { does: 'wait'; days: number }

const cents = fc.integer({ min: 1, max: 400_00 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('charge the next periods'), periods: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('charge a fee'), cents }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('pay'), cents }) },
  { weight: 3, arbitrary: fc.constant({ does: 'pay all' }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('credit'), cents }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('give back'), cents }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('take a payment back'), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('wait'), days: fc.integer({ min: 0, max: 45 }) }) },
) as fc.Arbitrary<Step>

const terms = fc.record({
  rent: fc.integer({ min: 0, max: 300_00 }),
  premium: fc.option(fc.integer({ min: 1_00, max: 40_00 })),
  fee: fc.option(fc.integer({ min: 1, max: 30_00 })),
  rates: fc.record({
    rent: fc.integer({ min: 0, max: 1200 }),
    insurance: fc.integer({ min: 0, max: 1200 }),
    fee: fc.integer({ min: 0, max: 1200 }),
  }),
})

type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never

/** Grows a lease's ledger step by step. Calls `onStep` after each step. */
function replaySteps(
  leaseTerms: Terms,
  steps: readonly Step[],
  onStep: (entries: readonly Entry[], step: Step, before: readonly Entry[]) => void,
) {
  const entries: Entry[] = []
  const returnedPayments = new Set<Entry>()
  let today = first
  let start = first
  const price: PeriodInput = {
    rent: leaseTerms.rent,
    insurance: leaseTerms.premium === null ? null : { schemeId: 1, name: 'Cover', premium: leaseTerms.premium },
    periodFees: leaseTerms.fee === null ? [] : [{ feeId: 4, description: 'Shore Power', amount: leaseTerms.fee }],
    access24: null,
    cardFee: null,
    taxRates: leaseTerms.rates,
    periodStart: start,
  }
  const single = (kind: Entry['kind'], amount: number): Entry => ({
    kind,
    cents: amount,
    periodStart: null,
    periodEnd: null,
    postedOn: today,
  })
  for (const step of steps) {
    const before = [...entries]
    switch (step.does) {
      case 'wait':
        today = addDays(today, step.days)
        break
      case 'charge the next periods':
        for (let at = 0; at < step.periods; at += 1) {
          const period = periodCharges({ ...price, periodStart: start })
          for (const line of period.lines)
            entries.push({
              kind: kindOfLine[line.kind],
              cents: line.cents,
              postedOn: today,
              periodStart: period.periodStart,
              periodEnd: period.periodEnd,
            })
          start = addDays(period.periodEnd, 1)
        }
        break
      case 'charge a fee':
        entries.push(single('fee', step.cents))
        break
      case 'pay':
        entries.push(single('payment', -step.cents))
        break
      case 'pay all':
        if (balance(entries) > 0) entries.push(single('payment', -balance(entries)))
        break
      case 'credit':
        entries.push(single('credit', -step.cents))
        break
      case 'give back':
        entries.push(single('refund', step.cents))
        break
      case 'take a payment back': {
        const payments = entries.filter((entry) => entry.kind === 'payment' && !returnedPayments.has(entry))
        const payment = payments[step.which % Math.max(payments.length, 1)]
        if (!payment) break
        returnedPayments.add(payment)
        entries.push(single('reversal', -payment.cents))
      }
    }
    onStep(entries, step, before)
  }
}

/** Computes the paid-through date another way: allots every paid cent to the oldest open charge. */
function paidByAllotting(entries: readonly Entry[]): IsoDate | null {
  const rows = chargesByPeriod(entries)
  let money = rows.reduce((sum, row) => sum + row.cents, 0) - balance(entries)
  let through: IsoDate | null = null
  let open = false
  for (const row of rows) {
    money -= row.cents
    if (row.end === null) continue
    through ??= addDays(row.start, -1)
    if (money < 0) open = true
    if (!open) through = row.end
  }
  return through
}

describe('A ledger of any history', () => {
  test('sums to its balance in whole cents, period by period, and is paid through the period before the oldest unpaid one', () => {
    fc.assert(
      fc.property(terms, fc.array(step, { minLength: 1, maxLength: 30 }), (leaseTerms, steps) => {
        replaySteps(leaseTerms, steps, (entries, step, before) => {
          const owed = balance(entries)
          if (!Number.isSafeInteger(owed)) throw new Error('not whole cents')
          const rows = unpaidByPeriod(entries)
          let sum = 0
          let open = false
          for (const row of rows) {
            if (!Number.isSafeInteger(row.owed) || row.owed < 0) throw new Error('not whole cents of a period')
            if (open && row.owed !== Math.max(row.cents, 0))
              throw new Error('a newer charge was paid before an older one')
            if (row.owed > 0) open = true
            sum += row.owed
          }
          if (rows.length > 0 && sum !== Math.max(owed, 0))
            throw new Error(`periods owe ${sum}, the balance is ${owed}`)

          const through = paidThroughOf(entries)
          if (through !== paidByAllotting(entries))
            throw new Error(`paid through ${through}, by allotting ${paidByAllotting(entries)}`)
          if (through !== null && (daysBetween(first, through) + 1) % 30 !== 0) throw new Error('not whole periods')
          const throughBefore = paidThroughOf(before)
          if (throughBefore === null || through === null) return
          if ((step.does === 'pay' || step.does === 'credit' || step.does === 'pay all') && through < throughBefore)
            throw new Error('a payment moved paid-through back')
          if ((step.does === 'take a payment back' || step.does === 'give back') && through > throughBefore)
            throw new Error('money that left moved paid-through on')
          if (step.does === 'pay all' && owed > 0) throw new Error('paid, and something is owed')
        })
      }),
      { numRuns: histories, ...seed },
    )
  }, 3_600_000)

  test('has the same paid-through date and unpaid charges after a payment and its return as before them', () => {
    fc.assert(
      fc.property(terms, fc.array(step, { minLength: 1, maxLength: 20 }), cents, (leaseTerms, steps, amount) => {
        let entries: readonly Entry[] = []
        replaySteps(leaseTerms, steps, (now) => {
          entries = now
        })
        const single = { periodStart: null, periodEnd: null, postedOn: '2027-01-01' }
        const after: Entry[] = [
          ...entries,
          { kind: 'payment', cents: -amount, ...single },
          { kind: 'reversal', cents: amount, ...single },
        ]
        expect(paidThroughOf(after)).toBe(paidThroughOf(entries))
        expect(unpaidByPeriod(after)).toEqual(unpaidByPeriod(entries))
      }),
      { numRuns: Math.min(histories, 2000), ...seed },
    )
  })

  test('sums the entries of a charged period to one charge, which is unpaid in full', () => {
    fc.assert(
      fc.property(terms, (leaseTerms) => {
        replaySteps(leaseTerms, [{ does: 'charge the next periods', periods: 1 }], (entries) => {
          const [period] = chargesByPeriod(entries)
          expect(chargesByPeriod(entries)).toHaveLength(1)
          expect(period?.cents).toBe(entries.reduce((sum, entry) => sum + entry.cents, 0))
          expect(unpaidByPeriod(entries)[0]?.owed).toBe(balance(entries))
        })
      }),
      { numRuns: Math.min(histories, 2000), ...seed },
    )
  })
})

describe('Periods', () => {
  test('are due the same for billing runs on any days, in any order, as for a run on every day', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 12 }),
        fc.option(fc.integer({ min: 0, max: 400 })),
        (days, out) => {
          const moveOut = out === null ? null : addDays(first, out)
          const run = (dates: IsoDate[]) => {
            const starts: IsoDate[] = []
            for (const date of dates) {
              const through = starts.length === 0 ? addDays(first, -1) : addDays(starts.at(-1) as IsoDate, 29)
              starts.push(...periodsDue(through, date, moveOut))
            }
            return starts
          }
          const last = Math.max(...days)
          const daily = run(Array.from({ length: last + 1 }, (_, day) => addDays(first, day)))
          expect(run(days.map((day) => addDays(first, day)))).toEqual(daily)
          daily.forEach((start, at) => {
            expect(daysBetween(first, start)).toBe(at * 30)
            if (moveOut !== null) expect(start < moveOut).toBe(true)
          })
        },
      ),
    )
  })

  test('that are unpaid reach an age at one billing run only, whatever days billing runs', () => {
    const lease = { paidThrough: '2026-11-30', chargedThrough: '2027-02-28' }
    expect(periodsReachingAge(10, lease, '2026-12-09', '2026-12-10')).toEqual([])
    expect(periodsReachingAge(10, lease, '2026-12-10', '2026-12-11')).toEqual(['2026-12-01'])
    expect(periodsReachingAge(10, lease, '2026-12-11', '2026-12-12')).toEqual([])
    expect(periodsReachingAge(10, lease, '2026-12-11', '2027-02-10')).toEqual(['2026-12-31', '2027-01-30'])
    expect(periodsReachingAge(10, { ...lease, chargedThrough: '2026-11-30' }, '2026-12-01', '2027-02-10')).toEqual([])
  })

  test('move paid-through by whole periods when paid ahead, and back when reversed', () => {
    const entries: Entry[] = []
    const period = (start: IsoDate): Entry => ({
      kind: 'rent',
      cents: 100_00,
      periodStart: start,
      periodEnd: addDays(start, 29),
      postedOn: first,
    })
    entries.push(period('2026-11-20'), period('2026-12-20'), period('2027-01-19'))
    const payment: Entry = { kind: 'payment', cents: -300_00, periodStart: null, periodEnd: null, postedOn: first }
    expect(paidThroughOf(entries)).toBe('2026-11-19')
    entries.push(payment)
    expect(paidThroughOf(entries)).toBe('2027-02-17')
    entries.push({ ...payment, kind: 'reversal', cents: 300_00 })
    expect(paidThroughOf(entries)).toBe('2026-11-19')
    expect(computePaidThrough(chargesByPeriod(entries), 100_00)).toBe('2027-01-18')
  })
})

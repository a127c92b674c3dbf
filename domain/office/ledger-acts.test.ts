import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OVERLOCK_AFTER_DAYS, periodsDue, standing } from '../billing.ts'
import { periodCharges } from '../charges.ts'
import { balance, charged, owedByPeriod, paidThroughOf } from '../ledger.ts'
import { addDays, daysBetween, type IsoDate } from '../plain-date.ts'
import {
  type ActEntry,
  charge,
  credit,
  creditablePeriods,
  isSingleFee,
  moved,
  type StandingEntry,
  taxKeyOf,
  waiver,
  waiverKey,
} from './ledger-acts.ts'

/** `npm run ledger -- --histories N` sets how many; a few thousand take a few seconds. */
const histories = Number(process.env.LEDGER_HISTORIES ?? 2000)
const seed = process.env.LEDGER_SEED ? { seed: Number(process.env.LEDGER_SEED) } : {}

const first: IsoDate = '2026-11-20'
const lateFee = { description: 'Late Fee', amount: 20_00 }

const which = fc.nat()
const part = fc.integer({ min: 1, max: 100 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pay' as const), part }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('pay ahead' as const), periods: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('bank takes back' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('charge' as const), cents: fc.integer({ min: 1, max: 90_00 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('waive' as const), which }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('credit' as const), which, part }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move' as const), part }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('charge and waive' as const), cents: fc.integer({ min: 1, max: 90_00 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move there and back' as const), part }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const terms = fc.record({
  rent: fc.integer({ min: 0, max: 300_00 }),
  premium: fc.option(fc.integer({ min: 1_00, max: 40_00 })),
  fee: fc.option(fc.integer({ min: 1, max: 30_00 })),
  rate: fc.integer({ min: 0, max: 1200 }),
})
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never

const kindOf = {
  rent: 'rent',
  insurance: 'insurance',
  fee: 'fee',
  access: 'fee',
  card_fee: 'fee',
  tax: 'tax',
  discount: 'discount',
} as const

/** A lease with daily billing and late fees, and another of the same tenant that balances are moved to. */
class Lease {
  entries: StandingEntry[] = []
  other: StandingEntry[] = []
  today = first
  readonly #of: Terms
  #next = 0
  #acts = 0
  /** Payments that the bank may return, with the first day that they paid ahead. */
  #payments: { entry: StandingEntry; ahead: IsoDate | null }[] = []
  #again = new Map<IsoDate, number>()

  constructor(of: Terms) {
    this.#of = of
  }

  add(entry: Omit<ActEntry, 'kind'> & { kind: StandingEntry['kind'] }, to = this.entries): StandingEntry {
    if (to.some(({ once }) => once === entry.once)) throw new Error(`${entry.once} is written a second time`)
    this.#next += 1
    const made: StandingEntry = {
      ...{
        id: `e${this.#next}`,
        once: entry.once,
        description: entry.description,
        kind: entry.kind,
        cents: entry.cents,
      },
      ...{ periodStart: entry.period?.start ?? null, periodEnd: entry.period?.end ?? null, postedOn: this.today },
    }
    to.push(made)
    return made
  }

  #act = () => {
    this.#acts += 1
    return `staff:${this.#acts}`
  }

  chargedThrough = (): IsoDate =>
    charged(this.entries)
      .flatMap(({ end }) => end ?? [])
      .sort()
      .at(-1) ?? addDays(first, -1)

  #chargePeriod(start: IsoDate) {
    const { rent, premium, fee, rate } = this.#of
    const period = periodCharges({
      rent,
      insurance: premium === null ? null : { schemeId: 1, name: 'Cover', premium },
      periodFees: fee === null ? [] : [{ feeId: 4, description: 'Shore Power', amount: fee }],
      ...{ access24: null, cardFee: null, periodStart: start, taxRates: { rent: rate, insurance: rate, fee: rate } },
    })
    const again = this.#again.get(start) ?? 0
    period.lines.forEach((line, at) => {
      this.add({
        ...{
          kind: kindOf[line.kind],
          cents: line.cents,
          description: line.label,
          once: `period:${start}#${again}:${at}`,
        },
        period: { start, end: period.periodEnd },
      })
    })
    return period.total
  }

  /** A day's billing: the periods that have begun, and a late fee once for each that is ten days unpaid. */
  bill() {
    for (const start of periodsDue(this.chargedThrough(), this.today, null)) this.#chargePeriod(start)
    if (balance(this.entries) <= 0) return
    const paid = paidThroughOf(this.entries) ?? addDays(first, -1)
    const unpaid = charged(this.entries).filter(({ end, start }) => end !== null && start > paid)
    for (const { start } of unpaid) {
      if (daysBetween(start, this.today) < 10 || this.entries.some(({ once }) => once === `late:${start}:fee`)) continue
      for (const { once, ...line } of charge(lateFee, this.#of.rate, 'late'))
        this.add({ ...line, once: once.replace('late:', `late:${start}:`) })
    }
  }

  payAhead(periods: number) {
    if (balance(this.entries) > 0) return
    const ahead = addDays(this.chargedThrough(), 1)
    let cents = 0
    for (let at = 0; at < periods; at += 1) cents += this.#chargePeriod(addDays(this.chargedThrough(), 1))
    this.pay(cents, ahead)
  }

  pay(cents: number, ahead: IsoDate | null = null) {
    if (cents <= 0) return
    const entry = this.add({ kind: 'payment', cents: -cents, description: 'Card', once: `order:${this.#next}:payment` })
    this.#payments.push({ entry, ahead })
  }

  /** As `reversePayment` does: periods that have not begun are reversed, the newest first, as far as something is owed. */
  takeBack(at: number) {
    const [payment] = this.#payments.splice(at % Math.max(this.#payments.length, 1), 1)
    if (!payment) return
    this.add({
      kind: 'reversal',
      cents: -payment.entry.cents,
      description: 'Returned',
      once: `${payment.entry.once}:back`,
    })
    if (payment.ahead === null) return
    const starts = charged(this.entries).filter(({ start, end }) => end !== null && start > this.today)
    for (const { start } of starts.reverse()) {
      const lines = this.entries.filter((one) => one.periodStart === start && one.periodEnd !== null)
      if (balance(this.entries) <= 0 || !lines.some(({ kind, cents }) => kind === 'rent' && cents > 0)) continue
      const again = (this.#again.get(start) ?? 0) + 1
      this.#again.set(start, again)
      const sums = Map.groupBy(lines, ({ kind, description }) => `${kind} ${description}`)
      for (const [name, rows] of sums) {
        const [{ kind, description, periodEnd }] = rows as [StandingEntry]
        const cents = -balance(rows)
        const once = `${payment.entry.once}:${start}:${again}:${name}`
        if (cents !== 0) this.add({ kind, cents, description, once, period: { start, end: periodEnd } })
      }
    }
  }

  charge = (amount: number) =>
    charge({ description: 'Lock Cut Fee', amount }, this.#of.rate, this.#act()).map((entry) => this.add(entry))

  waive(at: number): { fee: StandingEntry; against: StandingEntry[] } | null {
    const fees = this.entries.filter(
      (one) => isSingleFee(one) && !this.entries.some(({ once }) => once === waiverKey(one.id)),
    )
    const fee = fees[at % Math.max(fees.length, 1)]
    if (!fee) return null
    const tax = this.entries.find(({ once }) => once === taxKeyOf(fee.once))
    return { fee, against: waiver(fee, tax).map((entry) => this.add(entry)) }
  }

  credit(at: number, part: number): void {
    const periods = creditablePeriods(this.entries)
    const period = periods[at % Math.max(periods.length, 1)]
    if (!period) return
    const cents = Math.max(1, Math.round((period.left * part) / 100))
    for (const entry of credit(period, cents, this.#act())) this.add(entry)
    const after = creditablePeriods(this.entries).find(({ start }) => start === period.start)
    const left = after ? after.left : 0
    if (left !== period.left - cents) throw new Error(`${left} left of ${period.left} after a credit of ${cents}`)
  }

  move(part: number, back = false): void {
    const owed = balance(this.entries)
    const cents = Math.round((Math.abs(owed) * part) / 100)
    if (cents === 0) return
    const sides = (all: StandingEntry[], unit: string) => ({ balance: balance(all), unit })
    const before = balance(this.other)
    const there = moved(sides(this.entries, 'A1'), sides(this.other, 'B2'), cents, this.#act())
    for (const entry of there.off) this.add(entry)
    for (const entry of there.onto) this.add(entry, this.other)
    if (!back) return
    // The same sum the other way: the other lease has to owe or be owed as much.
    const again = moved(
      { balance: owed > 0 ? cents : -cents, unit: 'B2' },
      sides(this.entries, 'A1'),
      cents,
      this.#act(),
    )
    for (const entry of again.off) this.add(entry, this.other)
    for (const entry of again.onto) this.add(entry)
    if (balance(this.entries) !== owed || balance(this.other) !== before) throw new Error('moved and moved back differ')
  }

  do(one: Step) {
    switch (one.does) {
      case 'wait':
        for (let day = 0; day < one.days; day += 1) {
          this.today = addDays(this.today, 1)
          this.bill()
        }
        break
      case 'pay':
        this.pay(Math.round((Math.max(balance(this.entries), 0) * one.part) / 100))
        break
      case 'pay ahead':
        this.payAhead(one.periods)
        break
      case 'bank takes back':
        this.takeBack(one.which)
        break
      case 'charge':
        this.charge(one.cents)
        break
      case 'waive': {
        const rent = owedByPeriod(this.entries).find(({ end, owed }) => end !== null && owed > 0)
        const done = this.waive(one.which)
        if (!done) break
        const sum = balance(done.against.filter(({ kind }) => kind === 'fee'))
        if (sum !== -done.fee.cents) throw new Error(`${sum} waived of a fee of ${done.fee.cents}`)
        // What is owed for rent is owed still, unless the fee had been paid: then that money pays for rent.
        const after = owedByPeriod(this.entries).find(({ start, end }) => start === rent?.start && end === rent.end)
        if (rent && (after?.owed ?? 0) > rent.owed) throw new Error('a waiver made more rent owed')
        break
      }
      case 'credit':
        this.credit(one.which, one.part)
        break
      case 'move':
        this.move(one.part)
        break
      case 'charge and waive': {
        const before = [balance(this.entries), paidThroughOf(this.entries)]
        const [fee, tax] = this.charge(one.cents)
        for (const entry of waiver(fee as StandingEntry, tax)) this.add(entry)
        expect([balance(this.entries), paidThroughOf(this.entries)]).toEqual(before)
        break
      }
      case 'move there and back':
        this.move(one.part, true)
    }
  }
}

const isStaffs = ({ once }: StandingEntry) => /^(staff|waive):/.test(once)

/** Holds after every step, whatever staff did. */
function check(lease: Lease, before: readonly StandingEntry[]) {
  const { entries, other } = lease
  before.forEach((one, at) => {
    if (JSON.stringify(entries[at]) !== JSON.stringify(one)) throw new Error(`${one.once} was changed`)
  })
  if (!entries.every(({ cents }) => Number.isSafeInteger(cents))) throw new Error('not whole cents')
  if (entries.some((one) => isStaffs(one) && !['fee', 'tax', 'credit'].includes(one.kind)))
    throw new Error('staff wrote rent, discount or insurance')
  // Moved balances come to nothing in all.
  const movedHere = entries.filter(({ once }) => once.endsWith(':off') || once.endsWith(':onto'))
  if (balance(movedHere) + balance(other) !== 0) throw new Error('what was moved does not come to 0')
  // No waiver above its fee, and none without one.
  for (const one of entries.filter(({ once, kind }) => once.startsWith('waive:') && kind === 'fee')) {
    const fee = entries.find(({ id }) => waiverKey(id) === one.once)
    if (!fee || -one.cents !== fee.cents) throw new Error('a waiver is not what its fee was')
  }
  // Each period is charged once: no two of the same days, none that overlap, none left out, and none freed by staff.
  const periods = charged(entries).filter(({ end }) => end !== null)
  periods.forEach(({ start }, at) => {
    if (daysBetween(first, start) !== 30 * at) throw new Error(`period ${at} begins on ${start}`)
  })
  for (const { start, end } of periods) {
    const rents = entries.filter((one) => one.kind === 'rent' && one.periodStart === start && one.periodEnd === end)
    if (rents.filter(({ cents }) => cents > 0).length - rents.filter(({ cents }) => cents < 0).length > 1)
      throw new Error(`${start} is charged twice`)
  }
  if (charged(entries).some(({ cents }) => cents < 0)) throw new Error('a waiver fell into a day of its own')
  // Parts add up, and the standing is what the ledger says.
  const owed = balance(entries)
  const rows = owedByPeriod(entries)
  if (rows.length > 0 && rows.reduce((sum, one) => sum + one.owed, 0) !== Math.max(owed, 0))
    throw new Error('the parts do not come to the balance')
  const paidThrough = paidThroughOf(entries)
  if (paidThrough === null) return
  const lent = { auctionPrepped: false, activeMilitary: false, balance: owed, paidThrough, autopayToCome: false }
  const now = standing(lent, lease.today, null)
  const late = owed > 0 && daysBetween(paidThrough, lease.today) > OVERLOCK_AFTER_DAYS
  if (now.overlocked !== late) throw new Error('overlock')
  if ((now.status === 'Past Due') !== owed > 0) throw new Error('status')
}

describe('The ledger by hand over any history', () => {
  test('keeps the books: sums, periods, waivers, moved balances, standing', () => {
    fc.assert(
      fc.property(terms, fc.array(step, { minLength: 1, maxLength: 25 }), (of, steps) => {
        const lease = new Lease(of)
        lease.bill()
        for (const one of steps) {
          const before = lease.entries.map((entry) => ({ ...entry }))
          lease.do(one)
          check(lease, before)
        }
      }),
      { numRuns: histories, ...seed },
    )
  }, 36_000_000)

  test('of rent and a fee that are owed, a waiver leaves the rent', () => {
    const of = (kind: 'rent' | 'fee', cents: number, days: Partial<StandingEntry> = {}): StandingEntry => ({
      ...{ id: kind, once: `${kind}:x`, description: kind, kind, cents, periodStart: null, periodEnd: null },
      ...{ postedOn: '2026-12-11', ...days },
    })
    const rent = of('rent', 100_00, { periodStart: '2026-12-01', periodEnd: '2026-12-30' })
    const fee = of('fee', 20_00)
    const [against] = waiver(fee, undefined)
    const entry = { ...of('fee', against?.cents ?? 0), periodStart: '2026-12-11', postedOn: '2027-01-05' }
    expect(owedByPeriod([rent, fee, entry]).filter(({ owed }) => owed !== 0)).toMatchObject([
      { start: '2026-12-01', owed: 100_00 },
    ])
  })

  test('the credits of a period take its whole tax with the last cent, however they are cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_00 }),
        fc.integer({ min: 0, max: 60_00 }),
        fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 8 }),
        (left, tax, cuts) => {
          const period = { start: '2026-12-01', end: '2026-12-30', left, tax }
          for (const cut of [...cuts, 100]) {
            const cents = Math.min(period.left, Math.max(1, Math.round((period.left * cut) / 100)))
            if (cents === 0) continue
            const [, taxed] = credit(period, cents, 'x')
            period.left -= cents
            period.tax += taxed?.cents ?? 0
            expect(period.tax).toBeGreaterThanOrEqual(0)
          }
          expect(period).toMatchObject({ left: 0, tax: 0 })
        },
      ),
      { numRuns: Math.min(histories, 5000), ...seed },
    )
  })
})

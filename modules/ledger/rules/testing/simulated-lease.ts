/** A simulated lease with daily billing, rent changes and a lien case, for ledger property tests. */
import * as fc from 'fast-check'
import { addDays, daysBetween, type IsoDate } from '../../../../domain/plain-date.ts'
import { periodsDue } from '../../../billing/rules/periods-due.ts'
import { periodCharges } from '../../../pricing/rules/charges.ts'
import { earliestRentDay, NOTICE_DAYS } from '../../../rent-changes/rules/rent-change.ts'
import { kindOfLine } from '../../lease-ledger-totals.ts'
import { feeChargeEntries } from '../fee-charge-entries.ts'
import { balance } from '../ledger.ts'
import type { StoredEntry } from '../stored-and-new-ledger-entries.ts'
import { expectThat, Ledger, type NewEntry } from './ledger.ts'

const lateFee = { description: 'Late Fee', amount: 20_00 }

export const terms = fc.record({
  rent: fc.integer({ min: 0, max: 300_00 }),
  premium: fc.option(fc.integer({ min: 1_00, max: 40_00 })),
  fee: fc.option(fc.integer({ min: 1, max: 30_00 })),
  rate: fc.integer({ min: 0, max: 1200 }),
})
export type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never

/** A simulated lease: bills its periods, changes its rent and follows its lien case. */
export class BilledLease {
  readonly ledger = new Ledger()
  readonly first: IsoDate
  readonly terms: Terms
  closed = false
  /** Whether the money for unused days has moved to another lease. */
  left = false
  lien: 'open' | 'stopped' | 'surplus' | 'closed' | null = null
  /** Proceeds of the lien sale beyond the debt, and the part of them already paid out, in cents. */
  surplus = { held: 0, paid: 0 }
  readonly #reversals = new Map<IsoDate, number>()
  #rent: number
  #coming: { rent: number; from: IsoDate } | null = null
  /**
   * All rent changes: new rent, rent before, first day on which the change may apply, and first day of the first period
   * charged at the new rent, null while there is none.
   */
  readonly #rents: { rent: number; before: number; notBefore: IsoDate; applied: IsoDate | null }[] = []

  constructor(terms: Terms, start: IsoDate) {
    this.terms = terms
    this.first = start
    this.#rent = terms.rent
  }

  get owed() {
    return this.ledger.now.balance
  }

  add(entry: NewEntry, today: IsoDate): StoredEntry {
    return this.ledger.add(entry, today)
  }

  /** Stops the simulated lien case once nothing is owed, as `updateLienAfterPosting` does in the database. */
  stopLienIfPaid() {
    if (this.lien === 'open' && this.owed <= 0) this.lien = 'stopped'
  }

  chargedThrough = (): IsoDate => {
    const ends = this.ledger.periods.map(({ end }) => end as IsoDate)
    return ends.reduce((last, end) => (end > last ? end : last), addDays(this.first, -1))
  }

  /**
   * Returns the rent announced for a period, computed independently of its price: the rent of the last notice whose
   * term had ended by the first day of the period.
   */
  #promisedRent = (start: IsoDate) =>
    this.#rents.filter((rent) => start >= rent.notBefore).at(-1)?.rent ?? this.terms.rent

  chargePeriod(start: IsoDate, today: IsoDate) {
    const { premium, fee, rate } = this.terms
    const period = periodCharges({
      rent: this.#rent,
      coming: this.#coming,
      insurance: premium === null ? null : { schemeId: 1, name: 'Cover', premium },
      periodFees: fee === null ? [] : [{ feeId: 4, description: 'Shore Power', amount: fee }],
      access24: null,
      cardFee: null,
      periodStart: start,
      taxRates: { rent: rate, insurance: rate, fee: rate },
    })
    expectThat(period.rent.amount === this.#promisedRent(start), `${start} is not charged at the rent of its notice`)
    if (this.#coming && start >= this.#coming.from) {
      this.#rent = this.#coming.rent
      this.#coming = null
      const change = this.#rents.at(-1)
      if (change) change.applied = start
    }
    const reversals = this.#reversals.get(start) ?? 0
    period.lines.forEach((line, at) => {
      this.add(
        {
          kind: kindOfLine[line.kind],
          cents: line.cents,
          description: line.label,
          once: `period:${start}#${reversals}:${at}`,
          period: { start, end: period.periodEnd },
        },
        today,
      )
    })
    return period.total
  }

  /**
   * Runs one day's billing: charges the periods that have begun, and one late fee for each unpaid period that began ten
   * or more days ago.
   */
  bill(today: IsoDate) {
    if (this.closed) return
    for (const start of periodsDue(this.chargedThrough(), today, null)) this.chargePeriod(start, today)
    if (this.owed <= 0) return
    const paid = this.ledger.now.paidThrough ?? addDays(this.first, -1)
    for (const { start } of this.ledger.periods.filter((period) => period.start > paid)) {
      if (daysBetween(start, today) < 10 || this.ledger.has(`late:${start}:fee`)) continue
      for (const { once, ...line } of feeChargeEntries(lateFee, this.terms.rate, 'late'))
        this.add({ ...line, once: once.replace('late:', `late:${start}:`) }, today)
    }
  }

  /** Reverses periods that have not begun, newest first, while a balance is owed, like `reverseUnbegunPeriods`. */
  reverseUnbegun(order: string, today: IsoDate) {
    // Money paid ahead has moved to another lease, so the debt stays.
    if (this.left) return
    const starts = this.ledger.periods.filter(({ start }) => start > today)
    for (const { start } of starts.reverse()) {
      const lines = this.ledger.entries.filter((entry) => entry.periodStart === start && entry.periodEnd !== null)
      if (this.owed <= 0 || !lines.some((line) => line.kind === 'rent' && line.cents > 0)) continue
      const reversals = (this.#reversals.get(start) ?? 0) + 1
      this.#reversals.set(start, reversals)
      const sums = Map.groupBy(lines, ({ kind, description }) => `${kind} ${description}`)
      for (const [name, rows] of sums) {
        const [{ kind, description, periodEnd }] = rows as [StoredEntry]
        const back = -balance(rows)
        const once = `${order}:back:${start}:${reversals}:${name}`
        if (back !== 0) this.add({ kind, cents: back, description, once, period: { start, end: periodEnd } }, today)
      }
      // Like `revertAppliedRent`: the rent change is scheduled again.
      const change = this.#rents.at(-1)
      if (change?.applied !== start) continue
      change.applied = null
      this.#rent = change.before
      this.#coming = { rent: change.rent, from: change.notBefore }
    }
  }

  changeRent(percent: number, today: IsoDate) {
    const rent = Math.floor((this.terms.rent * (100 + percent)) / 100)
    const last = this.#rents.at(-1)
    if (this.closed || this.#coming || rent === this.#rent || (last?.applied && last.applied > today)) return
    const from = earliestRentDay({ oldRent: this.#rent, newRent: rent, wantedFrom: null }, today)
    expectThat(rent < this.#rent || daysBetween(today, from) >= NOTICE_DAYS, 'an increase without its notice')
    this.#rents.push({ rent, before: this.#rent, notBefore: from, applied: null })
    this.#coming = { rent, from }
  }
}

/** Entries that credit a charged period, in part or whole. */
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { taxOnCredit } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { chargeKinds, type Entry, isChargeReversed } from './ledger.ts'
import type { EntryToWrite } from './stored-and-new-ledger-entries.ts'

/** A period that can be credited, with the charged amount less earlier credits. */
export interface CreditablePeriod {
  start: IsoDate
  end: IsoDate
  /** Remaining amount before tax; `tax` is what remains of the tax. */
  remaining: Cents
  tax: Cents
}

/**
 * Returns the periods with an amount left to credit, newest first. Leaves out periods without a rent entry and those
 * whose charge was reversed.
 */
export function creditablePeriods(entries: readonly Entry[]): CreditablePeriod[] {
  const periods = Map.groupBy(entries, ({ periodStart, periodEnd }) => `${periodStart}:${periodEnd}`)
  return [...periods.values()]
    .flatMap((rows): CreditablePeriod[] => {
      const { periodStart: start = null, periodEnd: end = null } = rows[0] ?? {}
      if (start === null || end === null) return []
      const amountsOf = (kinds: readonly string[]) =>
        rows.filter(({ kind }) => kinds.includes(kind)).map(({ cents }) => cents)
      const sum = (amounts: number[]) => amounts.reduce((all, cents) => all + cents, 0)
      const rents = amountsOf(['rent'])
      if (rents.length === 0 || isChargeReversed({ sum: sum(rents), least: Math.min(...rents) })) return []
      const tax = sum(amountsOf(['tax']))
      const remaining = sum(amountsOf([...chargeKinds, 'credit'])) - tax
      return remaining > 0 ? [{ start, end, remaining, tax: Math.max(tax, 0) }] : []
    })
    .sort((a, b) => (a.start < b.start ? 1 : -1))
}

/**
 * Returns the entries that credit a period, in part or whole. They are never negative rent, because a period whose rent
 * was credited whole would count as reversed, and billing would charge it again. Of the remaining tax,
 * the same share is credited as of the remaining amount.
 */
export function creditEntries(
  { start, end, remaining, tax }: CreditablePeriod,
  cents: Cents,
  once: string,
): EntryToWrite[] {
  const period = { start, end }
  const creditedTax = Math.round((tax * cents) / remaining)
  return [
    { kind: 'credit', cents: -cents, description: 'Credit', once: `${once}:credit`, period },
    ...(creditedTax > 0
      ? [{ kind: 'tax' as const, cents: -creditedTax, description: taxOnCredit, once: `${once}:tax`, period }]
      : []),
  ]
}

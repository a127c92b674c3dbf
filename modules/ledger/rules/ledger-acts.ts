/** Entries that staff members write to a ledger by hand. They never are rent, discount or insurance. */

import { type Cents, type TaxRate, taxOn } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { movedFrom, movedTo, taxOnCredit, waived } from '../../../domain/texts/office-ledger.ts'
import { chargeKinds, type Entry, isTakenBack } from './ledger.ts'

/** A stored ledger entry with its id and key. */
export interface StandingEntry extends Entry {
  id: string
  once: string
  description: string
}

/** An entry to write to a lease's ledger. */
export interface ActEntry {
  kind: 'fee' | 'tax' | 'credit'
  cents: Cents
  description: string
  /** Key that makes the entry unique within its lease, so that it is written only once. */
  once: string
  /**
   * Period that the entry belongs to. With `end` null, it is a single charge that counts for the day `start` instead of
   * its posting day.
   */
  period?: { start: IsoDate; end: IsoDate | null }
  /** Id of the entry that this one corrects. */
  corrects?: string
}

/** Returns the key of the tax on a single fee, such as 'late:2026-11-01:tax' or 'order:…:card_fee_tax'. */
export const taxKeyOf = (fee: string): string => (fee.endsWith(':fee') ? `${fee.slice(0, -4)}:tax` : `${fee}_tax`)

/** Returns the `once` key of the waiver of a fee. */
export const waiverKey = (feeId: string): string => `waive:${feeId}`

/** Returns whether an entry is a fee outside any period. Charges of a period are credited, not waived. */
export const isSingleFee = (entry: Pick<Entry, 'kind' | 'cents' | 'periodEnd'>): boolean =>
  entry.kind === 'fee' && entry.cents > 0 && entry.periodEnd === null

/**
 * Returns the entries that waive a single fee and its tax: the same amounts negated, on the fee's day, so that fee
 * revenue and tax come out net and the rent stays owed as rent.
 */
export function waiver(fee: StandingEntry, tax: StandingEntry | undefined): ActEntry[] {
  const period = { start: fee.periodStart ?? fee.postedOn, end: null }
  const once = waiverKey(fee.id)
  const against = (of: StandingEntry, kind: 'fee' | 'tax', key: string): ActEntry => ({
    kind,
    cents: -of.cents,
    description: waived(of.description),
    once: key,
    period,
    corrects: of.id,
  })
  const taxed = tax?.kind === 'tax' && tax.cents > 0 ? [against(tax, 'tax', taxKeyOf(once))] : []
  return [against(fee, 'fee', once), ...taxed]
}

/**
 * Returns the entries that charge a fee of the facility's list, with its tax.
 * @param once key of the form
 */
export function charge(fee: { description: string; amount: Cents }, rate: TaxRate, once: string): ActEntry[] {
  const key = `${once}:fee`
  const tax = taxOn(fee.amount, rate)
  return [
    { kind: 'fee', cents: fee.amount, description: fee.description, once: key },
    ...(tax > 0 ? [{ kind: 'tax' as const, cents: tax, description: 'Tax on fees', once: taxKeyOf(key) }] : []),
  ]
}

/** A period that can be credited, with the charged amount less earlier credits. */
export interface CreditablePeriod {
  start: IsoDate
  end: IsoDate
  /** Remaining amount before tax. */
  left: Cents
  tax: Cents
}

/** Returns the periods with an amount left to credit, newest first. Periods whose charge was reversed are left out. */
export function creditablePeriods(entries: readonly Entry[]): CreditablePeriod[] {
  const periods = Map.groupBy(
    entries.filter(({ periodStart, periodEnd }) => periodStart !== null && periodEnd !== null),
    ({ periodStart, periodEnd }) => `${periodStart}:${periodEnd}`,
  )
  return [...periods.values()]
    .flatMap((rows): CreditablePeriod[] => {
      const of = (kinds: readonly string[]) => rows.filter(({ kind }) => kinds.includes(kind)).map(({ cents }) => cents)
      const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0)
      const rents = of(['rent'])
      if (rents.length === 0 || isTakenBack({ sum: sum(rents), least: Math.min(...rents) })) return []
      const tax = sum(of(['tax']))
      const left = sum(of([...chargeKinds, 'credit'])) - tax
      const [{ periodStart, periodEnd }] = rows as [Entry]
      return left > 0 ? [{ start: periodStart as IsoDate, end: periodEnd as IsoDate, left, tax: Math.max(tax, 0) }] : []
    })
    .sort((a, b) => (a.start < b.start ? 1 : -1))
}

/**
 * Returns the entries that credit part of a period. It is a credit entry, never negative rent, which would make billing
 * charge the period again. The tax is credited in proportion to the remaining amount.
 */
export function credit({ start, end, left, tax }: CreditablePeriod, cents: Cents, once: string): ActEntry[] {
  const period = { start, end }
  const taxed = Math.round((tax * cents) / left)
  return [
    { kind: 'credit', cents: -cents, description: 'Credit', once: `${once}:credit`, period },
    ...(taxed > 0
      ? [{ kind: 'tax' as const, cents: -taxed, description: taxOnCredit, once: `${once}:tax`, period }]
      : []),
  ]
}

interface Side {
  balance: Cents
  unit: string
}

/** Returns the entries that move a debt, or a credit, from one lease to another. Together they sum to 0. */
export function moved(from: Side, to: Side, cents: Cents, once: string): { off: ActEntry[]; onto: ActEntry[] } {
  const off = from.balance > 0 ? -cents : cents
  return {
    off: [{ kind: 'credit', cents: off, description: movedTo(to.unit), once: `${once}:off` }],
    onto: [{ kind: 'credit', cents: -off, description: movedFrom(from.unit), once: `${once}:onto` }],
  }
}

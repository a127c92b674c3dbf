/** What staff write to a ledger, from what stands there. Nothing here is ever rent, discount or insurance. */

import { type Cents, type TaxRate, taxOn } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { movedFrom, movedTo, taxOnCredit, waived } from '../../../domain/texts/office-ledger.ts'
import { chargeKinds, type Entry, isTakenBack } from './ledger.ts'

/** An entry as it stands, with what names it. */
export interface StandingEntry extends Entry {
  id: string
  once: string
  description: string
}

export interface ActEntry {
  kind: 'fee' | 'tax' | 'credit'
  cents: Cents
  description: string
  /** What makes it one entry of its lease however often it is written. */
  once: string
  /** `end` null: a single charge that counts for another day than that of its posting. */
  period?: { start: IsoDate; end: IsoDate | null }
  /** Id of the entry that it corrects. */
  corrects?: string
}

/** The key of a single fee's own tax: 'late:2026-11-01:tax', 'order:…:card_fee_tax'. */
export const taxKeyOf = (fee: string): string => (fee.endsWith(':fee') ? `${fee.slice(0, -4)}:tax` : `${fee}_tax`)

export const waiverKey = (feeId: string): string => `waive:${feeId}`

/** Whether an entry is a fee that stands by itself; what belongs to a period is credited instead. */
export const isSingleFee = (entry: Pick<Entry, 'kind' | 'cents' | 'periodEnd'>): boolean =>
  entry.kind === 'fee' && entry.cents > 0 && entry.periodEnd === null

/**
 * Waives a single fee with its tax: the same sums negative, on the day of the fee, so that they fall into its group and the rent
 * stays owed as rent. Fee revenue and tax come out net by themselves.
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

/** A fee of the facility's list, with its tax. @param once names the act */
export function charge(fee: { description: string; amount: Cents }, rate: TaxRate, once: string): ActEntry[] {
  const key = `${once}:fee`
  const tax = taxOn(fee.amount, rate)
  return [
    { kind: 'fee', cents: fee.amount, description: fee.description, once: key },
    ...(tax > 0 ? [{ kind: 'tax' as const, cents: tax, description: 'Tax on fees', once: taxKeyOf(key) }] : []),
  ]
}

/** What of a period may be forgiven: all that was charged for it, less what was credited before. */
export interface CreditablePeriod {
  start: IsoDate
  end: IsoDate
  /** Before tax. */
  left: Cents
  tax: Cents
}

/** The periods that something is left of, the newest first; not one whose charge was taken back. */
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
 * Forgives a part of a period as a credit, never as negative rent: billing would charge the period again. The tax goes with it in
 * proportion to what is left, all of it with the last cent, under that period.
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

/** What is owed moves off one lease onto another; what stands to its credit likewise. Both sum to 0. */
export function moved(from: Side, to: Side, cents: Cents, once: string): { off: ActEntry[]; onto: ActEntry[] } {
  const off = from.balance > 0 ? -cents : cents
  return {
    off: [{ kind: 'credit', cents: off, description: movedTo(to.unit), once: `${once}:off` }],
    onto: [{ kind: 'credit', cents: -off, description: movedFrom(from.unit), once: `${once}:onto` }],
  }
}

/** A lease's balance and periods, from its entries alone (I4). */

import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { type Charged, paidThrough } from '../../billing/rules/billing.ts'

export interface Entry {
  kind: 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'
  cents: Cents
  /** Both null for what belongs to no period. */
  periodStart: IsoDate | null
  periodEnd: IsoDate | null
  postedOn: IsoDate
}

export const chargeKinds = ['rent', 'insurance', 'fee', 'tax', 'discount'] as const satisfies Entry['kind'][]

const isCharge = (entry: Entry) => (chargeKinds as readonly string[]).includes(entry.kind)

/** What is owed: the sum of all entries, in cents; negative is a credit. */
export const balance = (entries: readonly Pick<Entry, 'cents'>[]): Cents =>
  entries.reduce((sum, entry) => sum + entry.cents, 0)

/** What a period's rent entries come to: the sum, and the least of them; null where it has none. In cents. */
export interface PeriodRent {
  sum: Cents | null
  least: Cents | null
}

/** Whether a prepaid period's charge was reversed with its payment. A period free of rent never is: it looks the same. */
export const isTakenBack = ({ sum, least }: PeriodRent): boolean => sum === 0 && least !== null && least < 0

/** What was charged: each period's sum, and the single charges of each day; the oldest first, of one day the period first. */
export function charged(entries: readonly Entry[]): Charged[] {
  const sums = new Map<string, Charged>()
  const rents = new Map<string, { sum: Cents; least: Cents }>()
  for (const entry of entries) {
    if (!isCharge(entry)) continue
    const start = entry.periodStart ?? entry.postedOn
    const key = `${start}:${entry.periodEnd}`
    if (entry.kind === 'rent' && entry.periodEnd !== null) {
      const rent = rents.get(key)
      rents.set(key, {
        sum: (rent?.sum ?? 0) + entry.cents,
        least: Math.min(rent?.least ?? entry.cents, entry.cents),
      })
    }
    const known = sums.get(key)
    if (known) known.cents += entry.cents
    else sums.set(key, { start, end: entry.periodEnd, cents: entry.cents })
  }
  for (const [key, rent] of rents) if (isTakenBack(rent)) sums.delete(key)
  return inOrder([...sums.values()])
}

/** The end of the last charged period that is paid, the oldest first; null where no period was ever charged. */
export const paidThroughOf = (entries: readonly Entry[]): IsoDate | null =>
  paidThrough(charged(entries), balance(entries))

export interface Owed extends Charged {
  owed: Cents
}

/** What is owed of each period and each day's single charges, the oldest first; a refund counts to the oldest. */
export const owedByPeriod = (entries: readonly Entry[]): Owed[] => owedOf(charged(entries), balance(entries))

/** The same of what was charged, as summed already. @param owes the balance, in cents */
export function owedOf(all: readonly Charged[], owes: Cents): Owed[] {
  let left = Math.max(owes, 0)
  const rows = inOrder(all)
    .reverse()
    .map((one): Owed => {
      const owed = Math.min(left, Math.max(one.cents, 0))
      left -= owed
      return { ...one, owed }
    })
    .reverse()
  const [oldest] = rows
  if (oldest) oldest.owed += left
  return rows
}

/** The oldest first; of one day the period before its single charges. */
const inOrder = (all: readonly Charged[]): Charged[] =>
  [...all].sort((a, b) => (a.start === b.start ? (a.end === null ? 1 : -1) : a.start < b.start ? -1 : 1))

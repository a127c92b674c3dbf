/** A tenant changes to another unit of the same facility: what was paid for days that are not used goes along. */

import type { Cents } from '../../../domain/money.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { movedFrom, movedTo } from '../../../domain/texts/office-ledger.ts'
import { balance, charged, chargeKinds, type Entry, owedByPeriod } from '../../ledger/rules/ledger.ts'
import type { ActEntry } from '../../ledger/rules/ledger-acts.ts'
import { PERIOD_DAYS } from '../../pricing/rules/charges.ts'
import { daysNotUsed, type TransferBlock, taxOnDaysNotUsed } from '../texts/transfer.ts'

/** Both units are the tenant's for at most this many days. */
export const MOST_OVERLAP_DAYS = 14

export type PaidEntry = Entry & { description: string }

/** What of a period was paid for days after the lease's last one. */
export interface UnusedDays {
  /** The first and last day that are not used. */
  from: IsoDate
  to: IsoDate
  days: number
  cents: Cents
  /** Contained in `cents`. */
  tax: Cents
  /** The period as it was charged; null where it was charged before the lease was brought in. */
  period: { start: IsoDate; end: IsoDate } | null
}

interface Books {
  entries: readonly PaidEntry[]
  /** Whether a fee recurs with the lease: what is charged once is not given back. */
  recurs(fee: PaidEntry): boolean
  /** Of a lease that was brought in: its rent, and through which day it is paid for. */
  imported: { rent: Cents; paidThrough: IsoDate }
}

/** As `charges.ts` labels it; what takes a charge back is labelled alike. */
const taxOnFees = 'Tax on fees'

const sumOf = (entries: readonly PaidEntry[]): Cents => balance(entries)

/** For each period that goes on after `last`: cents paid × days ÷ 30, rounded down. The oldest first. */
export function unusedDays({ entries, recurs, imported }: Books, last: IsoDate): UnusedDays[] {
  const periods = charged(entries).filter((one) => one.end !== null)
  if (periods.length === 0) return unusedBefore(imported, last, balance(entries))
  const owed = owedByPeriod(entries)
  return periods.flatMap(({ start, end }): UnusedDays[] => {
    if (end === null || end <= last) return []
    const of = entries.filter((one) => one.periodStart === start && one.periodEnd === end)
    const { cents, tax } = recurringOf(of, recurs)
    const open = owed.find((one) => one.start === start && one.end === end)?.owed ?? 0
    const from = last < start ? start : addDays(last, 1)
    const days = daysBetween(from, end) + 1
    const paid = Math.max(cents - open, 0)
    const part = Math.floor((paid * days) / PERIOD_DAYS)
    if (part === 0) return []
    const taxed = Math.min(Math.max(Math.round((tax * part) / cents), 0), part)
    return [{ from, to: end, days, cents: part, tax: taxed, period: { start, end } }]
  })
}

/** What of a period comes again with each; what was forgiven of it is not paid. */
function recurringOf(of: readonly PaidEntry[], recurs: Books['recurs']): { cents: Cents; tax: Cents } {
  const some = (kinds: readonly Entry['kind'][]) => of.filter(({ kind }) => kinds.includes(kind))
  const fees = some(['fee'])
  const again = sumOf(fees.filter(recurs))
  const taxes = some(['tax'])
  const onFees = sumOf(taxes.filter(({ description }) => description === taxOnFees))
  const ofThose = sumOf(fees) === 0 ? 0 : Math.floor((onFees * again) / sumOf(fees))
  const tax = sumOf(taxes) - onFees + ofThose
  const kept = chargeKinds.filter((kind) => kind !== 'fee' && kind !== 'tax')
  return { cents: Math.max(sumOf(some([...kept, 'credit'])) + again + tax, 0), tax }
}

/** Days that were paid for where the lease was kept before: at its rent. */
function unusedBefore({ rent, paidThrough }: Books['imported'], last: IsoDate, owes: Cents): UnusedDays[] {
  const days = daysBetween(last, paidThrough)
  const cents = Math.floor((rent * days) / PERIOD_DAYS)
  return owes > 0 || days <= 0 || cents === 0
    ? []
    : [{ from: addDays(last, 1), to: paidThrough, days, cents, tax: 0, period: null }]
}

export interface TransferWritten {
  old: ActEntry[]
  new: ActEntry[]
  /** What went over. */
  cents: Cents
}

/**
 * The days that are not used are forgiven on the old lease with their tax, and what was paid for them moves: `credit` + on the
 * old and − on the new, which come to 0. What else stands to the old lease's credit goes along; what it owes stays.
 * @param once names the transfer
 */
export function transferEntries(
  unused: readonly UnusedDays[],
  old: { from: string; to: string; balance: Cents },
  once: string,
): TransferWritten {
  const cents = unused.reduce((sum, one) => sum + one.cents, 0) + Math.max(-old.balance, 0)
  if (cents === 0) return { old: [], new: [], cents }
  const forgiven = unused.flatMap(({ from, to, cents: part, tax, period }): ActEntry[] => {
    const of = period ? { period } : {}
    const net = part - tax
    return [
      ...(net > 0
        ? [{ kind: 'credit' as const, cents: -net, description: daysNotUsed(from, to), once: `${once}:${from}`, ...of }]
        : []),
      ...(tax > 0
        ? [{ kind: 'tax' as const, cents: -tax, description: taxOnDaysNotUsed, once: `${once}:${from}:tax`, ...of }]
        : []),
    ]
  })
  return {
    old: [...forgiven, { kind: 'credit', cents, description: movedTo(old.to), once: `${once}:off` }],
    new: [{ kind: 'credit', cents: -cents, description: movedFrom(old.from), once: `${once}:onto` }],
    cents,
  }
}

/** The new lease begins on the day that was asked for, or on the day it is signed where that is later. */
export const transferStart = (asked: IsoDate, today: IsoDate): IsoDate => (asked > today ? asked : today)

export interface TransferFacts {
  closed: boolean
  sold: boolean
  auction: boolean
  /** A lien case of it is not over. */
  lien: boolean
  open: 'offered' | 'moving' | null
  leaving: boolean
  unsigned: boolean
  paying: boolean
  /** In cents; above 0 is owed. */
  balance: Cents
  /** A manager may where dues are open; they stay on the old lease. */
  mayOwing: boolean
  barred: boolean
}

export function transferBlock(of: TransferFacts): TransferBlock | null {
  if (of.closed) return 'closed'
  if (of.sold) return 'sold'
  if (of.auction) return 'auction'
  if (of.lien) return 'lien'
  if (of.open) return of.open
  if (of.leaving) return 'leaving'
  if (of.unsigned) return 'unsigned'
  if (of.paying) return 'money_on_its_way'
  if (of.balance > 0 && !of.mayOwing) return 'owing'
  return of.barred ? 'do_not_rent' : null
}

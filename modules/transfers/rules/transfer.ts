/** Transfers to another unit of the facility. Money paid for unused days and other credit move to the new lease. */

import type { Cents } from '../../../domain/money.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { movedFrom, movedTo, taxOnFees } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { balance, chargeKinds, chargesByPeriod, type Entry, unpaidByPeriod } from '../../ledger/rules/ledger.ts'
import type { EntryToWrite } from '../../ledger/rules/stored-and-new-ledger-entries.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'
import { daysNotUsed, type TransferBlock, taxOnDaysNotUsed } from '../texts/transfer.ts'

/** Maximum number of days from the new lease's first day to the old lease's last day. */
export const MAX_OVERLAP_DAYS = 14

export type PaidEntry = Entry & { description: string }

/** Paid days of one period that come after the lease's last day, and what was paid for them. */
export interface UnusedDays {
  /** First unused day. */
  from: IsoDate
  /** Last unused day. */
  to: IsoDate
  days: number
  /** Amount paid for these days, in cents. */
  cents: Cents
  /** Tax included in `cents`. */
  tax: Cents
  /** The charged period; null when it was charged before the lease was imported. */
  period: { start: IsoDate; end: IsoDate } | null
}

interface OldLeaseLedger {
  entries: readonly PaidEntry[]
  /** Returns whether a fee recurs with each period. One-time fees are not credited. */
  recurs(fee: PaidEntry): boolean
  /** Rent and paid-through date of an imported lease; null for one that began here. */
  imported: { rent: Cents; paidThrough: IsoDate } | null
}

const sumOf = (entries: readonly PaidEntry[]): Cents => balance(entries)

/**
 * Returns the unused paid part of each period that ends after `last`: paid cents × days ÷ 30, rounded down. One-time
 * fees do not count as paid. Oldest first, beginning with the days that were paid before an import.
 */
export function unusedDays({ entries, recurs, imported }: OldLeaseLedger, last: IsoDate): UnusedDays[] {
  const periods = chargesByPeriod(entries).filter((period) => period.end !== null)
  const owed = unpaidByPeriod(entries)
  const ofPeriods = periods.flatMap(({ start, end }): UnusedDays[] => {
    if (end === null || end <= last) return []
    const periodEntries = entries.filter((entry) => entry.periodStart === start && entry.periodEnd === end)
    const { cents, tax } = recurringOf(periodEntries, recurs)
    const unpaid = owed.find((period) => period.start === start && period.end === end)?.owed ?? 0
    const from = last < start ? start : addDays(last, 1)
    const days = daysBetween(from, end) + 1
    const paid = Math.max(cents - unpaid, 0)
    const part = Math.floor((paid * days) / PERIOD_DAYS)
    if (part === 0) return []
    const taxed = Math.min(Math.max(Math.round((tax * part) / cents), 0), part)
    return [{ from, to: end, days, cents: part, tax: taxed, period: { start, end } }]
  })
  return [...unusedImportedDays(imported, entries, last), ...ofPeriods]
}

/** Returns the sum of a period's recurring charges, tax included, less credits; and the tax in it. */
function recurringOf(
  periodEntries: readonly PaidEntry[],
  recurs: OldLeaseLedger['recurs'],
): { cents: Cents; tax: Cents } {
  const ofKinds = (kinds: readonly Entry['kind'][]) => periodEntries.filter(({ kind }) => kinds.includes(kind))
  const fees = ofKinds(['fee'])
  const recurringFees = sumOf(fees.filter(recurs))
  const taxes = ofKinds(['tax'])
  const taxOfFees = sumOf(taxes.filter(({ description }) => description === taxOnFees))
  const taxOfRecurringFees = sumOf(fees) === 0 ? 0 : Math.floor((taxOfFees * recurringFees) / sumOf(fees))
  const tax = sumOf(taxes) - taxOfFees + taxOfRecurringFees
  const otherKinds = chargeKinds.filter((kind) => kind !== 'fee' && kind !== 'tax')
  return { cents: Math.max(sumOf(ofKinds([...otherKinds, 'credit'])) + recurringFees + tax, 0), tax }
}

/**
 * Returns the unused days of an imported lease that were paid before the import, at its rent: those before its first
 * charged period, or without one, those through its paid-through date. None if the lease owes anything, since only paid
 * days move (docs/decisions/transfers.md).
 */
function unusedImportedDays(
  imported: OldLeaseLedger['imported'],
  entries: readonly PaidEntry[],
  last: IsoDate,
): UnusedDays[] {
  if (!imported || balance(entries) > 0) return []
  const [firstStart] = entries.flatMap(({ periodStart }) => periodStart ?? []).sort()
  const to = firstStart === undefined ? imported.paidThrough : addDays(firstStart, -1)
  const days = daysBetween(last, to)
  const cents = Math.floor((imported.rent * days) / PERIOD_DAYS)
  return days <= 0 || cents === 0 ? [] : [{ from: addDays(last, 1), to, days, cents, tax: 0, period: null }]
}

/** Ledger entries of a finished transfer on both leases. */
export interface TransferEntries {
  old: EntryToWrite[]
  new: EntryToWrite[]
  /** Amount moved to the new lease, in cents. */
  cents: Cents
}

/**
 * Returns the entries of a transfer. They credit unused days and their tax on the old lease and move the money paid for
 * them, and any other credit, to the new one. A debt stays on the old lease.
 * @param old unit numbers of the old (`from`) and the new lease (`to`), and the old lease's balance in cents
 * @param once prefix of the entries' `once` keys, one for each transfer
 */
export function transferEntries(
  unused: readonly UnusedDays[],
  old: { from: string; to: string; balance: Cents },
  once: string,
): TransferEntries {
  const cents = unused.reduce((sum, part) => sum + part.cents, 0) + Math.max(-old.balance, 0)
  if (cents === 0) return { old: [], new: [], cents }
  const credits = unused.flatMap(({ from, to, cents: part, tax, period }): EntryToWrite[] => {
    const entryPeriod = period ? { period } : {}
    const net = part - tax
    return [
      ...(net > 0
        ? [
            {
              kind: 'credit' as const,
              cents: -net,
              description: daysNotUsed(from, to),
              once: `${once}:${from}`,
              ...entryPeriod,
            },
          ]
        : []),
      ...(tax > 0
        ? [
            {
              kind: 'tax' as const,
              cents: -tax,
              description: taxOnDaysNotUsed,
              once: `${once}:${from}:tax`,
              ...entryPeriod,
            },
          ]
        : []),
    ]
  })
  return {
    old: [...credits, { kind: 'credit', cents, description: movedTo(old.to), once: `${once}:off` }],
    new: [{ kind: 'credit', cents: -cents, description: movedFrom(old.from), once: `${once}:onto` }],
    cents,
  }
}

/** Returns the first day of the new lease of a transfer: the requested day, or today if that is later. */
export const transferStart = (requested: IsoDate, today: IsoDate): IsoDate => (requested > today ? requested : today)

/** Facts that decide whether a lease can be transferred. */
export interface TransferEligibilityFacts {
  closed: boolean
  /** Whether the unit was sold at auction and the winner has paid. */
  sold: boolean
  /** Whether the unit is being prepared for auction. */
  auction: boolean
  /** Whether the lease has a lien case that is open, or sold and not yet paid by the winner. */
  lien: boolean
  /** State of the open transfer out of the lease; null without one. */
  open: 'offered' | 'moving' | null
  /** Whether a move-out is scheduled. */
  leaving: boolean
  /** Whether new terms wait for the tenant's signature. */
  unsigned: boolean
  /** Whether a payment for the lease is pending. */
  paying: boolean
  /** Balance in cents; above 0 is a debt. */
  balance: Cents
  /** Whether the caller may transfer a lease with a balance due. The balance stays on the old lease. */
  mayTransferWithBalance: boolean
  /** Whether the tenant is flagged 'do not rent'. */
  isDoNotRent: boolean
}

/** Returns the first reason why a lease cannot be transferred; null when it can. */
export function transferBlock(facts: TransferEligibilityFacts): TransferBlock | null {
  if (facts.closed) return 'closed'
  if (facts.sold) return 'sold'
  if (facts.auction) return 'auction'
  if (facts.lien) return 'lien'
  if (facts.open) return facts.open
  if (facts.leaving) return 'leaving'
  if (facts.unsigned) return 'unsigned'
  if (facts.paying) return 'money_on_its_way'
  if (facts.balance > 0 && !facts.mayTransferWithBalance) return 'owing'
  return facts.isDoNotRent ? 'do_not_rent' : null
}

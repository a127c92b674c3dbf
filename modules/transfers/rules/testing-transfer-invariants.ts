/** Invariants of transferring a lease at any point of its history, for property tests. */

import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { balance, chargesByPeriod, unpaidByPeriod } from '../../ledger/rules/ledger.ts'
import type { EntryToWrite, StoredEntry } from '../../ledger/rules/stored-and-new-ledger-entries.ts'
import { transferEntries, type UnusedDays, unusedDays } from './transfer.ts'

const periodsOf = (entries: readonly StoredEntry[]) => chargesByPeriod(entries).filter(({ end }) => end !== null)

function toStoredEntry(entry: EntryToWrite, at: number): StoredEntry {
  return {
    id: `transfer ${at}`,
    once: entry.once,
    description: entry.description,
    kind: entry.kind,
    cents: entry.cents,
    periodStart: entry.period?.start ?? null,
    periodEnd: entry.period?.end ?? null,
    postedOn: '2026-11-20',
  }
}

function checkPart(entries: readonly StoredEntry[], last: IsoDate, unused: UnusedDays) {
  const { days, cents, tax, period, from, to } = unused
  const isSamePeriod = (other: { start: IsoDate; end: IsoDate | null }) =>
    other.start === period?.start && other.end === period.end
  if (days < 1 || daysBetween(from, to) !== days - 1 || from <= last) throw new Error('other days')
  if (period === null) return
  if (days > 30) throw new Error('more days than a period has')
  const charged = chargesByPeriod(entries).find(isSamePeriod)?.cents ?? 0
  const unpaid = unpaidByPeriod(entries).find(isSamePeriod)?.owed ?? 0
  if (cents > charged - unpaid) throw new Error('more went over than was paid')
  if (tax < 0 || tax > cents) throw new Error('the tax is more than it all')
}

/**
 * Computes a transfer's entries and checks their invariants.
 * @param ahead days from today to the lease's last day
 * @throws Error naming the broken invariant
 */
export function checkTransferInvariants(entries: readonly StoredEntry[], today: IsoDate, ahead: number): void {
  const last = addDays(today, ahead)
  const recurs = ({ description }: { description: string }) => description === 'Shore Power'
  const owed = balance(entries)
  const unused = unusedDays({ entries, recurs, imported: { rent: 100_00, paidThrough: today } }, last)
  const written = transferEntries(unused, { from: 'A1', to: 'B2', balance: owed }, 'transfer:1')
  for (const part of unused) checkPart(entries, last, part)
  if ([...written.old, ...written.new].some(({ kind }) => kind !== 'credit' && kind !== 'tax'))
    throw new Error('rent, discount or insurance was written')
  // A credit moves to the new lease; a debt stays.
  if (owed + balance(written.old) !== Math.max(owed, 0)) throw new Error('the old lease owes something else')
  if (balance(written.new) + written.cents !== 0) throw new Error('the new lease got something else')
  const pair = [...written.old, ...written.new].filter(({ once }) => /:(off|onto)$/.test(once))
  if (balance(pair) !== 0) throw new Error('what went over does not come to 0')
  if (new Set(written.old.map(({ once }) => once)).size !== written.old.length) throw new Error('a key twice')
  const after = periodsOf([...entries, ...written.old.map(toStoredEntry)])
  // Billing charges no period again: the same periods count as charged, none with a negative sum.
  if (
    after.map(({ start }) => start).join() !==
    periodsOf(entries)
      .map(({ start }) => start)
      .join()
  )
    throw new Error('the periods are others')
  if (after.some(({ cents }) => cents < 0)) throw new Error('a period is worth less than nothing')
}

/** Invariants that every step of a random ledger history must keep. */

import { daysBetween, type IsoDate } from '../../../../domain/plain-date.ts'
import { computeStanding } from '../../../standing/rules/lease-status.ts'
import { OVERLOCK_AFTER_DAYS } from '../../../standing/rules/overlock-day.ts'
import { balance, unpaidByPeriod } from '../ledger.ts'
import type { StoredEntry } from '../stored-and-new-ledger-entries.ts'
import { waiverKey } from '../waiver.ts'
import { expectThat, type Ledger } from './ledger.ts'
import type { BilledLease } from './simulated-lease.ts'
import type { History } from './simulated-tenant-history.ts'

const isStaffEntry = ({ once }: StoredEntry) => /^(staff|waive|refund|surplus|transfer):|:returned:/.test(once)
const isMoved = ({ once }: StoredEntry) => once.endsWith(':off') || once.endsWith(':onto')
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/**
 * Checks that each ledger has the money of its payments and receipts that were not reversed, less their refunds and a
 * surplus paid out, and that moved balances sum to 0.
 */
function checkMoney({ leases, ledgers, payments, receipts }: History) {
  for (const { order, captured, refunded } of payments)
    expectThat(refunded <= captured && refunded >= 0, `${order}: ${refunded} of ${captured} given back`)
  const moneyKinds = ['payment', 'refund', 'reversal']
  for (const ledger of ledgers) {
    const money = -balance(ledger.entries.filter(({ kind }) => moneyKinds.includes(kind)))
    const paymentsKept = payments.map((payment) =>
      payment.returned || payment.ledger !== ledger ? 0 : payment.captured - payment.refunded,
    )
    const inDrawer = receipts
      .filter(({ state }) => state !== 'ended')
      .flatMap(({ shares }) => shares.map((share) => (share.ledger === ledger ? share.cents : 0)))
    const surplus = leases.find((lease) => lease.ledger === ledger)?.surplus ?? { held: 0, paid: 0 }
    expectThat(surplus.paid >= 0 && surplus.paid <= surplus.held, 'more of a surplus is paid out than was held')
    expectThat(
      money === total(paymentsKept) + total(inDrawer) - surplus.paid,
      'a ledger has other money than came to it',
    )
  }
  const movedInAll = ledgers.flatMap(({ entries }) => entries).filter(isMoved)
  expectThat(balance(movedInAll) === 0, 'what was moved does not come to 0')
}

/**
 * Checks that an entry is whole cents, that staff wrote no rent, discount or insurance, and that a waiver is the negated
 * amount of its fee.
 */
function checkEntry(entry: StoredEntry, entries: readonly StoredEntry[]) {
  if (!Number.isSafeInteger(entry.cents)) throw new Error('not whole cents')
  if (isStaffEntry(entry) && !['fee', 'tax', 'credit', 'refund'].includes(entry.kind))
    throw new Error('staff wrote rent, discount or insurance')
  if (entry.kind !== 'fee' || !entry.once.startsWith('waive:')) return
  const fee = entries.find(({ id }) => waiverKey(id) === entry.once)
  if (!fee || -entry.cents !== fee.cents) throw new Error('a waiver is not what its fee was')
}

/**
 * Checks a test ledger: each entry is valid, each period is charged once, and only a reversal offsets a period's rent.
 * @throws Error naming the broken rule
 */
function checkCharges({ entries, periods, now, has }: Ledger, first: IsoDate) {
  for (const entry of entries) checkEntry(entry, entries)
  const rents = Map.groupBy(
    entries.filter(({ kind, periodEnd }) => kind === 'rent' && periodEnd !== null),
    ({ periodStart }) => periodStart,
  )
  periods.forEach(({ start }, at) => {
    if (daysBetween(first, start) !== 30 * at) throw new Error(`period ${at} begins on ${start}`)
    const rentEntries = rents.get(start) ?? []
    const times = total(rentEntries.map((entry) => Math.sign(entry.cents)))
    if (rentEntries.some((entry) => entry.cents !== 0) && times !== 1)
      throw new Error(`${start} is charged ${times} times`)
  })
  for (const [start, rentEntries] of rents)
    if (rentEntries.filter(({ once }) => !once.includes(':back:')).some((entry) => entry.cents < 0))
      throw new Error(`${start} was freed by hand`)
  if (now.charged.some(({ cents }) => cents < 0)) throw new Error('a waiver fell into a day of its own')
  if (has('')) throw new Error('an entry without a key')
}

/** Checks that the unpaid parts add up to the balance due, and that lien case, status and overlock fit the ledger. */
function checkStanding({ ledger, lien }: BilledLease, today: IsoDate) {
  const { balance: owed, paidThrough } = ledger.now
  expectThat(lien !== 'open' || owed > 0, 'a lien case goes on though nothing is owed')
  const rows = unpaidByPeriod(ledger.entries)
  expectThat(
    rows.length === 0 || total(rows.map((row) => row.owed)) === Math.max(owed, 0),
    'the parts do not come to the balance',
  )
  if (paidThrough === null) return
  const leaseFacts = { auctionPrepped: false, activeMilitary: false, balance: owed, paidThrough, autopayToCome: false }
  const now = computeStanding(leaseFacts, today, null)
  const late = owed > 0 && daysBetween(paidThrough, today) > OVERLOCK_AFTER_DAYS
  expectThat(now.overlocked === late, 'overlock')
  expectThat((now.status === 'Past Due') === owed > 0, 'status')
}

/** Returns a copy of the entries of each ledger, so that a test can compare them after the next step. */
export const entriesSoFar = ({ ledgers }: History): ReadonlyMap<Ledger, readonly StoredEntry[]> =>
  new Map(ledgers.map((ledger) => [ledger, [...ledger.entries]]))

/**
 * Checks all ledger invariants of a test's history after a step.
 * @param before result of `entriesSoFar` before the step
 */
export function check(history: History, before: ReturnType<typeof entriesSoFar>) {
  for (const [{ entries }, entriesBefore] of before)
    expectThat(
      entriesBefore.every((entry, at) => entries[at] === entry),
      'an entry was changed or removed',
    )
  checkMoney(history)
  for (const lease of history.leases) {
    checkCharges(lease.ledger, lease.first)
    checkStanding(lease, history.today)
  }
}

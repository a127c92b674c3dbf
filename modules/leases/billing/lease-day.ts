/**
 * The daily billing run (CLARIFICATIONS "Money and time"; RELIABILITY 16, 18, 35): every lease whose charged period is used up
 * is charged for the next one, of exactly 30 days; paid-through, status, auction flag and overlock follow; move-outs whose day
 * is over are done; mails about what is due are written. It can be run for any date, twice, by two at a time, or be
 * interrupted: how far it came stands in the transaction that did the work, and each charge and each mail is there once.
 */
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import {
  LATE_FEE_AFTER_DAYS,
  PAST_DUE_MAIL_AFTER_DAYS,
  paidThrough,
  periodsDue,
  periodsTurning,
  policyMailDue,
  standing,
} from '../../../domain/billing.ts'
import { periodCharges } from '../../../domain/charges.ts'
import { type Cents, taxOn } from '../../../domain/money.ts'
import { paymentBlock } from '../../../domain/payability.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { enqueueAll, type NewJob } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { lateFeeOf } from '../../facilities/facts.ts'
import { hasAutopayTryLeft } from '../autopay-mandate.ts'
import { ownPolicyOf } from '../insurance/own-policy.ts'
import { addEntriesOf, type NewEntry, periodEntry } from '../ledger/entries.ts'
import { leasePeriod } from '../ledger/period-price.ts'
import { type ReversedPeriods, reversedPeriods } from '../ledger/reversals.ts'
import { updateStanding } from '../ledger/standing.ts'
import { lastChargedDay } from '../ledger/totals.ts'
import { completeMoveOut } from '../move-outs/complete.ts'
import { type Day, nextLeases, type Row } from './next-leases.ts'

export interface Billed {
  /** Facilities whose day came to its end in this run. */
  facilities: number
  /** Leases looked at. */
  leases: number
  /** Periods that were charged. */
  periods: number
  /** Entries that were written. */
  entries: number
  movedOut: number
  /** Mails that were written. */
  mails: number
}

/** After each of these a test ends the process; the first is inside the transaction. */
export type BillingPoint = 'batch written' | 'batch done' | 'leases done'

export type BillingCrash = (point: BillingPoint) => void

interface Books {
  balance: Cents
  /** null where no period was ever charged here. */
  chargedThrough: IsoDate | null
  /** Periods that the bank took back before they began are charged again. */
  takenBack?: ReversedPeriods
}

/** Balances and last charged days of a stretch of leases: two walks along indexes. */
async function ledgerTotals(tx: Kysely<Tables>, rows: readonly Row[]): Promise<Map<number, Books>> {
  const books = new Map<number, Books>(
    rows.map((row) => [row.lease_number, { balance: 0, chargedThrough: null } as Books]),
  )
  const stretch = () =>
    tx
      .selectFrom('ledger_entries')
      .select('lease_number')
      .where('location_code', '=', rows[0]?.location_code ?? '')
      .where('lease_number', '>=', rows[0]?.lease_number ?? 0)
      .where('lease_number', '<=', rows.at(-1)?.lease_number ?? 0)
      .groupBy('lease_number')
  const sums = await stretch()
    .select((eb) => eb.fn.sum<number>('cents').as('cents'))
    .execute()
  for (const { lease_number, cents } of sums) {
    const book = books.get(lease_number)
    if (book) book.balance = Number(cents)
  }
  const ends = await stretch()
    // Written out, not a parameter: the index is of no use otherwise.
    .where(sql<SqlBool>`kind = 'rent'`)
    .where('period_end', 'is not', null)
    .select((eb) => eb.fn.max('period_end').as('end'))
    .execute()
  for (const { lease_number, end } of ends) {
    const book = books.get(lease_number)
    if (book) book.chargedThrough = end
  }
  const [from, to] = [rows[0]?.lease_number ?? 0, rows.at(-1)?.lease_number ?? 0]
  const takenBack = await reversedPeriods(tx, { locationCode: rows[0]?.location_code ?? '', from, to })
  for (const row of rows) {
    const [book, periods] = [books.get(row.lease_number), takenBack.get(row.lease_number)]
    if (!book || !periods) continue
    book.takenBack = periods
    book.chargedThrough = await lastChargedDay(tx, row)
  }
  return books
}

/**
 * The next leases of the day, with how far it came, in the caller's transaction.
 * @returns null where the day is done; no leases where none is left
 */
export async function billBatch(
  tx: Kysely<Tables>,
  services: Services,
  day: Day,
  most: number,
  crash: BillingCrash,
): Promise<Omit<Billed, 'facilities'> | null> {
  const rows = await nextLeases(tx, day, most)
  if (rows === null) return null
  const done = { leases: rows.length, periods: 0, entries: 0, movedOut: 0, mails: 0 }
  const last = rows.at(-1)
  if (!last) return done
  const { location_code } = last
  const books = await ledgerTotals(tx, rows)
  const fees = Map.groupBy(
    await tx
      .selectFrom('lease_fees')
      .selectAll()
      .where('location_code', '=', location_code)
      .where('lease_number', '>=', rows[0]?.lease_number ?? 0)
      .where('lease_number', '<=', last.lease_number)
      .orderBy('fee_id')
      .execute(),
    (fee) => fee.lease_number,
  )
  const entries: NewEntry[] = []
  const mails: NewJob[] = []
  const ending: Row[] = []
  /** Leases whose paid-through must be asked of the whole ledger. */
  const unsure: Row[] = []
  const changes = new Map<string, { set: LeaseChange; numbers: number[] }>()
  for (const row of rows) {
    const book = books.get(row.lease_number) as Books
    const billed = billLease(day, row, book, fees.get(row.lease_number) ?? [])
    entries.push(...billed.entries)
    done.periods += billed.periods
    if (row.scheduled_move_out !== null && row.scheduled_move_out < day.date) ending.push(row)
    if (billed.unsure) unsure.push(row)
    else if (billed.change) {
      const key = JSON.stringify(billed.change)
      const same = changes.get(key)
      if (same) same.numbers.push(row.lease_number)
      else changes.set(key, { set: billed.change, numbers: [row.lease_number] })
    }
    for (const mail of billed.mails) mails.push(mailJob(services, row, mail))
  }
  done.entries = await addEntriesOf(tx, services, location_code, day.date, entries)
  for (const { set, numbers } of changes.values()) {
    await tx
      .updateTable('leases')
      .set(set)
      .where('location_code', '=', location_code)
      .where('lease_number', 'in', numbers)
      .execute()
  }
  // An entry that was there already belies what was reckoned here; the ledger knows.
  const asked = { asOf: day.asOf, auctionAfterDays: day.facts.location.auction_after_days }
  for (const row of done.entries < entries.length ? rows : unsure) await updateStanding(tx, services, row, asked)
  for (const row of ending) {
    if (await completeMoveOut(tx, services, row, row.scheduled_move_out as IsoDate)) done.movedOut += 1
  }
  done.mails = await enqueueAll(tx, mails)
  await tx
    .updateTable('billing_runs')
    .set((eb) => ({
      done_through: last.lease_number,
      leases: eb('leases', '+', done.leases),
      entries: eb('entries', '+', done.entries),
    }))
    .where('location_code', '=', location_code)
    .where('run_date', '=', day.date)
    .execute()
  crash('batch written')
  return done
}

type LeaseChange = Partial<Pick<Selectable<LeasesTable>, 'paid_through' | 'status' | 'auction_prepped' | 'overlocked'>>

interface BilledLease {
  entries: NewEntry[]
  periods: number
  /** What of the lease's row is another now; null where nothing is. */
  change: LeaseChange | null
  unsure: boolean
  mails: LeaseMail[]
}

type LeaseMail =
  | { kind: 'payment_due' | 'past_due'; periodStart: IsoDate }
  | { kind: `own_insurance_${'ending' | 'ended' | 'ended_office'}`; expires: IsoDate }

/** What a day makes of a lease: pure, from the facility's facts, the lease, its books and its recurring fees. */
function billLease(day: Day, row: Row, book: Books, fees: Selectable<Tables['lease_fees']>[]): BilledLease {
  const { facts, date, asOf } = day
  // A lease that was brought in without its history is charged from where it was paid through.
  let chargedThrough = book.chargedThrough ?? row.paid_through
  const starts = periodsDue(chargedThrough, date, row.scheduled_move_out)
  const closing = row.scheduled_move_out !== null && row.scheduled_move_out < date
  const entries: NewEntry[] = []
  const charged: { start: IsoDate; end: IsoDate; cents: Cents }[] = []
  for (const start of starts) {
    const period = periodCharges({ ...leasePeriod(facts, row, fees, null), periodStart: start })
    const days = { start: period.periodStart, end: period.periodEnd }
    for (const line of period.lines)
      entries.push({
        leaseNumber: row.lease_number,
        ...periodEntry(line, start, book.takenBack?.get(start)),
        period: days,
      })
    charged.push({ ...days, cents: period.total })
    chargedThrough = period.periodEnd
  }
  let balance = book.balance + charged.reduce((sum, period) => sum + period.cents, 0)
  // Dues from before are paid first, so new periods are paid by a credit only.
  let paid = row.paid_through
  if (book.balance <= 0 && charged.length > 0) paid = paidThrough(charged, balance) ?? paid
  // Of days that were missed, a charge written later than they began may count after them.
  const unsure = book.balance < 0 && balance > 0 && (charged[0]?.start ?? date) < date

  const now = standing(
    {
      auctionPrepped: row.auction_prepped === 1,
      activeMilitary: row.activeMilitary,
      balance,
      paidThrough: paid,
      autopayToCome: hasAutopayTryLeft(row, paid),
    },
    asOf,
    facts.location.auction_after_days,
  )
  // Who owes nothing gets no late fee, and a late fee is no reason of its own for being late: the standing is that of before.
  if (!closing && !now.charging) {
    for (const start of periodsTurning(
      LATE_FEE_AFTER_DAYS,
      { paidThrough: paid, chargedThrough },
      day.lateSince,
      date,
    )) {
      const fee = balance > 0 ? lateFeeOf(facts, row.unit_type_id) : null
      if (!fee) continue
      const tax = taxOn(fee.amount, facts.location.fee_tax_rate)
      const late = { leaseNumber: row.lease_number }
      entries.push({ ...late, kind: 'fee', cents: fee.amount, description: fee.description, once: `late:${start}:fee` })
      if (tax > 0)
        entries.push({ ...late, kind: 'tax', cents: tax, description: 'Tax on fees', once: `late:${start}:tax` })
      balance += fee.amount + tax
    }
  }

  const change: LeaseChange = {}
  if (paid !== row.paid_through) change.paid_through = paid
  if (now.status !== row.status) change.status = now.status
  if (now.auctionPrepped !== (row.auction_prepped === 1)) change.auction_prepped = now.auctionPrepped ? 1 : 0
  if (now.overlocked !== (row.overlocked === 1)) change.overlocked = now.overlocked ? 1 : 0

  const mails: BilledLease['mails'] = []
  // Autopay has mails of its own; who cannot pay online is not asked to.
  const told =
    balance > 0 &&
    !closing &&
    row.autopay === 0 &&
    paymentBlock({ auctionPrepped: now.auctionPrepped, paidThrough: paid }, date) === null
  const newest = charged.at(-1)
  if (told && newest && newest.end > paid) mails.push({ kind: 'payment_due', periodStart: newest.start })
  const unpaid = addDays(paid, 1)
  if (
    told &&
    periodsTurning(PAST_DUE_MAIL_AFTER_DAYS, { paidThrough: paid, chargedThrough: unpaid }, day.since, date).length > 0
  )
    mails.push({ kind: 'past_due', periodStart: unpaid })
  const expires = closing ? undefined : ownPolicyOf(row)?.expires
  const turn = expires === undefined ? null : policyMailDue(expires, day.since, date)
  if (expires !== undefined && turn !== null) {
    mails.push({ kind: `own_insurance_${turn}`, expires })
    if (turn === 'ended') mails.push({ kind: 'own_insurance_ended_office', expires })
  }
  return {
    entries,
    periods: charged.length,
    change: Object.keys(change).length > 0 ? change : null,
    unsure,
    mails,
  }
}

function mailJob(services: Services, row: Row, mail: LeaseMail): NewJob {
  const { location_code: locationCode, lease_number: leaseNumber } = row
  const of = { locationCode, leaseNumber }
  const once = (day: IsoDate) => ({ once: `${locationCode}:${leaseNumber}:${day}`, runAt: services.clock.now() })
  return 'expires' in mail
    ? { kind: mail.kind, payload: { ...of, expires: mail.expires }, ...once(mail.expires) }
    : { kind: mail.kind, payload: { ...of, periodStart: mail.periodStart }, ...once(mail.periodStart) }
}

/** A lease of any history with every act of staff in it, and what must hold after each: pure, so that a million can be run. */
import * as fc from 'fast-check'
import { OVERLOCK_AFTER_DAYS, periodsDue, standing } from '../billing.ts'
import { periodCharges } from '../charges.ts'
import { balance, charged, owedByPeriod, paidThroughOf } from '../ledger.ts'
import { addDays, daysBetween, type IsoDate } from '../plain-date.ts'
import { refundRefusal } from '../refund.ts'
import {
  type ActEntry,
  charge,
  credit,
  creditablePeriods,
  isSingleFee,
  moved,
  type StandingEntry,
  taxKeyOf,
  waiver,
  waiverKey,
} from './ledger-acts.ts'
import { NOTICE_DAYS, notBefore } from './rent-change.ts'

const first: IsoDate = '2026-11-20'
const lateFee = { description: 'Late Fee', amount: 20_00 }
const returnedFee = { description: 'Returned Payment Fee', amount: 30_00 }

const which = fc.nat()
const part = fc.integer({ min: 1, max: 100 })
const cents = fc.integer({ min: 1, max: 90_00 })
const does = <Name extends string, More extends object>(
  weight: number,
  name: Name,
  more: { [Field in keyof More]: fc.Arbitrary<More[Field]> },
) => ({
  weight,
  arbitrary: fc.record(more).map((of) => ({ does: name, ...(of as More) })),
})

export const step = fc.oneof(
  does(5, 'wait', { days: fc.integer({ min: 1, max: 40 }) }),
  does(2, 'pay', { part, byBank: fc.boolean() }),
  does(1, 'pay ahead', { periods: fc.integer({ min: 1, max: 3 }) }),
  does(1, 'bank takes back', { which }),
  does(2, 'charge', { cents }),
  does(2, 'waive', { which }),
  does(2, 'credit', { which, part }),
  does(1, 'move', { part }),
  does(2, 'receive', { part, more: fc.boolean(), both: fc.boolean() }),
  does(1, 'void', { which }),
  does(1, 'close the drawer', {}),
  does(1, 'return', { which, fee: fc.boolean() }),
  does(2, 'refund', { which, part, whole: fc.boolean(), forgiven: fc.boolean(), check: fc.boolean() }),
  does(1, 'change the rent', { percent: fc.integer({ min: -40, max: 30 }) }),
  does(1, 'charge and waive', { cents }),
  does(1, 'receive and void', { cents }),
  does(1, 'move there and back', { part }),
  {
    weight: 1,
    arbitrary: fc.constantFrom({ does: 'close and write off' as const }, { does: 'wait' as const, days: 30 }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export const terms = fc.record({
  rent: fc.integer({ min: 0, max: 300_00 }),
  premium: fc.option(fc.integer({ min: 1_00, max: 40_00 })),
  fee: fc.option(fc.integer({ min: 1, max: 30_00 })),
  rate: fc.integer({ min: 0, max: 1200 }),
})
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never

const kindOf = {
  rent: 'rent',
  insurance: 'insurance',
  fee: 'fee',
  access: 'fee',
  card_fee: 'fee',
  tax: 'tax',
  discount: 'discount',
} as const

/** A posted payment that went through provider or bank. */
interface Payment {
  order: string
  method: 'CC' | 'ACH'
  captured: number
  refunded: number
  postedOn: IsoDate
  returned: boolean
  /** The first day that it paid ahead. */
  ahead: IsoDate | null
}

interface Receipt {
  id: string
  on: IsoDate
  state: 'held' | 'deposited' | 'ended'
  shares: { of: Ledger; cents: number }[]
}

/** Entries of one lease: each `once` stands once, and an entry is never changed. */
class Ledger {
  readonly entries: StandingEntry[] = []
  readonly #keys = new Set<string>()
  #known = { at: -1, charged: [] as ReturnType<typeof charged>, balance: 0, paidThrough: null as IsoDate | null }

  has = (once: string) => this.#keys.has(once)

  add(entry: Omit<ActEntry, 'kind'> & { kind: StandingEntry['kind'] }, postedOn: IsoDate): StandingEntry {
    if (this.#keys.has(entry.once)) throw new Error(`${entry.once} is written a second time`)
    this.#keys.add(entry.once)
    const made = Object.freeze<StandingEntry>({
      ...{ id: `e${this.entries.length}`, once: entry.once, description: entry.description },
      ...{ kind: entry.kind, cents: entry.cents, postedOn },
      ...{ periodStart: entry.period?.start ?? null, periodEnd: entry.period?.end ?? null },
    })
    this.entries.push(made)
    return made
  }

  /** Read once for so many entries. */
  get now() {
    if (this.#known.at !== this.entries.length) {
      const at = this.entries.length
      const owed = balance(this.entries)
      this.#known = { at, charged: charged(this.entries), balance: owed, paidThrough: paidThroughOf(this.entries) }
    }
    return this.#known
  }

  get periods() {
    return this.now.charged.filter(({ end }) => end !== null)
  }
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** A lease with daily billing and late fees, and another of the same tenant that balances are moved to. */
export class LeaseOfHistory {
  readonly ledger = new Ledger()
  readonly other = new Ledger()
  today = first
  readonly #of: Terms
  #acts = 0
  #orders = 0
  closed = false
  readonly payments: Payment[] = []
  readonly receipts: Receipt[] = []
  readonly #again = new Map<IsoDate, number>()
  #rent: number
  #coming: { rent: number; from: IsoDate } | null = null
  /** Of the rents that came: from which day each holds, and what it was before. */
  readonly #rents: { rent: number; before: number; notBefore: IsoDate; applied: IsoDate | null }[] = []

  constructor(of: Terms) {
    this.#of = of
    this.#rent = of.rent
  }

  #act = () => {
    this.#acts += 1
    return `staff:${this.#acts}`
  }

  #add = (entry: Omit<ActEntry, 'kind'> & { kind: StandingEntry['kind'] }, to = this.ledger) =>
    to.add(entry, this.today)

  /** Written by an act of staff; the same press once more has nothing left to write. */
  #byHand(written: () => ActEntry[], to = this.ledger): StandingEntry[] {
    const made = written().map((entry) => this.#add(entry, to))
    expectThat(
      written().every(({ once }) => to.has(once)),
      'the same press would be written a second time',
    )
    return made
  }

  #chargedThrough = (): IsoDate => {
    const ends = this.ledger.periods.map(({ end }) => end as IsoDate)
    return ends.reduce((last, end) => (end > last ? end : last), addDays(first, -1))
  }

  /** What the tenant was promised for a period, apart from how it is priced: the last notice that ran out before it. */
  #promisedRent = (start: IsoDate) => this.#rents.filter((one) => start >= one.notBefore).at(-1)?.rent ?? this.#of.rent

  #chargePeriod(start: IsoDate) {
    const { premium, fee, rate } = this.#of
    const period = periodCharges({
      ...{ rent: this.#rent, coming: this.#coming },
      insurance: premium === null ? null : { schemeId: 1, name: 'Cover', premium },
      periodFees: fee === null ? [] : [{ feeId: 4, description: 'Shore Power', amount: fee }],
      ...{ access24: null, cardFee: null, periodStart: start, taxRates: { rent: rate, insurance: rate, fee: rate } },
    })
    expectThat(period.rent.amount === this.#promisedRent(start), `${start} is not charged at the rent of its notice`)
    if (this.#coming && start >= this.#coming.from) {
      this.#rent = this.#coming.rent
      this.#coming = null
      const change = this.#rents.at(-1)
      if (change) change.applied = start
    }
    const again = this.#again.get(start) ?? 0
    period.lines.forEach((line, at) => {
      this.#add({
        ...{ kind: kindOf[line.kind], cents: line.cents, description: line.label },
        ...{ once: `period:${start}#${again}:${at}`, period: { start, end: period.periodEnd } },
      })
    })
    return period.total
  }

  /** A day's billing: the periods that have begun, and a late fee once for each that is ten days unpaid. */
  bill() {
    if (this.closed) return
    for (const start of periodsDue(this.#chargedThrough(), this.today, null)) this.#chargePeriod(start)
    if (this.ledger.now.balance <= 0) return
    const paid = this.ledger.now.paidThrough ?? addDays(first, -1)
    for (const { start } of this.ledger.periods.filter((one) => one.start > paid)) {
      if (daysBetween(start, this.today) < 10 || this.ledger.has(`late:${start}:fee`)) continue
      for (const { once, ...line } of charge(lateFee, this.#of.rate, 'late'))
        this.#add({ ...line, once: once.replace('late:', `late:${start}:`) })
    }
  }

  #payAhead(periods: number) {
    if (this.closed || this.ledger.now.balance > 0) return
    const ahead = addDays(this.#chargedThrough(), 1)
    let sum = 0
    for (let at = 0; at < periods; at += 1) sum += this.#chargePeriod(addDays(this.#chargedThrough(), 1))
    this.#pay(sum, 'CC', ahead)
  }

  #pay(sum: number, method: Payment['method'], ahead: IsoDate | null = null) {
    if (sum <= 0) return
    this.#orders += 1
    const order = `order:${this.#orders}`
    this.#add({ kind: 'payment', cents: -sum, description: 'Paid', once: `${order}:payment` })
    this.payments.push({
      ...{ order, method, captured: sum, refunded: 0, postedOn: this.today, returned: false, ahead },
    })
  }

  /** As `reversePayment`: what was given back before stands in the ledger already. */
  #takeBack(at: number) {
    const open = this.payments.filter(({ returned }) => !returned)
    const payment = open[at % Math.max(open.length, 1)]
    if (!payment) return
    payment.returned = true
    const left = payment.captured - payment.refunded
    if (left === 0) return
    this.#add({ kind: 'reversal', cents: left, description: 'Returned', once: `${payment.order}:reversal` })
    if (payment.ahead !== null) this.#reverseUnbegun(payment.order)
  }

  /** As `reverseUnbegunPeriods`: periods that have not begun, the newest first, as far as something is owed. */
  #reverseUnbegun(order: string) {
    const starts = this.ledger.periods.filter(({ start }) => start > this.today)
    for (const { start } of starts.reverse()) {
      const lines = this.ledger.entries.filter((one) => one.periodStart === start && one.periodEnd !== null)
      if (this.ledger.now.balance <= 0 || !lines.some((one) => one.kind === 'rent' && one.cents > 0)) continue
      const again = (this.#again.get(start) ?? 0) + 1
      this.#again.set(start, again)
      const sums = Map.groupBy(lines, ({ kind, description }) => `${kind} ${description}`)
      for (const [name, rows] of sums) {
        const [{ kind, description, periodEnd }] = rows as [StandingEntry]
        const back = -balance(rows)
        const once = `${order}:back:${start}:${again}:${name}`
        if (back !== 0) this.#add({ kind, cents: back, description, once, period: { start, end: periodEnd } })
      }
      // As `takeBackAppliedRent`: the change is to come once more.
      const change = this.#rents.at(-1)
      if (change?.applied !== start) continue
      change.applied = null
      this.#rent = change.before
      this.#coming = { rent: change.rent, from: change.notBefore }
    }
  }

  #charge = (amount: number) => {
    const once = this.#act()
    return this.#byHand(() => charge({ description: 'Lock Cut Fee', amount }, this.#of.rate, once))
  }

  #waive(at: number) {
    const fees = this.ledger.entries.filter((one) => isSingleFee(one) && !this.ledger.has(waiverKey(one.id)))
    const fee = fees[at % Math.max(fees.length, 1)]
    if (!fee) return
    const rent = owedByPeriod(this.ledger.entries).find(({ end, owed }) => end !== null && owed > 0)
    const tax = this.ledger.entries.find(({ once }) => once === taxKeyOf(fee.once))
    const against = this.#byHand(() => waiver(fee, tax))
    expectThat(balance(against.filter(({ kind }) => kind === 'fee')) === -fee.cents, 'not the sum of its fee is waived')
    // What is owed for rent is owed still, unless the fee had been paid: then that money pays for rent.
    const after = owedByPeriod(this.ledger.entries).find(({ start, end }) => start === rent?.start && end === rent.end)
    expectThat(!rent || (after?.owed ?? 0) <= rent.owed, 'a waiver made more rent owed')
  }

  #credit(at: number, share: number): void {
    const periods = creditablePeriods(this.ledger.entries)
    const period = periods[at % Math.max(periods.length, 1)]
    if (!period) return
    const sum = Math.max(1, Math.round((period.left * share) / 100))
    const once = this.#act()
    this.#byHand(() => credit(period, sum, once))
    const left = creditablePeriods(this.ledger.entries).find(({ start }) => start === period.start)?.left ?? 0
    expectThat(left === period.left - sum, `${left} left of ${period.left} after a credit of ${sum}`)
  }

  #move(share: number, back = false): void {
    const owed = this.ledger.now.balance
    const sum = Math.round((Math.abs(owed) * share) / 100)
    if (sum === 0) return
    const before = this.other.now.balance
    const [once, again] = [this.#act(), this.#act()]
    const [from, to] = [
      { balance: owed, unit: 'A1' },
      { balance: before, unit: 'B2' },
    ]
    this.#byHand(() => moved(from, to, sum, once).off)
    this.#byHand(() => moved(from, to, sum, once).onto, this.other)
    if (!back) return
    // The same sum the other way: the other lease has to owe or be owed as much.
    const returning = { balance: owed > 0 ? sum : -sum, unit: 'B2' }
    this.#byHand(() => moved(returning, from, sum, again).off, this.other)
    this.#byHand(() => moved(returning, from, sum, again).onto)
    expectThat(this.ledger.now.balance === owed && this.other.now.balance === before, 'moved and moved back differ')
  }

  #receive(amounts: readonly [number, number]) {
    const shares = [
      { of: this.ledger, cents: amounts[0] },
      { of: this.other, cents: amounts[1] },
    ].filter((share) => share.cents > 0)
    if (shares.length === 0) return null
    this.#orders += 1
    const receipt: Receipt = { id: `order:RC${this.#orders}`, on: this.today, state: 'held', shares }
    for (const share of shares)
      this.#add({ kind: 'payment', cents: -share.cents, description: 'Check', once: `${receipt.id}:payment` }, share.of)
    this.receipts.push(receipt)
    return receipt
  }

  #endReceipt(receipt: Receipt, fee: boolean) {
    receipt.state = 'ended'
    receipt.shares.forEach((share, at) => {
      this.#add(
        { kind: 'reversal', cents: share.cents, description: 'Check', once: `${receipt.id}:reversal` },
        share.of,
      )
      if (fee && at === 0) this.#byHand(() => charge(returnedFee, this.#of.rate, `${receipt.id}:returned`), share.of)
    })
  }

  #anyReceipt(at: number, may: (receipt: Receipt) => boolean) {
    const open = this.receipts.filter(may)
    return open[at % Math.max(open.length, 1)]
  }

  /** As `writeRefund`: what `refundRefusal` lets through, guarded once more by what was captured. */
  #refund({ which: at, whole, part: share, forgiven, check }: Extract<Step, { does: 'refund' }>) {
    const payment = this.payments[at % Math.max(this.payments.length, 1)]
    if (!payment) return
    const { captured, refunded, method, postedOn, returned } = payment
    const sum = whole ? captured : Math.max(1, Math.round((captured * share) / 100))
    const of = { state: returned ? 'returned' : 'posted', payer: 'tenant', returnedAt: null }
    const asked = { cents: sum, way: check ? ('check' as const) : ('provider' as const) }
    if (refundRefusal({ ...of, captured, refunded, method, postedOn }, asked, this.today, 10)) return
    expectThat(!returned, 'a payment that the bank took back is refunded')
    expectThat(check || (sum === captured && refunded === 0), 'a part goes back the way it came')
    const before = [this.ledger.now.balance, this.ledger.now.paidThrough]
    payment.refunded += sum
    const once = `refund:${this.#act()}`
    this.#add({ kind: 'refund', cents: sum, description: 'Refund', once })
    if (forgiven) {
      this.#add({ kind: 'credit', cents: -sum, description: 'Forgiven with the refund', once: `${once}:forgiven` })
      expectThat(
        before[0] === this.ledger.now.balance && before[1] === this.ledger.now.paidThrough,
        'a forgiven refund changed what is owed',
      )
    } else if (sum === captured && payment.ahead !== null) this.#reverseUnbegun(payment.order)
  }

  #changeRent(percent: number) {
    const rent = Math.floor((this.#of.rent * (100 + percent)) / 100)
    const last = this.#rents.at(-1)
    if (this.closed || this.#coming || rent === this.#rent || (last?.applied && last.applied > this.today)) return
    const from = notBefore({ oldRent: this.#rent, newRent: rent, wantedFrom: null }, this.today)
    expectThat(rent < this.#rent || daysBetween(this.today, from) >= NOTICE_DAYS, 'an increase without its notice')
    this.#rents.push({ rent, before: this.#rent, notBefore: from, applied: null })
    this.#coming = { rent, from }
  }

  #closeAndWriteOff() {
    this.closed = true
    const owed = this.ledger.now.balance
    if (owed > 0)
      this.#byHand(() => [{ kind: 'credit', cents: -owed, description: 'Bad debt', once: 'staff:off:credit' }])
    expectThat(this.ledger.now.balance <= 0, 'something is owed after the write-off')
  }

  #wait(days: number) {
    for (let day = 0; day < days; day += 1) {
      this.today = addDays(this.today, 1)
      this.bill()
    }
  }

  /** Balance and paid-through are the same after the work as before. */
  #asBefore(work: () => void, what: string) {
    const { balance: owed, paidThrough } = this.ledger.now
    work()
    expectThat(this.ledger.now.balance === owed && this.ledger.now.paidThrough === paidThrough, what)
  }

  do(one: Step) {
    const owed = this.ledger.now.balance
    const share = (of: number, percent: number) => Math.round((Math.max(of, 0) * percent) / 100)
    switch (one.does) {
      case 'wait':
        return this.#wait(one.days)
      case 'pay':
        return this.#pay(share(owed, one.part), one.byBank ? 'ACH' : 'CC')
      case 'pay ahead':
        return this.#payAhead(one.periods)
      case 'bank takes back':
        return this.#takeBack(one.which)
      case 'charge':
        return this.closed ? undefined : this.#charge(one.cents)
      case 'waive':
        return this.#waive(one.which)
      case 'credit':
        return this.#credit(one.which, one.part)
      case 'move':
        return this.#move(one.part)
      case 'receive': {
        // More than is owed stands to the lease's credit, while it is open.
        const more = one.more && !this.closed ? 50_00 : 0
        return this.#receive([share(owed, one.part) + more, one.both ? share(this.other.now.balance, one.part) : 0])
      }
      case 'void': {
        const receipt = this.#anyReceipt(one.which, ({ state, on }) => state === 'held' && on === this.today)
        return receipt && this.#endReceipt(receipt, false)
      }
      case 'close the drawer':
        for (const receipt of this.receipts) if (receipt.state === 'held') receipt.state = 'deposited'
        return
      case 'return': {
        const receipt = this.#anyReceipt(one.which, ({ state }) => state === 'deposited')
        return receipt && this.#endReceipt(receipt, one.fee)
      }
      case 'refund':
        return this.#refund(one)
      case 'change the rent':
        return this.#changeRent(one.percent)
      case 'close and write off':
        return this.closed ? undefined : this.#closeAndWriteOff()
      case 'charge and waive':
        return this.#asBefore(() => {
          const [fee, tax] = this.#charge(one.cents)
          this.#byHand(() => waiver(fee as StandingEntry, tax))
        }, 'a fee charged and waived changed the lease')
      case 'receive and void':
        return this.#asBefore(() => {
          const receipt = this.#receive([one.cents, 0])
          if (receipt) this.#endReceipt(receipt, false)
        }, 'a receipt voided changed the lease')
      case 'move there and back':
        return this.#move(one.part, true)
    }
  }
}

const isStaffs = ({ once }: StandingEntry) => /^(staff|waive|refund):|:returned:/.test(once)
const isMoved = ({ once }: StandingEntry) => once.endsWith(':off') || once.endsWith(':onto')
const total = (amounts: readonly number[]) => amounts.reduce((sum, one) => sum + one, 0)

/** Money in and out is what payments and receipts say. */
function checkMoney({ ledger, other, payments, receipts }: LeaseOfHistory) {
  for (const { order, captured, refunded } of payments)
    expectThat(refunded <= captured && refunded >= 0, `${order}: ${refunded} of ${captured} given back`)
  const of = (kinds: readonly StandingEntry['kind'][], where: Ledger) =>
    balance(where.entries.filter(({ kind }) => kinds.includes(kind)))
  const kept = total(payments.map((one) => (one.returned ? 0 : one.captured - one.refunded)))
  const inDrawer = (where: Ledger) =>
    total(
      receipts
        .filter(({ state }) => state !== 'ended')
        .flatMap(({ shares }) => shares.map((share) => (share.of === where ? share.cents : 0))),
    )
  const money = ['payment', 'refund', 'reversal'] as const
  expectThat(-of(money, ledger) === kept + inDrawer(ledger), 'the ledger has other money than payments and receipts')
  expectThat(-of(money, other) === inDrawer(other), 'the other lease has other money than its receipts')
  const movedInAll = [...ledger.entries, ...other.entries].filter(isMoved)
  expectThat(balance(movedInAll) === 0, 'what was moved does not come to 0')
}

/** No waiver above its fee; staff write no rent, discount or insurance; each period is charged once and freed by none. */
function checkCharges({ entries, periods, now, has }: Ledger) {
  for (const one of entries) {
    if (!Number.isSafeInteger(one.cents)) throw new Error('not whole cents')
    if (isStaffs(one) && !['fee', 'tax', 'credit', 'refund'].includes(one.kind))
      throw new Error('staff wrote rent, discount or insurance')
    if (one.kind !== 'fee' || !one.once.startsWith('waive:')) continue
    const fee = entries.find(({ id }) => waiverKey(id) === one.once)
    if (!fee || -one.cents !== fee.cents) throw new Error('a waiver is not what its fee was')
  }
  const rents = Map.groupBy(
    entries.filter(({ kind, periodEnd }) => kind === 'rent' && periodEnd !== null),
    ({ periodStart }) => periodStart,
  )
  periods.forEach(({ start }, at) => {
    if (daysBetween(first, start) !== 30 * at) throw new Error(`period ${at} begins on ${start}`)
    const of = rents.get(start) ?? []
    const times = total(of.map((one) => Math.sign(one.cents)))
    if (of.some((one) => one.cents !== 0) && times !== 1) throw new Error(`${start} is charged ${times} times`)
  })
  for (const [start, of] of rents)
    if (of.filter(({ once }) => !once.includes(':back:')).some((one) => one.cents < 0))
      throw new Error(`${start} was freed by hand`)
  if (now.charged.some(({ cents }) => cents < 0)) throw new Error('a waiver fell into a day of its own')
  if (has('')) throw new Error('an entry without a key')
}

/** Parts add up, and the standing is what the ledger says. */
function checkStanding({ ledger, today }: LeaseOfHistory) {
  const { balance: owed, paidThrough } = ledger.now
  const rows = owedByPeriod(ledger.entries)
  expectThat(
    rows.length === 0 || total(rows.map((one) => one.owed)) === Math.max(owed, 0),
    'the parts do not come to the balance',
  )
  if (paidThrough === null) return
  const lent = { auctionPrepped: false, activeMilitary: false, balance: owed, paidThrough, autopayToCome: false }
  const now = standing(lent, today, null)
  const late = owed > 0 && daysBetween(paidThrough, today) > OVERLOCK_AFTER_DAYS
  expectThat(now.overlocked === late, 'overlock')
  expectThat((now.status === 'Past Due') === owed > 0, 'status')
}

/** Holds after every step, whatever staff did. @param before the entries that stood before it */
export function check(lease: LeaseOfHistory, before: readonly StandingEntry[]) {
  const { entries } = lease.ledger
  expectThat(
    before.every((one, at) => entries[at] === one),
    'an entry was changed or removed',
  )
  checkMoney(lease)
  checkCharges(lease.ledger)
  checkStanding(lease)
}

/** Simulates a tenant's leases through random histories of the steps in `random-ledger-steps.ts`, without a database. */

import { addDays, type IsoDate } from '../../../../domain/plain-date.ts'
import { refundRefusal } from '../../../refunds/rules/why-not-refundable.ts'
import { checkTransferInvariants } from '../../../transfers/rules/testing-transfer-invariants.ts'
import { transferBlock, transferEntries, unusedDays } from '../../../transfers/rules/transfer.ts'
import { feeChargeEntries } from '../fee-charge-entries.ts'
import { balance, unpaidByPeriod } from '../ledger.ts'
import { movedBalanceEntries } from '../moved-balance.ts'
import { creditablePeriods, creditEntries } from '../staff-period-credit-entries.ts'
import { type EntryToWrite, type StoredEntry, taxKeyOf } from '../stored-and-new-ledger-entries.ts'
import { isSingleFee, waiverEntries, waiverKey } from '../waiver.ts'
import { expectThat, Ledger, type NewEntry, type Payment, type Receipt } from './ledger.ts'
import type { Step } from './random-ledger-steps.ts'
import { BilledLease, type Terms } from './simulated-lease.ts'

const first: IsoDate = '2026-11-20'
const returnedFee = { description: 'Returned Payment Fee', amount: 30_00 }

/**
 * Simulated history of a tenant for tests: a sequence of leases, each after the first started by a transfer from the
 * lease before, and the ledger of another lease, which gets moved balances and parts of counter receipts.
 */
export class History {
  readonly leases: BilledLease[]
  readonly other = new Ledger()
  today = first
  readonly payments: Payment[] = []
  readonly receipts: Receipt[] = []
  #acts = 0
  #orders = 0
  #moving: { from: BilledLease; to: BilledLease; endsOn: IsoDate } | null = null

  constructor(terms: Terms) {
    this.leases = [new BilledLease(terms, first)]
    this.lease.bill(this.today)
  }

  /** The newest lease, which is the current one. */
  get lease() {
    return this.leases.at(-1) as BilledLease
  }

  get ledger() {
    return this.lease.ledger
  }

  get ledgers() {
    return [...this.leases.map(({ ledger }) => ledger), this.other]
  }

  #act = () => {
    this.#acts += 1
    return `staff:${this.#acts}`
  }

  #add = (entry: NewEntry, to = this.ledger) => to.add(entry, this.today)

  /** Writes entries as a staff operation does, and checks that submitting the same form again writes nothing. */
  #byHand(build: () => EntryToWrite[], to = this.ledger): StoredEntry[] {
    const stored = build().map((entry) => this.#add(entry, to))
    expectThat(
      build().every(({ once }) => to.has(once)),
      'the same press would be written a second time',
    )
    return stored
  }

  #payAhead(periods: number) {
    const { lease } = this
    if (lease.closed || lease.owed > 0) return
    const ahead = addDays(lease.chargedThrough(), 1)
    let sum = 0
    for (let at = 0; at < periods; at += 1) sum += lease.chargePeriod(addDays(lease.chargedThrough(), 1), this.today)
    this.#pay(sum, 'CC', { ahead })
  }

  #pay(sum: number, method: Payment['method'], details: Partial<Pick<Payment, 'ahead' | 'payer'>> = {}) {
    if (sum <= 0) return
    this.#orders += 1
    const order = `order:${this.#orders}`
    this.#add({ kind: 'payment', cents: -sum, description: 'Paid', once: `${order}:payment` })
    this.payments.push({
      order,
      ledger: this.ledger,
      method,
      payer: 'tenant',
      captured: sum,
      refunded: 0,
      postedOn: this.today,
      returned: false,
      ahead: null,
      ...details,
    })
  }

  #leaseOf = (ledger: Ledger) => this.leases.find((lease) => lease.ledger === ledger) as BilledLease

  /** Reverses a payment like `reversePayment`, less what was refunded before. */
  #returnPayment(at: number) {
    const open = this.payments.filter(({ returned }) => !returned)
    const payment = open[at % Math.max(open.length, 1)]
    if (!payment) return
    payment.returned = true
    const { order, ledger, ahead } = payment
    const left = payment.captured - payment.refunded
    if (left === 0) return
    this.#add({ kind: 'reversal', cents: left, description: 'Returned', once: `${order}:reversal` }, ledger)
    if (ahead !== null) this.#leaseOf(ledger).reverseUnbegun(order, this.today)
  }

  #charge = (amount: number) => {
    const once = this.#act()
    return this.#byHand(() => feeChargeEntries({ description: 'Lock Cut Fee', amount }, this.lease.terms.rate, once))
  }

  #waive(at: number) {
    const { ledger } = this
    const fees = ledger.entries.filter((entry) => isSingleFee(entry) && !ledger.has(waiverKey(entry.id)))
    const fee = fees[at % Math.max(fees.length, 1)]
    if (!fee) return
    const rent = unpaidByPeriod(ledger.entries).find(({ end, owed }) => end !== null && owed > 0)
    const tax = ledger.entries.find(({ once }) => once === taxKeyOf(fee.once))
    const against = this.#byHand(() => waiverEntries(fee, tax))
    expectThat(balance(against.filter(({ kind }) => kind === 'fee')) === -fee.cents, 'not the sum of its fee is waived')
    // The owed rent stays, unless the fee had been paid: then that money pays rent.
    const after = unpaidByPeriod(ledger.entries).find(({ start, end }) => start === rent?.start && end === rent.end)
    expectThat(!rent || (after?.owed ?? 0) <= rent.owed, 'a waiver made more rent owed')
  }

  #credit(at: number, share: number): void {
    const periods = creditablePeriods(this.ledger.entries)
    const period = periods[at % Math.max(periods.length, 1)]
    if (!period) return
    const sum = Math.max(1, Math.round((period.remaining * share) / 100))
    const once = this.#act()
    this.#byHand(() => creditEntries(period, sum, once))
    const left = creditablePeriods(this.ledger.entries).find(({ start }) => start === period.start)?.remaining ?? 0
    expectThat(left === period.remaining - sum, `${left} left of ${period.remaining} after a credit of ${sum}`)
  }

  #move(share: number, back = false): void {
    const { owed } = this.lease
    const sum = Math.round((Math.abs(owed) * share) / 100)
    if (sum === 0) return
    const before = this.other.now.balance
    const once = this.#act()
    const again = this.#act()
    const from = { balance: owed, unit: 'A1' }
    const to = { balance: before, unit: 'B2' }
    this.#byHand(() => movedBalanceEntries(from, to, sum, once).off)
    this.#byHand(() => movedBalanceEntries(from, to, sum, once).onto, this.other)
    if (!back) return
    // For the move back, the other lease counts as owing exactly the moved sum, or as having it as a credit.
    const returning = { balance: owed > 0 ? sum : -sum, unit: 'B2' }
    this.#byHand(() => movedBalanceEntries(returning, from, sum, again).off, this.other)
    this.#byHand(() => movedBalanceEntries(returning, from, sum, again).onto)
    expectThat(this.lease.owed === owed && this.other.now.balance === before, 'moved and moved back differ')
  }

  #receive(amounts: readonly [number, number]) {
    const shares = [
      { ledger: this.ledger, cents: amounts[0] },
      { ledger: this.other, cents: amounts[1] },
    ].filter((share) => share.cents > 0)
    if (shares.length === 0) return null
    this.#orders += 1
    const receipt: Receipt = { id: `order:RC${this.#orders}`, on: this.today, state: 'held', shares }
    for (const share of shares)
      this.#add(
        { kind: 'payment', cents: -share.cents, description: 'Check', once: `${receipt.id}:payment` },
        share.ledger,
      )
    this.receipts.push(receipt)
    return receipt
  }

  #endReceipt(receipt: Receipt, fee: boolean) {
    receipt.state = 'ended'
    receipt.shares.forEach(({ ledger, cents }, at) => {
      this.#add({ kind: 'reversal', cents, description: 'Check', once: `${receipt.id}:reversal` }, ledger)
      if (fee && at === 0)
        this.#byHand(() => feeChargeEntries(returnedFee, this.lease.terms.rate, `${receipt.id}:returned`), ledger)
    })
  }

  #anyReceipt(at: number, may: (receipt: Receipt) => boolean) {
    const open = this.receipts.filter(may)
    return open[at % Math.max(open.length, 1)]
  }

  /** Refunds a payment like `writeRefund`, if `refundRefusal` allows it. */
  #refund({ index: at, whole, part: share, forgiven, check }: Extract<Step, { does: 'refund' }>) {
    const payment = this.payments[at % Math.max(this.payments.length, 1)]
    if (!payment) return
    const { captured, refunded, method, postedOn, returned, payer, ledger } = payment
    const sum = whole ? captured : Math.max(1, Math.round((captured * share) / 100))
    const state = { state: returned ? 'returned' : 'posted', payer, returnedAt: null }
    const request = { cents: sum, way: check ? ('check' as const) : ('provider' as const) }
    if (refundRefusal({ ...state, captured, refunded, method, postedOn }, request, this.today, 10)) return
    expectThat(!returned, 'a payment that the bank took back is refunded')
    expectThat(check || (sum === captured && refunded === 0), 'a part goes back the way it came')
    const before = [ledger.now.balance, ledger.now.paidThrough]
    payment.refunded += sum
    const once = `refund:${this.#act()}`
    this.#add({ kind: 'refund', cents: sum, description: 'Refund', once }, ledger)
    if (forgiven) {
      const back = { kind: 'credit' as const, cents: -sum, description: 'Forgiven with the refund' }
      this.#add({ ...back, once: `${once}:forgiven` }, ledger)
      expectThat(
        before[0] === ledger.now.balance && before[1] === ledger.now.paidThrough,
        'a forgiven refund changed what is owed',
      )
    } else if (sum === captured && payment.ahead !== null)
      this.#leaseOf(ledger).reverseUnbegun(payment.order, this.today)
  }

  /**
   * Starts a transfer to a new lease with the same terms, unless `transferBlock` forbids it.
   * @param overlap days after today until the last day of the old lease; 0 ends it at once
   */
  #changeUnits(overlap: number) {
    const { lease: from } = this
    const state = { closed: from.closed, sold: false, auction: false, lien: from.lien === 'open', leaving: false }
    const open = this.#moving ? ('moving' as const) : null
    const rest = {
      open,
      unsigned: false,
      paying: false,
      balance: from.owed,
      mayTransferWithBalance: true,
      isDoNotRent: false,
    }
    if (transferBlock({ ...state, ...rest })) return
    const to = new BilledLease(from.terms, this.today)
    this.leases.push(to)
    this.#pay(to.chargePeriod(this.today, this.today), 'CC')
    this.#moving = { from, to, endsOn: addDays(this.today, overlap) }
    if (overlap === 0) this.#leave()
  }

  /** Finishes the transfer like `finishTransfer`. */
  #leave() {
    if (!this.#moving) return
    const { from, to, endsOn } = this.#moving
    this.#moving = null
    checkTransferInvariants(from.ledger.entries, endsOn, 0)
    const owed = from.owed
    const began = to.owed
    const recurs = ({ description }: { description: string }) => description === 'Shore Power'
    const unused = unusedDays({ entries: from.ledger.entries, recurs, imported: null }, endsOn)
    const written = transferEntries(unused, { from: 'A1', to: 'B2', balance: owed }, `transfer:${this.leases.length}`)
    for (const entry of written.old) this.#add(entry, from.ledger)
    for (const entry of written.new) this.#add(entry, to.ledger)
    from.closed = true
    from.left = true
    expectThat(from.owed === Math.max(owed, 0), 'the lease that is left owes something else')
    expectThat(to.owed === began - written.cents, 'the new lease got something else')
  }

  /** Sells the unit: the winner's payment counts toward the debt, any rest is held as surplus, and the lease ends. */
  #sell(percent: number) {
    const { lease } = this
    const { owed } = lease
    if (lease.lien !== 'open') return
    const price = Math.max(1, Math.round((owed * percent) / 100))
    this.#pay(price, 'CC', { payer: 'auction' })
    lease.lien = price > owed ? 'surplus' : 'closed'
    lease.surplus.held = Math.max(0, price - owed)
    lease.closed = true
  }

  /** Pays the surplus out like `PaySurplus`, less charges since the sale. */
  #paySurplus() {
    const { lease } = this
    const cents = Math.min(lease.surplus.held, -lease.owed)
    if (lease.lien !== 'surplus' || cents <= 0) return
    this.#add({ kind: 'refund', cents, description: 'Surplus', once: 'surplus:1' })
    lease.surplus.paid = cents
    lease.lien = 'closed'
    expectThat(lease.owed <= 0, 'paying the surplus out made something owed')
  }

  #closeAndWriteOff() {
    const { lease } = this
    lease.closed = true
    if (lease.lien === 'open') lease.lien = 'stopped'
    if (lease.owed > 0)
      this.#byHand(() => [{ kind: 'credit', cents: -lease.owed, description: 'Bad debt', once: 'staff:off:credit' }])
    expectThat(lease.owed <= 0, 'something is owed after the write-off')
  }

  #wait(days: number) {
    for (let day = 0; day < days; day += 1) {
      this.today = addDays(this.today, 1)
      if (this.#moving && this.today > this.#moving.endsOn) this.#leave()
      for (const lease of this.leases) lease.bill(this.today)
    }
  }

  /** Does the work, and checks that balance and paid-through date are the same before and after. */
  #asBefore(work: () => void, message: string) {
    const { balance: owed, paidThrough } = this.ledger.now
    work()
    expectThat(this.ledger.now.balance === owed && this.ledger.now.paidThrough === paidThrough, message)
  }

  do(step: Step) {
    this.#do(step)
    for (const lease of this.leases) lease.stopLienIfPaid()
  }

  #do(step: Step) {
    const { owed, closed, lien } = this.lease
    const share = (amount: number, percent: number) => Math.round((Math.max(amount, 0) * percent) / 100)
    switch (step.does) {
      case 'wait':
        return this.#wait(step.days)
      case 'pay':
        // While a lien case is open, only the full balance is accepted.
        return this.#pay(share(owed, lien === 'open' ? 100 : step.part), step.byBank ? 'ACH' : 'CC')
      case 'pay ahead':
        return this.#payAhead(step.periods)
      case 'bank takes back':
        return this.#returnPayment(step.index)
      case 'charge':
        return closed ? undefined : this.#charge(step.cents)
      case 'waive':
        return this.#waive(step.index)
      case 'credit':
        return this.#credit(step.index, step.part)
      case 'move':
        return this.#move(step.part)
      case 'receive': {
        if (lien === 'open') return this.#receive([owed, 0])
        // An overpayment becomes a credit while the lease is open.
        const more = step.more && !closed ? 50_00 : 0
        return this.#receive([share(owed, step.part) + more, step.both ? share(this.other.now.balance, step.part) : 0])
      }
      case 'void': {
        const receipt = this.#anyReceipt(step.index, ({ state, on }) => state === 'held' && on === this.today)
        return receipt && this.#endReceipt(receipt, false)
      }
      case 'close the drawer':
        for (const receipt of this.receipts) if (receipt.state === 'held') receipt.state = 'deposited'
        return
      case 'return': {
        const receipt = this.#anyReceipt(step.index, ({ state }) => state === 'deposited')
        return receipt && this.#endReceipt(receipt, step.fee)
      }
      case 'refund':
        return this.#refund(step)
      case 'change the rent':
        return this.lease.changeRent(step.percent, this.today)
      case 'change units':
        return this.#changeUnits(step.overlap)
      case 'open a lien case':
        if (!closed && owed > 0 && lien !== 'open' && !this.#moving) this.lease.lien = 'open'
        return
      case 'sell':
        return this.#sell(step.percent)
      case 'pay the surplus':
        return this.#paySurplus()
      case 'close and write off':
        return closed ? undefined : this.#closeAndWriteOff()
      case 'charge and waive':
        return this.#asBefore(() => {
          const [fee, tax] = this.#charge(step.cents)
          this.#byHand(() => waiverEntries(fee as StoredEntry, tax))
        }, 'a fee charged and waived changed the lease')
      case 'receive and void':
        return this.#asBefore(() => {
          const receipt = this.#receive([step.cents, 0])
          if (receipt) this.#endReceipt(receipt, false)
        }, 'a receipt voided changed the lease')
      case 'move there and back':
        return this.#move(step.part, true)
    }
  }
}

/**
 * A simulated bank with records of its own and unreliable responses: a request or its response may get lost, and debits
 * of some accounts are returned, after one hour or after two days; some returns are reported twice. Tests compare the
 * site's records with the bank's.
 */
import {
  type Bank,
  type BankAccount,
  BankUnavailable,
  type DebitResult,
  type ReturnedDebit,
} from '../../ports/bank/bank.ts'
import type { Clock, Random } from '../../ports/clock-and-random.ts'
import { choicesOf } from '../support/random-choices.ts'

/** A debit in the bank's records. */
export interface Debit {
  /** Cents. */
  amount: number
  /** Last four digits of the account, which decide the outcome; see `ENDINGS`. */
  ending: string
  state: 'ACCEPTED' | 'REFUSED' | 'RETURNED'
  /** Time of the debit, in epoch milliseconds. */
  takenAt: number
  /** Whether the bank has credited the debit back at the site's request. */
  credited: boolean
}

/** Last four digits of simulated bank accounts whose debits fail, by the reason. All other accounts are good. */
const ENDINGS = { unknown: '1111', refuses: '2222', emptied: '3333', closed: '6666' } as const

export const accountOf = (holder: number, ending: string): BankAccount => ({
  name: 'Sim Ulation',
  routing: '061000104',
  account: `${String(holder).padStart(8, '0')}${ending}`,
  type: holder % 2 === 0 ? 'Checking' : 'Savings',
})

/** Last four digits from which simulations choose at random: five times that of good accounts, once each of `ENDINGS`. */
export const accountEndings = ['0000', '0000', '0000', '0000', '0000', ...Object.values(ENDINGS)] as const

const HOUR = 60 * 60 * 1000

/** A simulated bank with its records and failure settings. */
export interface SimulatedBank extends Bank {
  readonly debits: ReadonlyMap<string, Debit>
  /** Share of calls that fail, and of refunds that are refused, 0 to 1. */
  failureShare: number
  /** Order ids whose credits are refused until they are removed from the set. */
  readonly refusedRefunds: Set<string>
}

export function simulatedBank(random: Random, clock: Clock): SimulatedBank {
  const debits = new Map<string, Debit>()
  const returns: ReturnedDebit[] = []
  const refusedRefunds = new Set<string>()
  const { chance, pick } = choicesOf(random)
  const reasons = ['timeout', 'refused', 'garbage', 'status'] as const

  /** Does the bank's work for a request. Sometimes loses the request before the work, or the response after it. */
  async function call<T>(work: () => T): Promise<T> {
    returnFailedDebits()
    const lost = chance(bank.failureShare)
    const failure = () => new BankUnavailable(pick(reasons), 'stormy')
    if (lost && chance(0.5)) throw failure()
    const answer = work()
    await new Promise((resolve) => setImmediate(resolve))
    if (lost) throw failure()
    return answer
  }

  function reportReturn(orderId: string, code: string): void {
    const amount = debits.get(orderId)?.amount ?? 0
    const cursor = String(returns.length + 1)
    returns.push({ orderId, code, description: 'Returned', amount, at: clock.now(), cursor })
  }

  /**
   * Changes debits that are due to fail to RETURNED: those of an emptied account after two days (R01), of a closed one
   * after an hour (R02). Reports some of these returns twice.
   */
  function returnFailedDebits(): void {
    const now = clock.now()
    for (const [orderId, debit] of debits) {
      if (debit.state !== 'ACCEPTED' || debit.credited) continue
      const age = now - debit.takenAt
      const code =
        debit.ending === ENDINGS.emptied && age > 48 * HOUR
          ? 'R01'
          : debit.ending === ENDINGS.closed && age > HOUR
            ? 'R02'
            : null
      if (code === null) continue
      debit.state = 'RETURNED'
      reportReturn(orderId, code)
      if (chance(0.2)) reportReturn(orderId, code)
    }
  }

  const result = (orderId: string): DebitResult => {
    const debit = debits.get(orderId)
    if (!debit) return { state: 'UNKNOWN', orderId, amount: 0, traceNumber: '', code: '', description: '' }
    const { state, amount } = debit
    const traceNumber = state === 'REFUSED' ? '' : `T${orderId}`
    return { state, orderId, amount, traceNumber, code: state === 'REFUSED' ? 'R29' : '', description: state }
  }

  const bank: SimulatedBank = {
    debits,
    refusedRefunds,
    failureShare: 0,
    validateAccount: ({ account }) =>
      call(() => ({ valid: !account.endsWith(ENDINGS.unknown), reference: 'V1', description: '' })),
    debit: ({ orderId, account, amount }) =>
      call(() => {
        const ending = account.account.slice(-4)
        const refused = ending === ENDINGS.unknown || ending === ENDINGS.refuses
        if (!debits.has(orderId)) {
          const state = refused ? 'REFUSED' : 'ACCEPTED'
          debits.set(orderId, { amount, ending, state, takenAt: clock.now(), credited: false })
        }
        return result(orderId)
      }),
    queryDebit: (orderId) => call(() => result(orderId)),
    refund: ({ orderId, amount }) =>
      call(() => {
        const debit = debits.get(orderId)
        const refusal = (code: string) => ({ done: false, code, description: 'No' })
        if (!debit || debit.state === 'REFUSED' || debit.amount !== amount) return refusal('X01')
        if (debit.state === 'RETURNED') return refusal('X02')
        if (!debit.credited && (refusedRefunds.has(orderId) || chance(bank.failureShare))) return refusal('X09')
        debit.credited = true
        return { done: true, code: '', description: '' }
      }),
    // At most seven at once, so that the site must ask again from the last cursor.
    returnsSince: (cursor) => call(() => returns.slice(Number(cursor || '0')).slice(0, 7)),
  }
  return bank
}

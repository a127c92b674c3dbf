/** Describes what is wrong with a unit: since when, what happens on which day, and what prevents it. */

import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { LATE_FEE_AFTER_DAYS } from '../../billing/rules/late-fee-day.ts'
import { DELINQUENCY_DAYS, paymentBlock } from '../../payments/rules/online-payment-blocks.ts'
import { overlockDay } from '../../standing/rules/overlock-day.ts'

/** Facts about a lease from which the alert of its unit is derived. */
export interface UnitAlertFacts {
  balance: Cents
  paidThrough: IsoDate
  /** Whether the unit is overlocked and no staff member has lifted the overlock. */
  locked: boolean
  auctionPrepped: boolean
  /** Whether autopay will still charge the balance; until then nothing happens to the unit. */
  charging: boolean
  activeMilitary: boolean
  /** Days after the paid-through date that pass before the facility prepares an auction. */
  auctionAfterDays: number
  /** Late fee with tax, in cents; null where the facility charges none. */
  lateFee: Cents | null
  /** First day on which a sale may be held; null where none is planned. */
  saleFrom: IsoDate | null
  /** Day on which the lease of a sold unit ends; null where it is not sold. */
  soldUntil: IsoDate | null
}

/** Alert about a unit in words for the tenant: what is wrong, and what ends it. */
export interface UnitAlert {
  is: 'late' | 'locked' | 'auction' | 'sold'
  title: string
  what: string
  /** Coming dunning steps with their days, if nothing is paid. */
  days: { is: 'fee' | 'lock' | 'phone' | 'auction' | 'sale'; on: IsoDate; day: string; text: string }[]
  stops: string
  /** Whether the tenant has to call: the balance can be paid by phone only, or the unit was sold. */
  call: boolean
  /** Whether the unit is overlocked and no staff member has lifted the overlock; false for a sold unit. */
  locked: boolean
}

export const unitLockedNow =
  'The gate does not take your code and the unit is locked until you have paid. Then it opens again at once.'

/** Returns the sentence that the gate refuses the code and the unit is overlocked from a day on. */
export const unitLockedFrom = (date: IsoDate): string =>
  `From ${formatUsDay(date)} the gate does not take your code and the unit is locked until you have paid. Then it opens again at once.`

/**
 * Returns what is wrong with a unit (sold, prepared for auction, overlocked, past due or with a balance due) in words
 * for the tenant; null when nothing is wrong.
 * @param today date at the facility
 */
export function unitAlert(facts: UnitAlertFacts, today: IsoDate): UnitAlert | null {
  if (facts.soldUntil !== null)
    return {
      is: 'sold',
      title: 'This unit was sold at auction',
      days: [],
      call: true,
      locked: false,
      what: `What was stored in it belongs to the buyer now, and your lease ends on ${formatUs(facts.soldUntil)}.`,
      stops: 'Call us about papers and photographs that are yours, and about money that is left from the sale.',
    }
  if (facts.balance <= 0) return null
  const { locked } = facts
  const sum = format(facts.balance)
  const { title, what: dueSentence } = balanceDue(facts, today)
  if (facts.charging)
    return {
      is: 'late',
      title: paymentDueTitle,
      what: dueSentence,
      days: [],
      call: false,
      locked,
      stops: 'Autopay charges it by itself. Until then nothing happens to your unit.',
    }
  const call = paymentBlock(facts, today) !== null
  const days = daysToCome(facts, today)
  if (facts.auctionPrepped) {
    const soon =
      facts.saleFrom !== null && facts.saleFrom <= today ? ' What is stored in it may be sold from now on.' : ''
    return {
      is: 'auction',
      title: 'This unit is prepared for auction',
      what: `${dueSentence}${locked ? ` ${lockedSentence}` : ''}${soon}`,
      days,
      call,
      locked,
      stops: `It can be paid by phone only. Pay ${sum} before it is sold: then it is not sold${locked ? ', and opens again at once' : ''}.`,
    }
  }
  const phoneOnly = call ? 'It can be paid by phone only. ' : ''
  if (locked)
    return {
      is: 'locked',
      title: 'This unit is locked',
      what: `${dueSentence} ${lockedSentence}`,
      days,
      call,
      locked,
      stops: `${phoneOnly}Pay ${sum} and it opens again at once.`,
    }
  return {
    is: 'late',
    title,
    what: dueSentence,
    days,
    call,
    locked,
    stops: `${phoneOnly}Pay ${sum} ${days.length > 0 ? 'and none of this happens.' : 'to keep your access.'}`,
  }
}

const paymentDueTitle = 'A payment is due'

/** Returns title and sentence of a balance due, which is past due from the first unpaid day on. */
function balanceDue({ balance, paidThrough }: UnitAlertFacts, today: IsoDate): Pick<UnitAlert, 'title' | 'what'> {
  const sum = format(balance)
  return paidThrough < today
    ? { title: 'This unit is past due', what: `${sum} is due for it, since ${formatUs(addDays(paidThrough, 1))}.` }
    : { title: paymentDueTitle, what: `${sum} is due for it.` }
}

const lockedSentence = 'The gate does not take your code, and the unit is locked.'

/** Returns the dunning steps after today, if nothing is paid, sorted by day. */
function daysToCome(facts: UnitAlertFacts, today: IsoDate): UnitAlert['days'] {
  const after = (days: number) => addDays(facts.paidThrough, days + 1)
  const { lateFee, auctionPrepped, activeMilitary, saleFrom } = facts
  const days = [
    ...(lateFee === null
      ? []
      : [
          {
            is: 'fee' as const,
            on: addDays(after(0), LATE_FEE_AFTER_DAYS),
            text: `A late fee of ${format(lateFee)} is added.`,
          },
        ]),
    ...(facts.locked
      ? []
      : [
          {
            is: 'lock' as const,
            on: overlockDay(facts.paidThrough),
            text: 'The gate stops taking your code, and the unit is locked.',
          },
        ]),
    ...(auctionPrepped
      ? []
      : [{ is: 'phone' as const, on: after(DELINQUENCY_DAYS), text: 'It can be paid by phone only.' }]),
    ...(auctionPrepped || activeMilitary
      ? []
      : [{ is: 'auction' as const, on: after(facts.auctionAfterDays), text: 'The unit is prepared for auction.' }]),
    ...(saleFrom === null
      ? []
      : [{ is: 'sale' as const, on: saleFrom, text: 'From this day on what is stored in it may be sold.' }]),
  ]
  return days
    .filter(({ on }) => on > today)
    .sort((a, b) => (a.on < b.on ? -1 : 1))
    .map((step) => ({ ...step, day: formatUs(step.on) }))
}

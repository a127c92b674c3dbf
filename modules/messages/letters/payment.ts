import { type Cents, format } from '../../../domain/money.ts'
import { formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { inThrees } from '../../gate/rules/gate-code.ts'
import { lockedFrom, lockedNow, type Trouble } from '../../leases/rules/unit-alerts.ts'
import { gateCode as gateCodeText, overlockCode, payNow } from '../../leases/texts/portal.ts'
import { AUCTION } from '../../links/rules/auction.ts'
import type { Block, Notice } from '../letter.tsx'
import { addressOf, daysToCome, filled, letterFrom, type ToRenter, unitsNamed } from './shared.ts'

/** A payment was received (spec 1 §7, `/api/notices/receipt`). None is sent for an amount of 0. */
export function receipt(
  facts: ToRenter & {
    receiptNumber: string
    paymentDate: IsoDate
    lines: { label: string; cents: Cents }[]
    total: Cents
    /** 'Visa ending 1111', 'Bank account ending 6789', or ''. */
    method: string
    /** '' where no period is paid. */
    paidThrough: IsoDate | ''
    /** A bank payment: what was authorized, word for word, and when: '12:00 PM on Friday, 11/20/2026'. */
    authorized?: { text: string; at: string } | null
    /** Turns autopay off without an account; left out where it is off, or the reader has one. */
    autopayOffUrl?: string | null
  },
): Notice {
  return letterFrom(facts, {
    subject: `Receipt ${facts.receiptNumber} for ${unitsNamed(facts.unitNumber)}`,
    heading: `Thank you. We received ${format(facts.total)}.`,
    preview: facts.paidThrough
      ? `Unit ${facts.unitNumber} is paid through ${formatUs(facts.paidThrough)}.`
      : `For ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
    blocks: [
      filled(
        ['Receipt', facts.receiptNumber],
        ['Date', formatUs(facts.paymentDate)],
        ['Name', facts.name],
        ['Unit', `${facts.unitNumber}, ${facts.facility.name}`],
        ['Paid with', facts.method],
        ['Paid through', facts.paidThrough ? formatUs(facts.paidThrough) : ''],
      ),
      {
        rows: facts.lines.map((line): [string, string] => [line.label, format(line.cents)]),
        sum: ['Paid', format(facts.total)],
        kind: 'price',
      },
      ...(facts.authorized
        ? [`Your authorization, given at ${facts.authorized.at}, for your records: “${facts.authorized.text}”`]
        : []),
      ...(facts.autopayOffUrl
        ? [
            `Autopay is on for ${unitsNamed(facts.unitNumber)}: what comes due is charged by itself, every 30 days. You can turn it off at any time.`,
            { button: 'Turn autopay off', href: facts.autopayOffUrl },
          ]
        : []),
    ],
  })
}

/** Autopay was turned on, or moved to another card or account, without a payment: what was agreed to, for one's records. */
export function autopayOn(
  facts: ToRenter & {
    method: string
    /** What was agreed to, word for word, and when: '12:00 PM on Friday, 11/20/2026'. */
    agreed: { text: string; at: string }
    unitUrl: string
  },
): Notice {
  return letterFrom(facts, {
    subject: `Autopay is on for ${unitsNamed(facts.unitNumber)}`,
    heading: 'Autopay is on',
    preview: `What comes due for ${unitsNamed(facts.unitNumber)} is charged by itself.`,
    blocks: [
      `${facts.name}, what comes due for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name} is charged by itself from now on. Nothing was charged today.`,
      filled(['Charged', facts.method], ['Unit', `${facts.unitNumber}, ${facts.facility.name}`]),
      `What you agreed to at ${facts.agreed.at}, for your records: “${facts.agreed.text}”`,
      'Was this not you? Turn it off on the page of your unit, or call us.',
      { button: 'See your unit', href: facts.unitUrl },
    ],
  })
}

export interface PaymentNoticeFacts extends ToRenter {
  orderNumber: string
  amount: Cents
}

export function paymentUnderReview(facts: PaymentNoticeFacts): Notice {
  return letterFrom(facts, {
    subject: `We are checking your payment for ${unitsNamed(facts.unitNumber)}`,
    heading: 'We are checking your payment',
    preview: 'Please do not pay again. You will hear from us.',
    blocks: [
      `${facts.name}, your card provider confirmed a payment for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}, but something about it does not match what you agreed to. A person is looking at it.`,
      'Please do not pay again. Either the payment is counted as you agreed, or you get all of it back. We write to you in both cases.',
      filled(['Amount', format(facts.amount)], ['Order number', facts.orderNumber]),
    ],
  })
}

export function refundMade(
  facts: PaymentNoticeFacts & {
    /** A sentence of `refundReason`. */
    why: string
    method: string
    byHand?: boolean
  },
): Notice {
  return letterFrom(facts, {
    subject: `Your refund of ${format(facts.amount)} is on its way`,
    heading: `${format(facts.amount)} is on its way back to you`,
    preview: facts.why,
    blocks: [
      `${facts.name}, we gave back your whole payment for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}. ${facts.why}`,
      filled(
        ['Amount', format(facts.amount)],
        [facts.byHand ? 'By' : 'Back to', facts.method],
        ['Order number', facts.orderNumber],
      ),
      facts.byHand
        ? 'It could not go back to where it came from, so it comes to you this way.'
        : 'Banks take 3 to 10 days to show a refund. A charge that was never settled simply disappears.',
    ],
  })
}

/** Money of a payment that counted goes back: a person of the office decided so. */
export function refundSent(
  facts: PaymentNoticeFacts & {
    /** What was paid, and the day: '11/03/2026'. */
    paid: { cents: Cents; on: string }
    /** 'to Visa ending 1111', 'by check 1042'. */
    to: string
    byHand: boolean
    forgiven: boolean
    /** What the unit owes now. */
    balance: Cents
    payUrl: string
  },
): Notice {
  const { amount, paid, forgiven, balance } = facts
  const whole = amount === paid.cents
  const after = forgiven
    ? 'What it had paid for is taken care of: you owe nothing for it.'
    : balance > 0
      ? `What it had paid for is open again: ${format(balance)} is due for ${unitsNamed(facts.unitNumber)}.`
      : `Nothing is due for ${unitsNamed(facts.unitNumber)} today.`
  return letterFrom(facts, {
    subject: `Your refund of ${format(amount)} is on its way`,
    heading: `${format(amount)} is on its way back to you`,
    preview: after,
    blocks: [
      `${facts.name}, we gave back ${whole ? 'all' : format(amount)} of your payment of ${format(paid.cents)} from ${paid.on} for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
      after,
      filled(['Amount', format(amount)], ['How', facts.to], ['Order number', facts.orderNumber]),
      facts.byHand
        ? 'It does not go back to where the payment came from, so it comes to you this way.'
        : 'Banks take 3 to 10 days to show a refund. A charge that was never settled simply disappears.',
      ...(!forgiven && balance > 0 ? [{ button: 'See your unit', href: facts.payUrl }] : []),
    ],
  })
}

interface PaymentFailedFacts extends ToRenter {
  /** 'returned': the bank took it back days later. 'refused': an autopay charge was declined. */
  kind: 'returned' | 'refused'
  amount: Cents
  balance: Cents
  autopayOff: boolean
  /** The bank's or the card provider's reason in words, as a sentence. */
  reason?: string
  nextTry?: IsoDate | null
  /** The specified sentence where the unit can no longer be paid for online, else ''. */
  notOnline?: string
  /** Returned: the first day of what it had paid ahead, where it had. */
  beginsOn?: IsoDate | null
  /** From this day on the gate does not take the code, or has not since; left out where that is not near. */
  locked?: { from: IsoDate; already: boolean } | null
  trouble?: Trouble | null
  payUrl: string
}

/** What else happens on which day until it is paid. */
const besidesTheLock = (trouble: Trouble | null | undefined): Block[] =>
  daysToCome(trouble?.days.filter(({ is }) => is !== 'lock') ?? [])

function dueBlocks({ kind, balance, notOnline, locked, trouble, payUrl }: PaymentFailedFacts): Block[] {
  return [
    ...(kind === 'returned' && !notOnline ? ['Please pay by card, or from another account.'] : []),
    ...(locked ? [locked.already ? lockedNow : lockedFrom(locked.from)] : []),
    ...(locked ? besidesTheLock(trouble) : []),
    filled(['Due now', format(balance)]),
    // By the payment's return the unit may be too late to be paid for online: no button that leads to a refusal.
    notOnline || { button: payNow, href: payUrl },
  ]
}

const nothingDue = (beginsOn: IsoDate | null | undefined): string =>
  beginsOn
    ? `It had paid ahead, so nothing is due before the next period begins on ${formatUsDay(beginsOn)}.`
    : 'You have paid in another way since, so nothing is due.'

export function paymentFailed(facts: PaymentFailedFacts): Notice {
  const returned = facts.kind === 'returned'
  return letterFrom(facts, {
    subject: `Your payment for ${unitsNamed(facts.unitNumber)} ${returned ? 'was returned' : 'did not go through'}`,
    heading: returned ? 'Your bank returned a payment' : 'Your automatic payment did not go through',
    preview:
      facts.balance > 0
        ? `${format(facts.balance)} is due for ${unitsNamed(facts.unitNumber)}.`
        : `Nothing is due for ${unitsNamed(facts.unitNumber)}.`,
    blocks: [
      `${facts.name}, ${
        returned
          ? `your bank returned your payment of ${format(facts.amount)} for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}, so it no longer counts.`
          : `we could not charge ${format(facts.amount)} for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`
      }`,
      ...(facts.reason ? [`${facts.reason} If you did not expect this, ask your bank first.`] : []),
      ...(facts.autopayOff
        ? [`Autopay is off now.${facts.notOnline ? '' : ' You can turn it on again when you pay.'}`]
        : []),
      ...(facts.nextTry
        ? [`We try again on ${formatUsDay(facts.nextTry)}. To use another card or account, pay now and choose autopay.`]
        : []),
      ...(facts.balance > 0 ? dueBlocks(facts) : [nothingDue(facts.beginsOn)]),
    ],
  })
}

export function paymentDue(
  facts: ToRenter & {
    periodStart: IsoDate
    periodEnd: IsoDate
    balance: Cents
    locked?: boolean
    payUrl: string
  },
): Notice {
  return letterFrom(facts, {
    subject: `${format(facts.balance)} is due for ${unitsNamed(facts.unitNumber)}`,
    heading: `${format(facts.balance)} is due`,
    preview: `For ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, a new period of 30 days has begun for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
      filled(
        ['Period', `${formatUs(facts.periodStart)} to ${formatUs(facts.periodEnd)}`],
        ['Due now', format(facts.balance)],
      ),
      ...(facts.locked ? [lockedNow] : []),
      { button: payNow, href: facts.payUrl },
      'With autopay you need not think of it: choose it when you pay.',
    ],
  })
}

export function pastDue(
  facts: ToRenter & {
    paidThrough: IsoDate
    balance: Cents
    lockedFrom: IsoDate
    trouble?: Trouble | null
    payUrl: string
  },
): Notice {
  return letterFrom(facts, {
    subject: `Unit ${facts.unitNumber} is past due`,
    heading: `${format(facts.balance)} is past due`,
    preview: `Please pay before ${formatUsDay(facts.lockedFrom)} to keep your access.`,
    blocks: [
      `${facts.name}, ${unitsNamed(facts.unitNumber)} at ${facts.facility.name} is paid through ${formatUs(facts.paidThrough)}, and we have not had your payment since.`,
      lockedFrom(facts.lockedFrom),
      ...besidesTheLock(facts.trouble),
      filled(['Due now', format(facts.balance)]),
      { button: payNow, href: facts.payUrl },
      'Paid in the last few hours? Then there is nothing for you to do.',
    ],
  })
}

/** The winner of an auctioned unit has paid (spec 2 §4, `send_payment_email`). */
export function auctionPaymentReceived(
  facts: ToRenter & {
    amount: Cents
    gateCode: string
    /** '' where the unit has no overlock. */
    comboCode: string
    moveOutDate: IsoDate
  },
): Notice {
  return letterFrom(facts, {
    subject: `Payment received: ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}`,
    heading: `We received ${format(facts.amount)}`,
    preview: `Your gate code, and ${AUCTION.cleanOutHours} hours to clean out the unit.`,
    blocks: [
      `${facts.name}, the contents of ${unitsNamed(facts.unitNumber)} are yours. You have ${AUCTION.cleanOutHours} hours to clean it out.`,
      { code: inThrees(facts.gateCode), label: gateCodeText },
      ...(facts.comboCode ? [{ code: facts.comboCode, label: overlockCode }] : []),
      filled(
        ['Facility', facts.facility.name],
        ['Address', addressOf(facts.facility)],
        ['Access hours', `${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day`],
        ['Empty by', formatUs(facts.moveOutDate)],
      ),
      `A cleaning fee of ${format(AUCTION.cleaningFee)} is charged for a unit that is not left empty and clean. There is no deposit.`,
    ],
  })
}

/** A receipt of money by hand was voided on its day. */
export function receiptVoided(facts: ToRenter & { receiptNumber: string; method: string; total: Cents }): Notice {
  return letterFrom(facts, {
    subject: `Receipt ${facts.receiptNumber} for ${unitsNamed(facts.unitNumber)} was voided`,
    heading: 'A receipt was voided',
    preview: `Receipt ${facts.receiptNumber} counts no longer.`,
    blocks: [
      `${facts.name}, we voided the receipt below for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}, since it was not right. Another one follows where the payment itself stands.`,
      filled(['Receipt', facts.receiptNumber], ['Paid with', facts.method], ['Amount', format(facts.total)]),
      'Did you not expect this? Please call us.',
    ],
  })
}

export interface CheckReturnedFacts extends ToRenter {
  receiptNumber: string
  method: string
  total: Cents
  /** 'insufficient funds' */
  reason: string
  /** With its tax; 0 for none. */
  fee: Cents
  /** What is owed now of each unit. */
  due: { unitNumber: string; cents: Cents }[]
  noChecks: boolean
  payUrl: string
}

/** The sentences of the letter, which the office prints as well. */
export function checkReturnedSentences(facts: CheckReturnedFacts): string[] {
  const { name, method, total, unitNumber, facility, reason, fee, noChecks } = facts
  return [
    `${name}, the bank did not pay your ${method.toLowerCase()} over ${format(total)} for unit ${unitNumber} at ${facility.name}: ${reason}. It counts no longer, and what it paid for is owed again.`,
    ...(fee > 0 ? [`A fee of ${format(fee)} for the returned payment, tax included, was added.`] : []),
    noChecks
      ? 'Please pay by card, cash or money order. We cannot take another check from you.'
      : 'Please pay by card, cash or money order.',
  ]
}

export function checkReturned(facts: CheckReturnedFacts): Notice {
  const due = facts.due.filter((one) => one.cents > 0)
  return letterFrom(facts, {
    subject: `Your ${facts.method.toLowerCase()} for ${unitsNamed(facts.unitNumber)} was returned`,
    heading: 'Your bank returned a payment',
    preview: `${format(facts.total)} for ${unitsNamed(facts.unitNumber)} is owed again.`,
    blocks: [
      ...checkReturnedSentences(facts),
      filled(
        ['Receipt', facts.receiptNumber],
        ...due.map((one): [string, string] => [`Due now, unit ${one.unitNumber}`, format(one.cents)]),
      ),
      ...(due.length > 0 ? [{ button: payNow, href: facts.payUrl }] : []),
    ],
  })
}

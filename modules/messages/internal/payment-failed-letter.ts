import { type Cents, format } from '../../../domain/money.ts'
import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { type UnitAlert, unitLockedFrom, unitLockedNow } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { payNow } from '../../leases/texts/portal.ts'
import type { Block, Letter } from '../mail-layout.tsx'
import { dunningBlocks, formatUnits, letterFrom, type RenterFacts, tableBlock } from './renter-facts-and-mail-tables.ts'

/** Overlock of a unit; while it is in force, the gate refuses the unit's code. */
interface UnitLock {
  /** Day of the overlock; 'now' for one in force. */
  from: IsoDate | 'now'
  /** Number of the unit; left out where the letter is about one unit only. */
  unitNumber?: string
}

interface PaymentFailedFacts extends RenterFacts {
  /** 'returned': the bank returned the debit days later. 'refused': an autopay charge was declined. */
  kind: 'returned' | 'refused'
  amount: Cents
  balance: Cents
  autopayOff: boolean
  /** The bank's or the card provider's reason in words, as a sentence. */
  reason?: string
  nextTry?: IsoDate | null
  /** The specified sentence if the unit can no longer be paid online, else ''. */
  notOnline?: string
  /** Units of several that can no longer be paid online, each with the specified sentence. */
  byPhone?: readonly { unitNumber: string; notOnline: string }[]
  /** First day after the paid-through date, if a returned payment had paid ahead. */
  beginsOn?: IsoDate | null
  /** Overlocks in force or at most 30 days away; none for a closed lease, or while an autopay retry is scheduled. */
  locks?: readonly UnitLock[]
  alert?: UnitAlert | null
  payUrl: string
}

/** Lists the coming dunning steps other than the overlock. */
export const dunningBlocksBesidesLock = (alert: UnitAlert | null | undefined): Block[] =>
  dunningBlocks(alert?.days.filter(({ is }) => is !== 'lock') ?? [])

function lockSentence({ from, unitNumber }: UnitLock): string {
  const sentence = from === 'now' ? unitLockedNow : unitLockedFrom(from)
  return unitNumber === undefined ? sentence : `Unit ${unitNumber}: ${sentence}`
}

function dueBlocks({ kind, balance, notOnline, byPhone = [], locks = [], alert, payUrl }: PaymentFailedFacts): Block[] {
  return [
    ...(kind === 'returned' && !notOnline ? ['Please pay by card, or from another account.'] : []),
    ...locks.map(lockSentence),
    ...(locks.length > 0 ? dunningBlocksBesidesLock(alert) : []),
    tableBlock(['Due now', format(balance)]),
    ...byPhone.map((unit) => `Unit ${unit.unitNumber}: ${unit.notOnline}`),
    notOnline || { button: payNow, href: payUrl },
  ]
}

const nothingDue = (beginsOn: IsoDate | null | undefined): string =>
  beginsOn
    ? `It had paid ahead, so nothing is due before the next period begins on ${formatUsDay(beginsOn)}.`
    : 'You have paid in another way since, so nothing is due.'

/** Builds the letter about a payment that the bank returned or an autopay charge that was declined. */
export function paymentFailed(facts: PaymentFailedFacts): Letter {
  const isReturned = facts.kind === 'returned'
  return letterFrom(facts, {
    subject: `Your payment for ${formatUnits(facts.unitNumber)} ${isReturned ? 'was returned' : 'did not go through'}`,
    heading: isReturned ? 'Your bank returned a payment' : 'Your automatic payment did not go through',
    preview:
      facts.balance > 0
        ? `${format(facts.balance)} is due for ${formatUnits(facts.unitNumber)}.`
        : `Nothing is due for ${formatUnits(facts.unitNumber)}.`,
    blocks: [
      `${facts.name}, ${
        isReturned
          ? `your bank returned your payment of ${format(facts.amount)} for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}, so it no longer counts.`
          : `we could not charge ${format(facts.amount)} for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}.`
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

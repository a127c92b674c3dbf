import { type Cents, format } from '../../../domain/money.ts'
import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { lockedFrom, lockedNow, type Trouble } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import type { Block, Letter } from '../letter.tsx'
import { daysToCome, filled, letterFrom, type ToRenter, unitsNamed } from './letter-parts.ts'

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

/** Lists the coming dunning steps other than the overlock. */
export const besidesTheLock = (trouble: Trouble | null | undefined): Block[] =>
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

export function paymentFailed(facts: PaymentFailedFacts): Letter {
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

import { type Cents, format } from '../../../domain/money.ts'
import type { Notice } from '../letter.tsx'
import { letterFrom, type ToRenter } from './shared.ts'

export interface LedgerChange extends ToRenter {
  act: 'waive' | 'charge' | 'credit' | 'take back'
  entries: { description: string; cents: Cents }[]
  /** What is owed after it; below 0 a credit. */
  balance: Cents
  /** The specified sentence where the unit cannot be paid for online, else ''. */
  notOnline: string
  payUrl: string
}

const words = {
  waive: { subject: 'We waived a fee', said: 'we took back a fee' },
  charge: { subject: 'A fee was charged', said: 'we charged a fee' },
  credit: { subject: 'We credited your account', said: 'we gave you a credit' },
  'take back': {
    subject: 'We took back charges',
    said: 'our mail about these charges was a mistake of ours. We took them back',
  },
} as const

/** A person of the operator waived, charged, credited or took back something. */
export function ledgerChanged(facts: LedgerChange): Notice {
  const { unitNumber, balance, entries } = facts
  const { subject, said } = words[facts.act]
  const now =
    balance > 0
      ? `${format(balance)} is due for unit ${unitNumber}.`
      : balance < 0
        ? `${format(-balance)} stands to your credit.`
        : `Nothing is due for unit ${unitNumber}.`
  return letterFrom(facts, {
    subject: `${subject} for unit ${unitNumber}`,
    heading: subject,
    preview: now,
    blocks: [
      `${facts.name}, ${said} for unit ${unitNumber} at ${facts.facility.name}.`,
      { rows: entries.map(({ description, cents }): [string, string] => [description, format(cents)]) },
      now,
      ...(balance > 0 ? [facts.notOnline || { button: 'See your unit', href: facts.payUrl }] : []),
    ],
  })
}

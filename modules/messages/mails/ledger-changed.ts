import { type Cents, format } from '../../../domain/money.ts'
import type { JobKinds } from '../../../platform/schema/job-kinds.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseWithBalance, noMessage } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface LedgerChange extends RenterFacts {
  act: JobKinds['ledger_changed']['act']
  entries: { description: string; cents: Cents }[]
  /** Balance due after the change, in cents; below 0 it is a credit. */
  balance: Cents
  /** The specified sentence if the unit cannot be paid online, else ''. */
  notOnline: string
  payUrl: string
}

const textsByAct = {
  waive: { subject: 'We waived a fee', sentence: 'we took back a fee' },
  charge: { subject: 'A fee was charged', sentence: 'we charged a fee' },
  credit: { subject: 'We credited your account', sentence: 'we gave you a credit' },
  'take back': {
    subject: 'We took back charges',
    sentence: 'our mail about these charges was a mistake of ours. We took them back',
  },
} as const satisfies Record<LedgerChange['act'], object>

/** Writes the mail that tells the tenant that an amount was waived, charged, credited or reversed. */
function ledgerChanged(facts: LedgerChange): Letter {
  const { unitNumber, balance, entries } = facts
  const { subject, sentence } = textsByAct[facts.act]
  const balanceSentence =
    balance > 0
      ? `${format(balance)} is due for unit ${unitNumber}.`
      : balance < 0
        ? `${format(-balance)} stands to your credit.`
        : `Nothing is due for unit ${unitNumber}.`
  return letterFrom(facts, {
    subject: `${subject} for unit ${unitNumber}`,
    heading: subject,
    preview: balanceSentence,
    blocks: [
      `${facts.name}, ${sentence} for unit ${unitNumber} at ${facts.facility.name}.`,
      { rows: entries.map(({ description, cents }): [string, string] => [description, format(cents)]) },
      balanceSentence,
      ...(balance > 0 ? [facts.notOnline || { button: 'See your unit', href: facts.payUrl }] : []),
    ],
  })
}

export const ledgerChangedMail = mail('ledger_changed', {
  // Only the mail about a reversed billing run has a key of its lease. For entries by staff, the timeline shows the act.
  about: 'lease',
  name: 'Charges taken back',
  async facts(services, { locationCode, leaseNumber, act, entryIds }) {
    const paidLease = await loadLeaseWithBalance(services, { locationCode, leaseNumber })
    const entries = await services.db.read
      .selectFrom('ledger_entries')
      .select(['description', 'cents'])
      .where('entry_id', 'in', entryIds)
      .orderBy('kind')
      .execute()
    if (!paidLease || entries.length === 0) return noMessage
    return { to: paidLease.to, facts: { ...paidLease.facts, act, entries } }
  },
  letter: ledgerChanged,
  samples: [
    {
      name: 'fee-waived',
      title: 'Fee waived',
      facts: {
        ...example.exampleRenter,
        act: 'waive',
        entries: [
          { description: 'Late Fee waived', cents: -2000 },
          { description: 'Tax on fees waived', cents: -178 },
        ],
        balance: 15148,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
    {
      name: 'charges-taken-back',
      title: 'Charges taken back',
      facts: {
        ...example.exampleRenter,
        act: 'take back',
        entries: [
          { description: 'Rent', cents: -13900 },
          { description: 'Tax on rent', cents: -1248 },
        ],
        balance: 0,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

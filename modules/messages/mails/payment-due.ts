import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { unitLockedNow } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { payNow } from '../../leases/texts/portal.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'
import * as example from '../internal/example-facts.ts'
import { loadOwingLease, noMessage } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function paymentDue(
  facts: RenterFacts & {
    /** Unpaid period that has begun; null if it begins later, so that only other charges, such as a fee, are due now. */
    period: { start: IsoDate; end: IsoDate } | null
    balance: Cents
    locked?: boolean
    /** The specified sentence if the unit cannot be paid online, else ''. */
    notOnline: string
    payUrl: string
  },
): Letter {
  const { period, notOnline } = facts
  const place = `${formatUnits(facts.unitNumber)} at ${facts.facility.name}`
  return letterFrom(facts, {
    subject: `${format(facts.balance)} is due for ${formatUnits(facts.unitNumber)}`,
    heading: `${format(facts.balance)} is due`,
    preview: `For ${place}.`,
    blocks: [
      period
        ? `${facts.name}, a new period of 30 days has begun for ${place}.`
        : `${facts.name}, there is something to pay for ${place}.`,
      tableBlock(
        ['Period', period ? `${formatUs(period.start)} to ${formatUs(period.end)}` : ''],
        ['Due now', format(facts.balance)],
      ),
      ...(facts.locked ? [unitLockedNow] : []),
      ...(notOnline
        ? [notOnline]
        : [{ button: payNow, href: facts.payUrl }, 'With autopay you need not think of it: choose it when you pay.']),
    ],
  })
}

export const paymentDueMail = mail('payment_due', {
  about: 'lease',
  name: 'Payment due',
  async facts(services, key) {
    const owingLease = await loadOwingLease(services, key)
    if (!owingLease) return noMessage
    const { periodStart } = key
    const hasBegun = periodStart <= (owingLease.today ?? periodStart)
    return {
      to: owingLease.to,
      facts: {
        ...owingLease.facts,
        period: hasBegun ? { start: periodStart, end: addDays(periodStart, PERIOD_DAYS - 1) } : null,
        locked: owingLease.lock?.from === 'now',
      },
    }
  },
  letter: paymentDue,
  samples: [
    {
      name: 'payment-due',
      title: 'Payment due',
      facts: {
        ...example.exampleRenter,
        period: { start: '2026-12-20', end: '2027-01-18' },
        balance: 15148,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

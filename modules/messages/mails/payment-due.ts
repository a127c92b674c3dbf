import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { unitLockedNow } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import { PERIOD_DAYS } from '../../pricing/rules/billing-period-length.ts'
import * as example from '../internal/example-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/mail-building-blocks.ts'
import { loadOwingLease, noMessage } from '../internal/message-facts.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function paymentDue(
  facts: RenterFacts & {
    periodStart: IsoDate
    periodEnd: IsoDate
    balance: Cents
    locked?: boolean
    payUrl: string
  },
): Letter {
  return letterFrom(facts, {
    subject: `${format(facts.balance)} is due for ${formatUnits(facts.unitNumber)}`,
    heading: `${format(facts.balance)} is due`,
    preview: `For ${formatUnits(facts.unitNumber)} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, a new period of 30 days has begun for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}.`,
      tableBlock(
        ['Period', `${formatUs(facts.periodStart)} to ${formatUs(facts.periodEnd)}`],
        ['Due now', format(facts.balance)],
      ),
      ...(facts.locked ? [unitLockedNow] : []),
      { button: payNow, href: facts.payUrl },
      'With autopay you need not think of it: choose it when you pay.',
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
    return {
      to: owingLease.to,
      facts: {
        ...owingLease.facts,
        periodStart,
        periodEnd: addDays(periodStart, PERIOD_DAYS - 1),
        locked: owingLease.locked?.already === true,
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
        periodStart: '2026-12-20',
        periodEnd: '2027-01-18',
        balance: 15148,
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { PERIOD_DAYS } from '../../billing/rules/billing-period-length.ts'
import { unitLockedNow } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import * as example from '../internal/example-facts.ts'
import { letterFrom, type RenterFacts, tableBlock, unitsNamed } from '../internal/letter-blocks.ts'
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
    subject: `${format(facts.balance)} is due for ${unitsNamed(facts.unitNumber)}`,
    heading: `${format(facts.balance)} is due`,
    preview: `For ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, a new period of 30 days has begun for ${unitsNamed(facts.unitNumber)} at ${facts.facility.name}.`,
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
  async facts(services, due) {
    const of = await loadOwingLease(services, due)
    if (!of) return noMessage
    const { periodStart } = due
    return {
      to: of.to,
      facts: {
        ...of.facts,
        periodStart,
        periodEnd: addDays(periodStart, PERIOD_DAYS - 1),
        locked: of.locked?.already === true,
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

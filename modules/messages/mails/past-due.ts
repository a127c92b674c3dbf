import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { overlockDay } from '../../billing/rules/overlock-day.ts'
import { lockedFrom, type Trouble } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import * as example from '../internal/example-facts.ts'
import { nothing, owingLease } from '../internal/facts.ts'
import { filled, letterFrom, type ToRenter, unitsNamed } from '../internal/letter-parts.ts'
import { besidesTheLock } from '../internal/payment-failed.ts'
import type { Letter } from '../letter.tsx'
import { mail } from '../mail.ts'

function pastDue(
  facts: ToRenter & {
    paidThrough: IsoDate
    balance: Cents
    lockedFrom: IsoDate
    trouble?: Trouble | null
    payUrl: string
  },
): Letter {
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

export const pastDueMail = mail('past_due', {
  about: 'lease',
  name: 'Past due',
  async facts(services, due) {
    const of = await owingLease(services, due)
    // After a partial payment another period is past due, which has its own mail.
    if (!of || addDays(of.paidThrough, 1) !== due.periodStart) return nothing
    return {
      to: of.to,
      facts: {
        ...of.facts,
        paidThrough: of.paidThrough,
        lockedFrom: overlockDay(of.paidThrough),
      },
    }
  },
  letter: pastDue,
  samples: [
    {
      name: 'past-due',
      title: 'Past due',
      facts: {
        ...example.maya,
        paidThrough: '2026-12-19',
        balance: 15148,
        lockedFrom: '2026-12-30',
        trouble: example.late,
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

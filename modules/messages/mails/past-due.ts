import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { type UnitAlert, unitLockedFrom } from '../../leases/rules/unit-alerts.ts'
import { payNow } from '../../leases/texts/portal.ts'
import { overlockDay } from '../../standing/rules/overlock-day.ts'
import * as example from '../internal/example-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/mail-building-blocks.ts'
import { loadOwingLease, noMessage } from '../internal/message-facts.ts'
import { dunningBlocksBesidesLock } from '../internal/payment-failed-letter.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function pastDueLetter(
  facts: RenterFacts & {
    paidThrough: IsoDate
    balance: Cents
    lockedFrom: IsoDate
    alert?: UnitAlert | null
    payUrl: string
  },
): Letter {
  return letterFrom(facts, {
    subject: `Unit ${facts.unitNumber} is past due`,
    heading: `${format(facts.balance)} is past due`,
    preview: `Please pay before ${formatUsDay(facts.lockedFrom)} to keep your access.`,
    blocks: [
      `${facts.name}, ${formatUnits(facts.unitNumber)} at ${facts.facility.name} is paid through ${formatUs(facts.paidThrough)}, and we have not had your payment since.`,
      unitLockedFrom(facts.lockedFrom),
      ...dunningBlocksBesidesLock(facts.alert),
      tableBlock(['Due now', format(facts.balance)]),
      { button: payNow, href: facts.payUrl },
      'Paid in the last few hours? Then there is nothing for you to do.',
    ],
  })
}

/** Mail about a rental period that is past due. None is sent if nothing is owed, or another period is the first unpaid one. */
export const pastDueMail = mail('past_due', {
  about: 'lease',
  name: 'Past due',
  async facts(services, period) {
    const lease = await loadOwingLease(services, period)
    // Payments or returned payments have moved the paid-through date since the job was enqueued.
    if (!lease || addDays(lease.paidThrough, 1) !== period.periodStart) return noMessage
    return {
      to: lease.to,
      facts: {
        ...lease.facts,
        paidThrough: lease.paidThrough,
        lockedFrom: overlockDay(lease.paidThrough),
      },
    }
  },
  letter: pastDueLetter,
  samples: [
    {
      name: 'past-due',
      title: 'Past due',
      facts: {
        ...example.exampleRenter,
        paidThrough: '2026-12-19',
        balance: 15148,
        lockedFrom: '2026-12-30',
        alert: example.exampleAlert,
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

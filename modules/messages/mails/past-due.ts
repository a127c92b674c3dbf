import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { type UnitAlert, unitLockedFrom } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { payNow } from '../../leases/texts/portal.ts'
import * as example from '../internal/example-facts.ts'
import { loadOwingLease, noMessage } from '../internal/message-facts.ts'
import { dunningBlocksBesidesLock } from '../internal/payment-failed-letter.ts'
import {
  dunningBlocks,
  formatUnits,
  letterFrom,
  type RenterFacts,
  tableBlock,
} from '../internal/renter-facts-and-mail-tables.ts'
import type { Block, Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Returns what happens to the unit unless the balance is paid; for a unit that is not only late, what is wrong with it first. */
function alertBlocks(alert: UnitAlert | null): Block[] {
  if (!alert) return []
  const lock = lockToCome(alert)
  if (lock) return [unitLockedFrom(lock.on), ...dunningBlocksBesidesLock(alert)]
  return [...(alert.is === 'late' ? [] : [alert.what]), ...dunningBlocks(alert.days), alert.stops]
}

/** Returns the day of the overlock of a unit that is only late; undefined where it has come, or does not come. */
const lockToCome = (alert: UnitAlert | null) =>
  alert?.is === 'late' ? alert.days.find(({ is }) => is === 'lock') : undefined

function pastDueLetter(
  facts: RenterFacts & {
    paidThrough: IsoDate
    balance: Cents
    alert: UnitAlert | null
    /** The specified sentence if the unit cannot be paid online, else ''. */
    notOnline: string
    payUrl: string
  },
): Letter {
  const lock = lockToCome(facts.alert)
  return letterFrom(facts, {
    subject: `Unit ${facts.unitNumber} is past due`,
    heading: `${format(facts.balance)} is past due`,
    preview: lock ? `Please pay before ${formatUsDay(lock.on)} to keep your access.` : (facts.alert?.stops ?? ''),
    blocks: [
      `${facts.name}, ${formatUnits(facts.unitNumber)} at ${facts.facility.name} is paid through ${formatUs(facts.paidThrough)}, and we have not had your payment since.`,
      ...alertBlocks(facts.alert),
      tableBlock(['Due now', format(facts.balance)]),
      facts.notOnline || { button: payNow, href: facts.payUrl },
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
    // A payment, or the return of one, may have moved the paid-through date since the job was enqueued.
    if (!lease || addDays(lease.paidThrough, 1) !== period.periodStart) return noMessage
    return { to: lease.to, facts: { ...lease.facts, paidThrough: lease.paidThrough } }
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
        alert: example.exampleAlert,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

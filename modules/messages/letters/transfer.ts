import { type Cents, format } from '../../../domain/money.ts'
import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import type { Notice } from '../letter.tsx'
import { letterFrom, type ToRenter } from './shared.ts'

interface TransferFacts extends ToRenter {
  toUnit: string
  /** The old lease's last day. */
  endsOn: IsoDate
}

/** The new lease is signed; the old one ends on a later day. */
export const transferSigned = (facts: TransferFacts): Notice =>
  letterFrom(facts, {
    subject: `Your move from unit ${facts.unitNumber} to unit ${facts.toUnit}`,
    heading: `Unit ${facts.toUnit} is yours`,
    preview: `Unit ${facts.unitNumber} is yours until ${formatUsDay(facts.endsOn)}.`,
    blocks: [
      `${facts.name}, your lease for unit ${facts.toUnit} at ${facts.facility.name} is signed. You have both units until ${formatUsDay(facts.endsOn)}.`,
      {
        list: [
          `Move your things and leave unit ${facts.unitNumber} empty, clean and unlocked by that day. Its lease ends that night.`,
          `What you have paid for unit ${facts.unitNumber} beyond that day goes over to unit ${facts.toUnit}.`,
          `Autopay of unit ${facts.unitNumber} is off. Unit ${facts.toUnit} has it where you chose it when you signed.`,
          'Your gate code stays the same.',
        ],
      },
      `Staying in unit ${facts.unitNumber} after all? Cancel its move-out in your online account before that day. You then keep both units.`,
    ],
  })

/** The old lease has ended. */
export const transferCompleted = (facts: TransferFacts & { moved: Cents; owed: Cents }): Notice =>
  letterFrom(facts, {
    subject: `You have moved from unit ${facts.unitNumber} to unit ${facts.toUnit}`,
    heading: 'Your move is complete',
    preview:
      facts.moved > 0
        ? `${format(facts.moved)} went over to unit ${facts.toUnit}.`
        : `Unit ${facts.unitNumber} is closed.`,
    blocks: [
      `${facts.name}, the lease of unit ${facts.unitNumber} at ${facts.facility.name} ended on ${formatUsDay(facts.endsOn)}. Unit ${facts.toUnit} is yours.`,
      ...(facts.moved > 0
        ? [
            `You had paid beyond that day for unit ${facts.unitNumber}. ${format(facts.moved)} went over to unit ${facts.toUnit} and is taken off what falls due there next.`,
          ]
        : []),
      ...(facts.owed > 0
        ? [`${format(facts.owed)} is still due on unit ${facts.unitNumber}. Please call us to pay it.`]
        : []),
      `Did something stay in unit ${facts.unitNumber}? Call us today.`,
    ],
  })

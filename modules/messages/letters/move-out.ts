import { format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { isParking, leaving } from '../../gate/rules/gate-hours.ts'
import { MOVE_OUT } from '../../move-outs/rules/move-out-terms.ts'
import type { Notice } from '../letter.tsx'
import { letterFrom, type ToRenter } from './shared.ts'

export function moveOutScheduled(
  facts: ToRenter & {
    unitCategory: string
    moveOutDate: IsoDate
  },
): Notice {
  return letterFrom(facts, {
    subject: `Your move-out from unit ${facts.unitNumber} is scheduled`,
    heading: 'Your move-out is scheduled',
    preview: `For ${formatUs(facts.moveOutDate)}.`,
    blocks: [
      `${facts.name}, your move-out from unit ${facts.unitNumber} at ${facts.facility.name} is scheduled for ${formatUs(facts.moveOutDate)}. Autopay is off.`,
      {
        list: [
          leaving(isParking(facts.unitCategory)),
          `A unit that is not empty and clean may be charged up to ${format(MOVE_OUT.cleaningFeeUpTo)} for cleaning; towing a vehicle left behind costs at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
          `Our property manager verifies the move-out in ${MOVE_OUT.verifiedIn}.`,
        ],
      },
      'Changed your mind? Cancel the move-out in your online account under the unit.',
    ],
  })
}

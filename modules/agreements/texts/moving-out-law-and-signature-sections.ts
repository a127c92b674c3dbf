/** Sections on ending and changing the agreement, applicable law, and the signature. */

import { format } from '../../../domain/money.ts'
import { stateName } from '../../../domain/states.ts'
import { isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { MOVE_OUT } from '../../move-outs/rules/stated-move-out-fees-and-terms.ts'
import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import { type Section, section } from './section.ts'
import { changeTerms } from './terms-quoted-on-facility-page.ts'

export function movingOutSection(facts: LeaseFacts): Section {
  const isSpace = isParking(facts.unit.category)
  return section(
    'moving-out',
    'Moving out',
    `Schedule your move-out in your online account or by phone; the day after is your last day. ${isSpace ? 'Take everything out of the space and leave it clean.' : 'Empty the unit, sweep it, take away your lock and leave the door closed.'} Our property manager checks the unit within ${MOVE_OUT.verifiedIn}, and the agreement ends when it has been found empty.`,
    {
      list: [
        `If the unit is not empty and clean, we may charge the cost of cleaning, up to ${format(MOVE_OUT.cleaningFeeUpTo)}.`,
        `A vehicle left behind is towed at your cost, at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
        MOVE_OUT.rentNotProrated,
        'Things left behind are treated as given up, and may be removed or disposed of as the law allows.',
      ],
    },
    'We may end the agreement with 30 days’ notice, or at once where you break a promise of it that puts people or property in danger.',
  )
}

export function changesSection(): Section {
  return section('changes', 'Changes', `${changeTerms} Any other change is made in writing and agreed by both.`)
}

export function lawSection(facts: LeaseFacts): Section {
  return section(
    'law',
    'Law',
    `The law of ${stateName(facts.facility.state)} applies. If part of this agreement cannot be enforced, the rest stands. That we do not insist on a right once does not mean that we give it up.`,
  )
}

export function signatureSection(facts: LeaseFacts): Section {
  const terms = isParking(facts.unit.category) ? 'lien and insurance terms' : 'lien, insurance and value limit'
  return section(
    'signature',
    'Electronic signature',
    `You have agreed to sign electronically and to receive this agreement and its notices as electronic records. Your signature, drawn or typed, has the same force as one in ink. By signing you confirm that what you told us is true, that you are at least 18 years old, that you have read this agreement with its ${terms}, and that you agree to it.`,
  )
}

import { format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { isParking, moveOutInstruction } from '../../facilities/rules/room-or-parking-wording.ts'
import { loadUnitCategory } from '../../leases/lease.ts'
import { MOVE_OUT } from '../../move-outs/rules/stated-move-out-fees-and-terms.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseForMessage, noMessage } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function moveOutScheduled(
  facts: RenterFacts & {
    unitCategory: string
    moveOutDate: IsoDate
  },
): Letter {
  return letterFrom(facts, {
    subject: `Your move-out from unit ${facts.unitNumber} is scheduled`,
    heading: 'Your move-out is scheduled',
    preview: `For ${formatUs(facts.moveOutDate)}.`,
    blocks: [
      `${facts.name}, your move-out from unit ${facts.unitNumber} at ${facts.facility.name} is scheduled for ${formatUs(facts.moveOutDate)}. Autopay is off.`,
      {
        list: [
          moveOutInstruction(isParking(facts.unitCategory)),
          `A unit that is not empty and clean may be charged up to ${format(MOVE_OUT.cleaningFeeUpTo)} for cleaning; towing a vehicle left behind costs at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
          `Our property manager verifies the move-out in ${MOVE_OUT.verifiedIn}.`,
        ],
      },
      'Changed your mind? Cancel the move-out in your online account under the unit.',
    ],
  })
}

export const moveOutScheduledMail = mail('move_out_scheduled', {
  about: 'move-out',
  name: 'Move-out scheduled',
  async facts(services, { moveOutId }) {
    const moveOut = await services.db.read
      .selectFrom('move_outs')
      .selectAll()
      .where('move_out_id', '=', moveOutId)
      .executeTakeFirst()
    const leaseFacts =
      moveOut &&
      (await loadLeaseForMessage(services, { locationCode: moveOut.location_code, leaseNumber: moveOut.lease_number }))
    // A move-out may be cancelled before its mail is sent, which would then be wrong.
    if (!leaseFacts || leaseFacts.tenant.email === '' || moveOut.state === 'cancelled') return noMessage
    return {
      to: leaseFacts.tenant.email,
      facts: {
        brand: leaseFacts.brand,
        facility: leaseFacts.facility,
        name: leaseFacts.tenant.first,
        unitNumber: leaseFacts.lease.unit_number,
        unitCategory: await loadUnitCategory(services, leaseFacts.lease),
        moveOutDate: moveOut.move_out_date,
      },
    }
  },
  letter: moveOutScheduled,
  samples: [
    {
      name: 'move-out-scheduled',
      title: 'Move-out scheduled',
      facts: { ...example.exampleRenter, unitCategory: 'Climate Controlled', moveOutDate: '2027-01-09' },
    },
  ],
})

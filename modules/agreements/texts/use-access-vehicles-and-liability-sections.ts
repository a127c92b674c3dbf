/** Sections on permitted use, prohibited goods, access, vehicles, entry and liability. */

import { format } from '../../../domain/money.ts'
import { isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { gateHoursWithout24 } from '../../gate/rules/parse-gate-hours.ts'
import { MOVE_OUT } from '../../move-outs/rules/stated-move-out-fees-and-terms.ts'
import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import { type Section, section, tableParagraph } from './section.ts'

export function useSection(): Section {
  return section(
    'use',
    'What the unit is for',
    'Use the unit to store things that belong to you or are in your care, and for nothing else. In particular:',
    {
      list: [
        'Nobody may live, sleep, work or run a business in the unit, and no animal may be kept in it.',
        'Keep noise, smell and leaks inside it, and the aisles, drives and doors clear.',
        'Change nothing in the structure, paint nothing, and connect nothing to the electricity beyond what the lights are for.',
        'Do not sublet the unit or hand over this agreement without our written consent.',
        'Take your trash with you. Nothing may be left outside the unit or in the trash cans of the facility.',
      ],
    },
  )
}

export function hazardsSection(): Section {
  return section(
    'hazards',
    'What may not be stored',
    {
      list: [
        'Anything explosive, flammable or poisonous: fuel, propane, fireworks, ammunition, paint thinner, pool chemicals, pesticides.',
        'Hazardous, toxic or radioactive substances, and anything whose storage the law forbids.',
        'Food or plants that spoil or draw pests; wet things; tires, more than those of a vehicle listed here.',
        'Stolen goods, illegal drugs, and weapons you may not lawfully hold.',
        'Cash, jewels, furs, works of art, and things of mostly sentimental value that money would not replace.',
      ],
    },
    'If such things are found, you remove them at once and bear the cost of making the unit safe. We may call the authorities.',
  )
}

export function accessSection(facts: LeaseFacts): Section {
  const { facility } = facts
  const isSpace = isParking(facts.unit.category)
  return section(
    'access',
    isSpace ? 'Gate and hours' : 'Gate, lock and hours',
    tableParagraph(
      ['Gate hours', facts.fullDayAccess === null ? gateHoursWithout24(facility.gateHours) : facility.gateHours],
      [
        '24-hour access',
        facts.fullDayAccess === null ? '' : `Yes, ${format(facts.fullDayAccess)} per period of 30 days`,
      ],
      ['Gate code', facts.gateCode],
    ),
    `${
      facts.fullDayAccess === null
        ? 'You may come and go during gate hours.'
        : 'You chose 24-hour access: your code opens the gate at any hour, as long as the fee is paid.'
    } The gate code works once your move-in is paid. It is yours alone; whoever uses it with your knowledge counts as you. Gate hours and codes may change when safety calls for it, and we tell you when they do.`,
    isSpace
      ? 'The space is open and has no lock. Lock your vehicle and leave nothing of value in it. Cameras and gates help, but nobody guards your space, and we do not promise that it is secure.'
      : 'You bring the lock and keep the unit locked. We hold no key. An unlocked unit may be secured by us with a lock of ours until you come. Cameras and gates help, but nobody guards your unit, and we do not promise that it is secure.',
  )
}

export function vehiclesSection(facts: LeaseFacts): Section {
  const { vehicle } = facts
  return section(
    'vehicles',
    'Vehicles, trailers and boats',
    vehicle
      ? tableParagraph(
          ['Vehicle', [vehicle.color, vehicle.make, vehicle.model].filter((word) => word !== '').join(' ')],
          ['Description', vehicle.description],
        )
      : 'You told us that you do not store a vehicle. Tell us before you bring one.',
    vehicle
      ? 'Only this vehicle may be stored. It must be yours or in your care, registered and insured, able to roll, and free of leaks. No repair, washing or charging is done here, and nobody stays in it.'
      : null,
    `A vehicle for which rent has been unpaid for ${MOVE_OUT.unpaidVehicleDays} days may be towed away where state law allows, at your cost. Towing costs at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
  )
}

export function entrySection(): Section {
  return section(
    'entry',
    'When we may enter',
    'We enter your unit only with your permission, or where we must: in an emergency, to repair or inspect with reasonable notice, when the law or an authority orders it, or to enforce our lien as described above. If we cut your lock for such a reason without fault of yours, we replace it.',
  )
}

export function responsibilitySection(): Section {
  return section(
    'responsibility',
    'Loss, damage and injury',
    'As far as the law allows, you bear the risk of loss of or damage to what you store, whatever the cause, and we are not liable for it unless we caused it by gross negligence, fraud or willful wrong. You make good damage that you or the people you bring do to the facility or to others, and hold us free of claims that come of it. Nothing in this agreement takes away a right that the law does not let you give up.',
  )
}

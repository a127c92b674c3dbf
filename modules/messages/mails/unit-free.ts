import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { facilityPath } from '../../facilities/rules/facility-path.ts'
import { unitTypeName } from '../../facilities/rules/size-label.ts'
import { loadWaitlistEntry, markWaitlistEntryMailed } from '../../reservations/mail-waitlist.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageFacility, noMessage } from '../internal/message-facts.ts'
import { formatAddress, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that tells a waitlisted person once that a unit is free. The mail does not hold the unit. */
function unitFree(
  facts: Pick<RenterFacts, 'brand' | 'facility'> & { size: string; askedOn: IsoDate; unitsUrl: string },
): Letter {
  const { facility, size } = facts
  return letterFrom(facts, {
    subject: `A ${size} is free at ${facility.name}`,
    heading: `A ${size} is free`,
    preview: `At ${facility.name}. The first to reserve or rent has it.`,
    blocks: [
      `On ${formatUsDay(facts.askedOn)} you asked us to tell you when a ${size} is free at ${facility.name}. One is now.`,
      'We hold none for you: the first to reserve or rent has it. Reserving is free and needs no card.',
      { button: 'See units and prices', href: facts.unitsUrl },
      tableBlock(['Facility', facility.name], ['Address', formatAddress(facility)]),
      'This is the only mail about it. Ask again on that page if you still need one later.',
    ],
  })
}

export const unitFreeMail = mail('unit_free', {
  about: null,
  async facts(services, { waitlistId }) {
    const entry = await loadWaitlistEntry(services, waitlistId)
    const place = entry && (await loadMessageFacility(services, entry.location_code))
    const facts = entry && (await loadFacilityFacts(services, [entry.location_code])).get(entry.location_code)
    const type = facts?.unitTypes.find((unitType) => unitType.unit_type_id === entry?.unit_type_id)
    if (!entry || !place || !type) return noMessage
    return {
      to: entry.email,
      facts: {
        brand: place.brand,
        facility: place.facility,
        size: unitTypeName(type),
        askedOn: todayIn(place.facility.timeZone, entry.created_at),
        unitsUrl: `${services.publicUrl}${facilityPath(place.location)}`,
      },
      sent: () => markWaitlistEntryMailed(services, waitlistId),
    }
  },
  letter: unitFree,
  samples: [
    {
      name: 'unit-free',
      title: 'A unit is free',
      facts: {
        brand: example.exampleRenter.brand,
        facility: example.exampleRenter.facility,
        size: '10 × 30 Climate Controlled',
        askedOn: '2026-11-12',
        unitsUrl: `${example.brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      },
    },
  ],
})

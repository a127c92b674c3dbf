import { HOUR } from '../../../domain/durations.ts'
import { ensureReservationLink } from '../../reservations/reservation-lookup-operation-parts.ts'
import * as example from '../internal/example-facts.ts'
import { loadReservationFacts, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import type { RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import { textMessage } from '../message-definition.ts'

/** Writes the text message with the link of a reservation. */
const reservationLinkSms = ({ brand, facility, unitNumber, url }: RenterFacts & { url: string }): string =>
  `${brand.name}: unit ${unitNumber} at ${facility.name} is held for you. Sign and pay here: ${url}`

export const reservationLinkSmsText = textMessage('reservation_link_sms', {
  about: 'reservation',
  name: 'Link to the reservation, by text message',
  staleAfter: 12 * HOUR,
  async facts(services, key) {
    const reservationFacts = await loadReservationFacts(services, key)
    const link = reservationFacts && (await ensureReservationLink(services, key.locationCode, key.reservationCode))
    if (!reservationFacts || link === null) return noMessage
    return {
      to: reservationFacts.tenant.cell_phone,
      facts: {
        ...renterFactsOf(reservationFacts, reservationFacts.tenant.first, reservationFacts.reservation.unit_number),
        url: `${services.publicUrl}${link}`,
      },
    }
  },
  text: reservationLinkSms,
  sample: {
    name: 'reservation-link-sms',
    title: 'Link of a reservation',
    facts: { ...example.exampleRenter, url: `${example.brand.siteUrl}/reservation/5a1f1a68` },
  },
})

import { asRecordedOrders } from '../../payments/payment.ts'
import { rentalOutcome } from '../../payments/texts/was-money-taken-by-payment-state.ts'
import { reservationCancelled as reservationCancelledText } from '../../reservations/texts/reserve.ts'
import { loadEndedReservation, type ReservationEndedFacts } from '../internal/ended-reservation-facts.ts'
import * as example from '../internal/example-facts.ts'
import { letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function reservationCancelled(facts: ReservationEndedFacts): Letter {
  const { free, chargeStatement } = rentalOutcome(facts.orders)
  return letterFrom(facts, {
    subject: reservationCancelledText,
    heading: reservationCancelledText,
    preview: `Unit ${facts.unitNumber} is free for others.${free ? ' You owe nothing.' : ''}`,
    blocks: [
      `${facts.name}, your reservation of unit ${facts.unitNumber} at ${facts.facility.name} was cancelled as you asked. ${chargeStatement}`,
      'You did not cancel it? Call us, or reserve again while units are free.',
      { button: 'See available units', href: facts.againUrl },
      tableBlock(['Reservation code', facts.reservationCode]),
    ],
  })
}

export const reservationCancelledMail = mail('reservation_cancelled', {
  about: 'reservation',
  name: 'Reservation cancelled',
  async facts(services, key) {
    const ended = await loadEndedReservation(services, key)
    return ended && { to: ended.to, facts: ended.facts }
  },
  letter: reservationCancelled,
  samples: [
    {
      name: 'reservation-cancelled',
      title: 'Reservation cancelled',
      facts: {
        ...example.exampleRenter,
        reservationCode: 'K7QX4M9T',
        orders: asRecordedOrders([]),
        againUrl: `${example.brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      },
    },
  ],
})

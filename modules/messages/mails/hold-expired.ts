import { asRecordedOrders } from '../../payments/payment.ts'
import { rentalOutcome } from '../../payments/texts/was-money-taken-by-payment-state.ts'
import { loadEndedReservation, type ReservationEndedFacts } from '../internal/ended-reservation-facts.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage } from '../internal/message-facts.ts'
import { letterFrom, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function holdExpired(facts: ReservationEndedFacts): Letter {
  const { free, chargeStatement } = rentalOutcome(facts.orders)
  return letterFrom(facts, {
    subject: `Your hold on unit ${facts.unitNumber} has ended`,
    heading: 'Your hold has ended',
    preview: `${free ? 'You owe nothing. ' : ''}See what is free now.`,
    blocks: [
      `${facts.name}, we could not hold unit ${facts.unitNumber} at ${facts.facility.name} any longer, and others may rent it now. ${chargeStatement}`,
      'Still need the space? Units of the same size may be free.',
      { button: 'See available units', href: facts.againUrl },
      tableBlock(['Reservation code', facts.reservationCode]),
    ],
  })
}

export const holdExpiredMail = mail('hold_expired', {
  about: 'reservation',
  name: 'Reservation ran out',
  async facts(services, key) {
    const ended = await loadEndedReservation(services, key)
    if (ended?.status !== 'expired') return noMessage
    return { to: ended.to, facts: ended.facts }
  },
  letter: holdExpired,
  samples: [
    {
      name: 'hold-expired',
      title: 'Hold expired',
      facts: {
        ...example.exampleRenter,
        reservationCode: 'K7QX4M9T',
        orders: asRecordedOrders([]),
        againUrl: `${example.brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      },
    },
  ],
})

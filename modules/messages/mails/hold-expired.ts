import { recordedOrders } from '../../payments/payment.ts'
import { rentalTold } from '../../payments/texts/charged.ts'
import { endedReservation, type ReservationEndedFacts } from '../internal/ended-reservation.ts'
import * as example from '../internal/example-facts.ts'
import { nothing } from '../internal/facts.ts'
import { filled, letterFrom } from '../internal/letter-parts.ts'
import type { Letter } from '../letter.tsx'
import { mail } from '../mail.ts'

function holdExpired(facts: ReservationEndedFacts): Letter {
  const { free, told } = rentalTold(facts.orders)
  return letterFrom(facts, {
    subject: `Your hold on unit ${facts.unitNumber} has ended`,
    heading: 'Your hold has ended',
    preview: `${free ? 'You owe nothing. ' : ''}See what is free now.`,
    blocks: [
      `${facts.name}, we could not hold unit ${facts.unitNumber} at ${facts.facility.name} any longer, and others may rent it now. ${told}`,
      'Still need the space? Units of the same size may be free.',
      { button: 'See available units', href: facts.againUrl },
      filled(['Reservation code', facts.reservationCode]),
    ],
  })
}

export const holdExpiredMail = mail('hold_expired', {
  about: 'reservation',
  name: 'Reservation ran out',
  async facts(services, key) {
    const ended = await endedReservation(services, key)
    if (ended?.status !== 'expired') return nothing
    return { to: ended.to, facts: ended.facts }
  },
  letter: holdExpired,
  samples: [
    {
      name: 'hold-expired',
      title: 'Hold expired',
      facts: {
        ...example.maya,
        reservationCode: 'K7QX4M9T',
        orders: recordedOrders([]),
        againUrl: `${example.brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      },
    },
  ],
})

import type { Instant } from '../../../domain/dates.ts'
import { format } from '../../../domain/money.ts'
import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { nothingChargedYet, type RecordedOrders, rentalTold } from '../../payments/texts/charged.ts'
import {
  continueRental,
  moveInNow,
  reservationCancelled as reservationCancelledText,
} from '../../reservations/texts/reserve.ts'
import { type Notice, writeNotice } from '../letter.tsx'
import { addressOf, filled, letterFrom, moment, type PriceFacts, price, type ToRenter } from './shared.ts'

function then(charges: PriceFacts): string {
  return `Then ${format(charges.thenPerPeriod)} a month, billed every 30 days from ${formatUsDay(charges.nextBilling)}.`
}

/** A reservation is confirmed: what is held, until when, what it will cost, and the way back to it (spec 1 §2). */
export function reservationConfirmed(
  facts: ToRenter & {
    reservationCode: string
    size: string
    moveInDate: IsoDate
    holdUntil: Instant
    charges: PriceFacts
    /** A rental in progress, moving in today, and no reservation for another day. */
    rentNow: boolean
    orders: RecordedOrders
    resumeUrl: string
    cancelUrl: string
  },
): Notice {
  const { facility, unitNumber } = facts
  return writeNotice(facts.brand, {
    subject: `Unit ${unitNumber} at ${facility.name} is reserved for you`,
    heading: `Unit ${unitNumber} is yours to take`,
    preview: `Held until ${moment(facility.timeZone, facts.holdUntil)}. No card needed until you move in.`,
    phone: facility.phone,
    blocks: [
      `${facts.name}, ${facts.rentNow ? 'your unit is set aside while you finish your rental' : 'your reservation is confirmed'}. We hold the unit until ${moment(facility.timeZone, facts.holdUntil)}.`,
      { code: facts.reservationCode, label: 'Reservation code' },
      filled(
        ['Unit', `${unitNumber}, ${facts.size}`],
        ['Facility', facility.name],
        ['Address', addressOf(facility)],
        ['Move-in', formatUsDay(facts.moveInDate)],
      ),
      `${facts.rentNow ? 'This link leads back to where you stopped, on any device, with everything you have answered' : 'Move in online whenever you are ready'}: choose insurance, sign the lease and pay. You get your gate code right away.${facts.rentNow ? '' : ' You can stop and come back by this link, on any device.'}`,
      { button: facts.rentNow ? continueRental : moveInNow, href: facts.resumeUrl },
      facts.rentNow
        ? [nothingChargedYet(facts.orders), 'At move-in it comes to:'].filter(Boolean).join(' ')
        : 'You pay nothing today. At move-in it comes to:',
      price('Due at move-in', facts.charges),
      `${then(facts.charges)} Insurance and autopay are as chosen so far and change the total.`,
      { text: 'Plans changed? Cancel the reservation, and the unit is free for others:', href: facts.cancelUrl },
    ],
  })
}

/** The same link by text message. */
export const reservationLinkSms = ({ brand, facility, unitNumber, url }: ToRenter & { url: string }): string =>
  `${brand.name}: unit ${unitNumber} at ${facility.name} is held for you. Sign and pay here: ${url}`

export interface ReservationEndedFacts extends ToRenter {
  orders: RecordedOrders
  reservationCode: string
  againUrl: string
}

export function reservationCancelled(facts: ReservationEndedFacts): Notice {
  const { free, told } = rentalTold(facts.orders)
  return letterFrom(facts, {
    subject: reservationCancelledText,
    heading: reservationCancelledText,
    preview: `Unit ${facts.unitNumber} is free for others.${free ? ' You owe nothing.' : ''}`,
    blocks: [
      `${facts.name}, your reservation of unit ${facts.unitNumber} at ${facts.facility.name} was cancelled as you asked. ${told}`,
      'You did not cancel it? Call us, or reserve again while units are free.',
      { button: 'See available units', href: facts.againUrl },
      filled(['Reservation code', facts.reservationCode]),
    ],
  })
}

export function holdExpired(facts: ReservationEndedFacts): Notice {
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

/** The one mail to who waits for a unit. It holds none. */
export function unitFree(
  facts: Pick<ToRenter, 'brand' | 'facility'> & { size: string; askedOn: IsoDate; unitsUrl: string },
): Notice {
  const { facility, size } = facts
  return letterFrom(facts, {
    subject: `A ${size} is free at ${facility.name}`,
    heading: `A ${size} is free`,
    preview: `At ${facility.name}. The first to reserve or rent has it.`,
    blocks: [
      `On ${formatUsDay(facts.askedOn)} you asked us to tell you when a ${size} is free at ${facility.name}. One is now.`,
      'We hold none for you: the first to reserve or rent has it. Reserving is free and needs no card.',
      { button: 'See units and prices', href: facts.unitsUrl },
      filled(['Facility', facility.name], ['Address', addressOf(facility)]),
      'This is the only mail about it. Ask again on that page if you still need one later.',
    ],
  })
}

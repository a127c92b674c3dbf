import { format } from '../../../domain/money.ts'
import { formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { asRecordedOrders, loadOrdersOfReservation } from '../../payments/payment.ts'
import { nothingChargedYet, type RecordedOrders } from '../../payments/texts/was-money-taken-by-payment-state.ts'
import { agreedTerms } from '../../pricing/agreed-and-offered-terms.ts'
import { priceMoveIn } from '../../pricing/move-in-price.ts'
import { cheapestScheme, priceAssumptions } from '../../pricing/rules/price-assumptions.ts'
import { continueRental, moveInNow } from '../../reservations/texts/reserve.ts'
import * as example from '../internal/example-facts.ts'
import { loadReservationFacts, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import {
  formatAddress,
  formatMoment,
  type PriceFacts,
  priceBlock,
  type RenterFacts,
  tableBlock,
} from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function laterCharges(charges: PriceFacts): string {
  return `Then ${format(charges.thenPerPeriod)} a month, billed every 30 days from ${formatUsDay(charges.nextBilling)}.`
}

/** Confirms a reservation: unit, hold, price, and the link that resumes it (spec 1 §2). */
export function reservationConfirmed(
  facts: RenterFacts & {
    reservationCode: string
    size: string
    moveInDate: IsoDate
    holdUntil: Instant
    charges: PriceFacts
    /** Assumptions of the price, such as 'autopay on'. */
    assumptions: readonly string[]
    /** True for a rental in progress that moves in today, not reserved for another day. */
    rentNow: boolean
    orders: RecordedOrders
    resumeUrl: string
    cancelUrl: string
  },
): Letter {
  const { facility, unitNumber } = facts
  return {
    subject: `Unit ${unitNumber} at ${facility.name} is reserved for you`,
    heading: `Unit ${unitNumber} is yours to take`,
    preview: `Held until ${formatMoment(facility.timeZone, facts.holdUntil)}. No card needed until you move in.`,
    phone: facility.phone,
    blocks: [
      `${facts.name}, ${facts.rentNow ? 'your unit is set aside while you finish your rental' : 'your reservation is confirmed'}. We hold the unit until ${formatMoment(facility.timeZone, facts.holdUntil)}.`,
      { code: facts.reservationCode, label: 'Reservation code' },
      tableBlock(
        ['Unit', `${unitNumber}, ${facts.size}`],
        ['Facility', facility.name],
        ['Address', formatAddress(facility)],
        ['Move-in', formatUsDay(facts.moveInDate)],
      ),
      `${facts.rentNow ? 'This link leads back to where you stopped, on any device, with everything you have answered' : 'Move in online whenever you are ready'}: choose insurance, sign the lease and pay. You get your gate code right away.${facts.rentNow ? '' : ' You can stop and come back by this link, on any device.'}`,
      { button: facts.rentNow ? continueRental : moveInNow, href: facts.resumeUrl },
      facts.rentNow
        ? [nothingChargedYet(facts.orders), 'At move-in it comes to:'].filter(Boolean).join(' ')
        : 'You pay nothing today. At move-in it comes to:',
      priceBlock('Due at move-in', facts.charges),
      `${laterCharges(facts.charges)} This price is ${facts.assumptions.join(', ')}. What you choose changes it.`,
      {
        text: 'Plans changed? Cancel the reservation, and the unit is free for others.',
        link: 'Cancel the reservation',
        href: facts.cancelUrl,
      },
    ],
  }
}

export const reservationConfirmedMail = mail('reservation_confirmed', {
  about: 'reservation',
  name: 'Reservation confirmed',
  async facts(services, key) {
    const reservationFacts = await loadReservationFacts(services, key)
    // A rental that was paid meanwhile has its own mail; one that was cancelled or expired is no longer confirmed.
    if (key.rentNow && reservationFacts?.reservation.status !== 'active') return noMessage
    const facts = reservationFacts && (await loadFacilityFacts(services, [key.locationCode])).get(key.locationCode)
    const type = facts?.unitTypes.find(
      (unitType) => unitType.unit_type_id === reservationFacts?.reservation.unit_type_id,
    )
    const prospect = await services.db.read
      .selectFrom('prospects')
      .select(['uuid', 'location_code'])
      // The code alone is unique and indexed; the prospect's facility is compared below.
      .where('res_code', '=', key.reservationCode)
      .executeTakeFirst()
    if (
      !reservationFacts ||
      !facts ||
      !type ||
      prospect?.location_code !== key.locationCode ||
      reservationFacts.tenant.email === ''
    )
      return noMessage
    const terms = agreedTerms(facts, type, reservationFacts.reservation)
    const scheme = cheapestScheme(facts.schemes)
    const charges = priceMoveIn(facts, type, {
      moveInDate: reservationFacts.reservation.required_date,
      discount: terms.discount,
      scheme,
      access24: false,
      cardFee: false,
      agreed: terms,
    })
    return {
      to: reservationFacts.tenant.email,
      facts: {
        ...renterFactsOf(reservationFacts, reservationFacts.tenant.first, reservationFacts.reservation.unit_number),
        reservationCode: reservationFacts.reservation.reservation_code,
        size: `${sizeLabel(type)}, ${type.category_name}`,
        moveInDate: reservationFacts.reservation.required_date,
        holdUntil: reservationFacts.reservation.hold_until,
        charges,
        assumptions: priceAssumptions(scheme?.scheme_name ?? null),
        rentNow: key.rentNow === true,
        orders: asRecordedOrders(await loadOrdersOfReservation(services.db.read, key)),
        resumeUrl: `${services.publicUrl}/reservation/${prospect.uuid}`,
        cancelUrl: `${services.publicUrl}/reservation/${prospect.uuid}/cancel`,
      },
    }
  },
  letter: reservationConfirmed,
  samples: [
    {
      name: 'reservation-confirmed',
      title: 'Reservation confirmed',
      facts: {
        ...example.reservation,
        rentNow: false,
      },
    },
    {
      name: 'rental-begun',
      title: 'Rental begun',
      facts: {
        ...example.reservation,
        rentNow: true,
      },
    },
  ],
})

/** Converts discounts, reservations and offers to inputs of a price, and to forms that can be stored or compared. */

import type { Selectable } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import {
  type DiscountRow,
  type FacilityFacts,
  newRenterDiscount,
  type SchemeRow,
  type UnitTypeRow,
} from '../facilities/facility-facts-for-pricing.ts'
import type { JourneyOffer } from '../reservations/rules/journey/journey-answers.ts'
import { type Discount, isFirstMonthFree } from './rules/discount.ts'
import { feesOf } from './rules/unit-type-fees.ts'
import { newRenterRent } from './rules/web-price-or-street-rate.ts'

export const toDiscount = (row: DiscountTerms | null): Discount | null =>
  row && { id: row.discount_id, description: row.description, amount: row.amount, type: row.type }

/** A renter's choices that decide the price of a move-in. */
export interface PriceChoices {
  moveInDate: IsoDate
  /** Discount after the autopay rule was applied (`discountWithAutopay`). */
  discount: DiscountTerms | null
  scheme: SchemeRow | null
  access24: boolean
  cardFee: boolean
  /** Rent agreed with the reservation; without it, today's prices. */
  agreed?: { rent: number; streetRent: number }
}

/** Fields of a discount that determine its effect on a price. */
export type DiscountTerms = Pick<DiscountRow, 'discount_id' | 'description' | 'amount' | 'type'>

/** Converts a discount to columns of a reservation, from which `agreedTerms` reads it. */
export const discountAsAgreed = (
  discount: DiscountTerms | null,
): Pick<ReservationsTable, 'discount_id' | 'agreed_discount'> => ({
  discount_id: discount?.discount_id ?? 0,
  agreed_discount:
    discount && JSON.stringify({ description: discount.description, amount: discount.amount, type: discount.type }),
})

/** Returns the rents and discount agreed with an active or completed reservation of this type, else today's offer. */
export function agreedTerms(
  facts: FacilityFacts,
  type: UnitTypeRow,
  reservation: Selectable<ReservationsTable> | null,
): { rent: number; streetRent: number; discount: DiscountTerms | null } {
  const isAgreed = reservation?.status === 'active' || reservation?.status === 'completed'
  if (!reservation || !isAgreed || reservation.unit_type_id !== type.unit_type_id) {
    return { rent: newRenterRent(type), streetRent: type.rent, discount: newRenterDiscount(facts, type.unit_type_id) }
  }
  return {
    rent: reservation.rent,
    streetRent: reservation.street_rent,
    // The agreed discount stays valid after the facility has changed or withdrawn it.
    discount:
      reservation.agreed_discount === null
        ? // No discount was agreed (id 0), or the reservation was made before agreed discounts were stored.
          (facts.discounts.find((row) => row.discount_id === reservation.discount_id) ?? null)
        : {
            ...parseJson(reservation.agreed_discount, hasFields<Omit<DiscountTerms, 'discount_id'>>('amount', 'type')),
            discount_id: reservation.discount_id,
          },
  }
}

/**
 * Returns rent, discount and price list of a unit type as an offer, which tells whether lease terms have changed
 * (`leaseTerms` in modules/reservations/rules/journey/journey-answers.ts).
 */
export function comparableOffer(
  facts: FacilityFacts,
  type: UnitTypeRow,
  terms: { rent: number; discount: DiscountTerms | null },
): JourneyOffer {
  const { location, schemes } = facts
  const { discount } = terms
  return {
    unitTypeId: type.unit_type_id,
    rent: terms.rent,
    discountId: discount?.discount_id ?? 0,
    firstMonthFree: isFirstMonthFree(toDiscount(discount)),
    priceList: JSON.stringify([
      [location.rent_tax_rate, location.insurance_tax_rate, location.fee_tax_rate],
      schemes.map((row) => [row.scheme_id, row.premium, row.coverage]),
      feesOf(facts, type.unit_type_id).map((row) => [row.fee_id, row.amount, row.charged]),
      facts.feeFor24HourAccess,
      discount && [discount.amount, discount.type],
    ]),
  }
}

/**
 * What renting costs. Gathers a facility's facts in one round of queries and hands them to the one function of every price
 * (modules/pricing/rules/charges.ts): the location page, the summary beside every later page, the lease and the payment all come here.
 */
import type { Selectable } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { ReservationsTable } from '../../platform/schema/tables.ts'
import {
  type DiscountRow,
  discountFor,
  type FacilityFacts,
  feesOf,
  type SchemeRow,
  type UnitTypeRow,
} from '../facilities/facts.ts'
import type { Offer } from '../reservations/rules/journey/answers.ts'
import { type Discount, isFirstMonthFree } from './rules/discount.ts'

/** What a new renter pays per period: the web price where there is one, else the street rate. */
export const rentOf = (type: UnitTypeRow): number =>
  type.internet_price_available === 1 ? type.internet_price : type.rent

export const discountOf = (row: DiscountTerms | null): Discount | null =>
  row && { id: row.discount_id, description: row.description, amount: row.amount, type: row.type }

export interface PriceChoices {
  moveInDate: IsoDate
  /** Already rid of what autopay switched off takes away. */
  discount: DiscountTerms | null
  scheme: SchemeRow | null
  access24: boolean
  cardFee: boolean
  /** Agreed with a reservation; else today's prices. */
  agreed?: { rent: number; streetRent: number }
}

/** What a price needs of a discount. */
export type DiscountTerms = Pick<DiscountRow, 'discount_id' | 'description' | 'amount' | 'type'>

/** A discount as a reservation keeps it; `agreedTerms` reads it. */
export const discountAsAgreed = (
  discount: DiscountTerms | null,
): Pick<ReservationsTable, 'discount_id' | 'agreed_discount'> => ({
  discount_id: discount?.discount_id ?? 0,
  agreed_discount:
    discount && JSON.stringify({ description: discount.description, amount: discount.amount, type: discount.type }),
})

/** Rent and discount as agreed with the reservation while it stands, else as offered today. */
export function agreedTerms(
  facts: FacilityFacts,
  type: UnitTypeRow,
  reservation: Selectable<ReservationsTable> | null,
): { rent: number; streetRent: number; discount: DiscountTerms | null } {
  const stands = reservation?.status === 'active' || reservation?.status === 'completed'
  if (!reservation || !stands || reservation.unit_type_id !== type.unit_type_id) {
    return { rent: rentOf(type), streetRent: type.rent, discount: discountFor(facts, type.unit_type_id) }
  }
  return {
    rent: reservation.rent,
    streetRent: reservation.street_rent,
    // Agreed is agreed: it counts as it was, though it may be another one by now, or not offered any more.
    discount:
      reservation.agreed_discount === null
        ? // Of a reservation from before that was kept.
          (facts.discounts.find((row) => row.discount_id === reservation.discount_id) ?? null)
        : {
            ...(JSON.parse(reservation.agreed_discount) as Omit<DiscountTerms, 'discount_id'>),
            discount_id: reservation.discount_id,
          },
  }
}

/** What the lease terms are compared by (modules/reservations/rules/journey/answers.ts `leaseTerms`). */
export function offerOf(
  facts: FacilityFacts,
  type: UnitTypeRow,
  terms: { rent: number; discount: DiscountTerms | null },
): Offer {
  const { location, schemes } = facts
  const { discount } = terms
  return {
    unitTypeId: type.unit_type_id,
    rent: terms.rent,
    discountId: discount?.discount_id ?? 0,
    firstMonthFree: isFirstMonthFree(discountOf(discount)),
    priceList: JSON.stringify([
      [location.rent_tax_rate, location.insurance_tax_rate, location.fee_tax_rate],
      schemes.map((row) => [row.scheme_id, row.premium, row.coverage]),
      feesOf(facts, type.unit_type_id).map((row) => [row.fee_id, row.amount, row.charged]),
      facts.feeFor24HourAccess,
      discount && [discount.amount, discount.type],
    ]),
  }
}

import { type FacilityFacts, toFee, type UnitTypeRow } from '../facilities/facility-facts-for-pricing.ts'
import { type PriceChoices, toDiscount } from './agreed-and-offered-terms.ts'
import { type Charges, moveInCharges } from './rules/charges.ts'
import { cardFeeOf, feesOf, fullDayAccessFeeOf } from './rules/unit-type-fees.ts'
import { newRenterRent } from './rules/web-price-or-street-rate.ts'

/** Returns the price of a move-in, by `moveInCharges`, from the facility's rents, fees and tax rates. */
export function priceMoveIn(facts: FacilityFacts, type: UnitTypeRow, choices: PriceChoices): Charges {
  const { location } = facts
  const fees = feesOf(facts, type.unit_type_id)
  const { scheme } = choices
  return moveInCharges({
    rent: choices.agreed?.rent ?? newRenterRent(type),
    streetRent: choices.agreed?.streetRent ?? type.rent,
    discount: toDiscount(choices.discount),
    insurance: scheme && { schemeId: scheme.scheme_id, name: scheme.scheme_name, premium: scheme.premium },
    moveInFees: fees.filter((row) => row.charged === 'move_in').map(toFee),
    periodFees: fees.filter((row) => row.charged === 'period').map(toFee),
    access24: choices.access24 ? fullDayAccessFeeOf(facts, type.unit_type_id) : null,
    cardFee: choices.cardFee ? cardFeeOf(facts, type.unit_type_id) : null,
    taxRates: { rent: location.rent_tax_rate, insurance: location.insurance_tax_rate, fee: location.fee_tax_rate },
    moveInDate: choices.moveInDate,
  })
}

import type { Cents } from '../../domain/money.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { cardFeeApplies } from './rules/card-fee-applies.ts'
import { cardFeeOf } from './rules/unit-type-fees.ts'

/**
 * Returns the card fee of a payment; null when the unit type has none, with autopay, or for a payment from a bank
 * account.
 */
export function cardFeeFor(
  facts: FacilityFacts,
  unitTypeId: number,
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
): { feeId: number; amount: Cents } | null {
  const fee = cardFeeOf(facts, unitTypeId)
  return fee && cardFeeApplies({ ccFee: true, ...payment }) ? fee : null
}

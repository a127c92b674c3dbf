import type { Cents } from '../../domain/money.ts'
import { type FacilityFacts, feesOf } from '../facilities/facility-price-facts.ts'
import { cardFeeApplies } from './rules/card-fee-applies.ts'

/** Returns the card processing fee; null where the facility charges none. */
export function cardFeeOf(facts: FacilityFacts, unitTypeId: number): { feeId: number; amount: number } | null {
  const row = feesOf(facts, unitTypeId).find((fee) => fee.charged === 'card')
  return row && facts.location.cc_fee === 1 ? { feeId: row.fee_id, amount: row.amount } : null
}

/**
 * Returns the card fee of a payment; null when the facility has none, with autopay, or for a payment from a bank
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

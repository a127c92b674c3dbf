import type { Cents } from '../../domain/money.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { cardFeeApplies } from './rules/card-fee-applies.ts'
import { cardFeeOf } from './rules/unit-type-fees.ts'

/**
 * Returns the card fee of a payment for a lease, before tax; null when the unit type has none, for a payment from a bank
 * account or one that turns autopay on, and for any payment for a lease that is on autopay.
 */
export function cardFeeFor(
  facts: FacilityFacts,
  lease: Pick<LeasesTable, 'unit_type_id' | 'autopay'>,
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
): { feeId: number; amount: Cents } | null {
  const fee = cardFeeOf(facts, lease.unit_type_id)
  const autopay = payment.autopay || lease.autopay !== 0
  return fee && cardFeeApplies({ ccFee: true, autopay, method: payment.method }) ? fee : null
}

import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { feeChargeEntries } from '../ledger/rules/fee-charge-entries.ts'
import { feesOf } from '../pricing/rules/unit-type-fees.ts'
import type { StaffEntry } from '../standing/add-staff-ledger-entries.ts'

/** Returns a unit type's fee for a returned check before tax, `amount` in cents; null where the facility charges none. */
export const returnedCheckFee = (
  facts: FacilityFacts,
  unitTypeId: number,
): { amount: number; description: string } | null =>
  feesOf(facts, unitTypeId).find((fee) => fee.charged === 'returned') ?? null

/** Returns the entries of the facility's fee for a returned check, with tax; empty without facts or without a fee. */
export function returnedCheckFeeEntries(
  facts: FacilityFacts | undefined,
  unitTypeId: number,
  receiptId: string,
): StaffEntry[] {
  const fee = facts && returnedCheckFee(facts, unitTypeId)
  if (!fee) return []
  const entries = feeChargeEntries(fee, facts.location.fee_tax_rate, `order:${receiptId}:returned`)
  return entries.map((entry) => ({ ...entry, orderId: receiptId }))
}

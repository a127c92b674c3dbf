import type { Cents } from '../../domain/money.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type FacilityFacts, facilityFacts, feesOf } from '../facilities/facility-price-facts.ts'
import { feeChargeEntries } from '../ledger/rules/fee-charge-entries.ts'
import type { StaffEntry } from '../standing/staff-ledger-entries.ts'

/** Returns the fee for a returned check, before tax; null where the facility charges none. */
export const returnedCheckFee = (
  facts: FacilityFacts,
  unitTypeId: number,
): { amount: number; description: string } | null =>
  feesOf(facts, unitTypeId).find((fee) => fee.charged === 'returned') ?? null

/** Returns the entries of the facility's fee for a returned check, with tax; empty where it charges none. */
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

/** Returns the fee for returning a receipt's check, with tax, in cents; 0 where the facility charges none. */
export async function loadReturnedCheckFee(
  services: Services,
  { locationCode, receiptId }: { locationCode: string; receiptId: string },
): Promise<Cents> {
  const paid = await services.db.read
    .selectFrom('ledger_entries')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'ledger_entries.location_code')
        .onRef('leases.lease_number', '=', 'ledger_entries.lease_number'),
    )
    .select('leases.unit_type_id')
    .where('ledger_entries.order_id', '=', receiptId)
    .where('ledger_entries.kind', '=', 'payment')
    .orderBy('ledger_entries.lease_number')
    .executeTakeFirst()
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  if (!paid) return 0
  return returnedCheckFeeEntries(facts, paid.unit_type_id, receiptId).reduce((sum, { cents }) => sum + cents, 0)
}

import type { Cents } from '../../../domain/money.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { returnedCheckFeeEntries } from '../returned-check-fee-entries.ts'

/**
 * Returns the fee for returning a receipt's check, with tax, in cents; 0 where the facility charges none or the receipt
 * paid no lease.
 */
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
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  if (!paid) return 0
  return returnedCheckFeeEntries(facts, paid.unit_type_id, receiptId).reduce((sum, { cents }) => sum + cents, 0)
}

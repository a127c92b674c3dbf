import { lateFeeOf } from '../../facilities/facility-facts-for-pricing.ts'
import type { NewEntry } from '../../ledger/build-and-insert-entries.ts'
import { feeChargeEntries } from '../../ledger/rules/fee-charge-entries.ts'
import { LATE_FEE_AFTER_DAYS } from '../rules/late-fee-day.ts'
import { periodsReachingAge } from '../rules/periods-due.ts'
import type { BillableLease, BillingDay } from './leases-to-bill.ts'

/**
 * Returns the ledger entries, fee and tax, of a late fee for each of a lease's unpaid periods that has become late
 * since the last billing. Empty when the facility charges no late fee.
 */
export function lateFees(
  { facts, lateSince, date }: BillingDay,
  row: BillableLease,
  unpaid: Parameters<typeof periodsReachingAge>[1],
): NewEntry[] {
  const fee = lateFeeOf(facts, row.unit_type_id)
  if (!fee) return []
  return periodsReachingAge(LATE_FEE_AFTER_DAYS, unpaid, lateSince, date)
    .flatMap((start) => feeChargeEntries(fee, facts.location.fee_tax_rate, `late:${start}`))
    .map((entry) => ({ ...entry, leaseNumber: row.lease_number }))
}

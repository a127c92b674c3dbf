import { taxOn } from '../../../domain/sales-tax.ts'
import { lateFeeOf } from '../../facilities/facility-facts-for-pricing.ts'
import type { NewEntry } from '../../ledger/entries.ts'
import { LATE_FEE_AFTER_DAYS } from '../rules/late-fee-day.ts'
import { periodsReachingAge } from '../rules/periods-due.ts'
import type { BillableLease, BillingDay } from './leases-to-bill.ts'

/**
 * Returns the ledger entries, fee and tax, of a late fee for each unpaid period of a lease that has become late since
 * the last billing. Empty when the facility charges no late fee.
 */
export function lateFees(
  { facts, lateSince, date }: BillingDay,
  row: BillableLease,
  unpaid: Parameters<typeof periodsReachingAge>[1],
): NewEntry[] {
  const fee = lateFeeOf(facts, row.unit_type_id)
  if (!fee) return []
  const leaseNumber = row.lease_number
  const tax = taxOn(fee.amount, facts.location.fee_tax_rate)
  return periodsReachingAge(LATE_FEE_AFTER_DAYS, unpaid, lateSince, date).flatMap((start): NewEntry[] => [
    { leaseNumber, kind: 'fee', cents: fee.amount, description: fee.description, once: `late:${start}:fee` },
    ...(tax > 0
      ? [{ leaseNumber, kind: 'tax' as const, cents: tax, description: 'Tax on fees', once: `late:${start}:tax` }]
      : []),
  ])
}

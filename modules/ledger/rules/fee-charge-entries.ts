import type { Cents } from '../../../domain/money.ts'
import { type TaxRate, taxOn } from '../../../domain/sales-tax.ts'
import { taxOnFees } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { type EntryToWrite, taxKeyOf } from './stored-and-new-ledger-entries.ts'

/**
 * Returns the ledger entries that charge a fee from the facility's price list to a lease, with the tax on the fee.
 * @param once beginning of the entries' idempotency keys, such as 'late:2026-11-01' or the key of a submitted form
 */
export function feeChargeEntries(
  fee: { description: string; amount: Cents },
  rate: TaxRate,
  once: string,
): EntryToWrite[] {
  const key = `${once}:fee`
  const tax = taxOn(fee.amount, rate)
  return [
    { kind: 'fee', cents: fee.amount, description: fee.description, once: key },
    ...(tax > 0 ? [{ kind: 'tax' as const, cents: tax, description: taxOnFees, once: taxKeyOf(key) }] : []),
  ]
}

import type { Cents } from '../../../domain/money.ts'
import { taxOnCredit } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { isKeyOf, recordOf } from '../../../domain/typed-keys.ts'
import type { Entry } from '../../ledger/rules/ledger.ts'
import type { EntryAct } from '../../standing/rules/staff-ledger-act-names.ts'
import { taxOnDaysNotUsed } from '../../transfers/texts/transfer.ts'

/** A ledger entry with the fields by which the day's entries are summed. */
export interface PostedEntry {
  lease_number: number
  kind: Entry['kind']
  cents: Cents
  description: string
  once: string
  period_start: string | null
  period_end: string | null
  posted_on: string
  /** Office operation that wrote the entry; null for other entries. */
  act: EntryAct | null
}

const kindSums = {
  rent: 'rent_charged',
  discount: 'discounts_given',
  insurance: 'insurance_charged',
  fee: 'fees_charged',
  tax: 'tax_charged',
  payment: 'payments',
  refund: 'refunds',
  reversal: 'reversals',
  credit: 'credits_given',
} as const satisfies Record<Entry['kind'], string>
export type KindSums = Record<(typeof kindSums)[Entry['kind']], Cents>

/**
 * Sums entries by kind, signed as in the ledger: charges above 0, payments below. The total is the change of the
 * balances.
 */
export function sumsByKind(entries: readonly PostedEntry[]): KindSums {
  const sums: KindSums = recordOf(Object.values(kindSums), () => 0)
  for (const { kind, cents } of entries) sums[kindSums[kind]] += cents
  return sums
}

/** Sums credits as bad debts and as concessions, in cents, signed as in the ledger. Moved balances are neither. */
export function creditSums(entries: readonly PostedEntry[]): { concessions: Cents; bad_debt: Cents } {
  const sums = { concessions: 0, bad_debt: 0 }
  for (const { kind, cents, act, once } of entries) {
    if (kind !== 'credit' || act === 'move') continue
    sums[act === 'write-off' || once.endsWith(':write_off') ? 'bad_debt' : 'concessions'] += cents
  }
  return sums
}

/** A day's sales tax and taxed bases, in cents. */
export interface TaxSums {
  rent_tax: Cents
  insurance_tax: Cents
  fee_tax: Cents
  /** Tax reversed by credits, as a negative amount. */
  credit_tax: Cents
  /** Taxed rent, less discounts and what was waived. */
  rent_base: Cents
  /** Taxed insurance premiums, less what was waived. */
  insurance_base: Cents
  /** Taxed fees, less what was waived. */
  fee_base: Cents
  /** Charges without tax. */
  exempt: Cents
}

type Taxed = 'rent' | 'insurance' | 'fee' | 'credit'

/**
 * Returns the kind of charge that a tax entry is on: 'Tax on fees' and 'Tax on fees waived' → 'fee'. Tax that a credit
 * reverses has the kind 'credit'.
 */
function taxedKind(description: string): Taxed {
  if (description === taxOnCredit || description === taxOnDaysNotUsed) return 'credit'
  return /\bfees\b/.test(description) ? 'fee' : /\binsurance\b/.test(description) ? 'insurance' : 'rent'
}

const baseOf = { rent: 'rent', discount: 'rent', insurance: 'insurance', fee: 'fee' } as const
/**
 * Returns the key of an entry's group, which joins a charge and its tax: lease and period; without a period, lease and
 * the entry's `once` key without the suffix of a fee or tax.
 */
const groupOf = ({ lease_number, period_start, period_end, once }: PostedEntry) =>
  `${lease_number}:${period_end === null ? once.replace(/(:fee|_tax|:tax)$/, '') : `${period_start}:${period_end}`}`

/** Sums the sales tax of a day's entries by taxed base. A charge is exempt if its group has no tax entry on its kind. */
export function taxSums(entries: readonly PostedEntry[]): TaxSums {
  const sums: TaxSums = {
    rent_tax: 0,
    insurance_tax: 0,
    fee_tax: 0,
    credit_tax: 0,
    rent_base: 0,
    insurance_base: 0,
    fee_base: 0,
    exempt: 0,
  }
  for (const group of Map.groupBy(entries, groupOf).values()) {
    const taxed = new Set<Taxed>()
    for (const { kind, cents, description } of group) {
      if (kind !== 'tax') continue
      const base = taxedKind(description)
      taxed.add(base)
      sums[`${base}_tax`] += cents
    }
    for (const { kind, cents } of group) {
      if (!isKeyOf(baseOf, kind)) continue
      const base = baseOf[kind]
      if (taxed.has(base)) sums[`${base}_base`] += cents
      else sums.exempt += cents
    }
  }
  return sums
}

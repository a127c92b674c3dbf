import type { Selectable } from 'kysely'
import { addDays } from '../../domain/plain-date.ts'
import { PREPAY_PERIODS_DEFAULT } from '../../domain/prepaid-period-limits.ts'
import { cardProcessingFee } from '../../domain/texts/payment.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeaseFeesTable, LeasesTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { cardFeeFor } from '../pricing/card-fee-of-lease-payment.ts'
import { type PeriodInput, type PrepayQuote, prepayQuote } from '../pricing/rules/charges.ts'
import { fee24HourAccess } from '../pricing/texts/full-day-access-fee-name.ts'

/**
 * Returns the price inputs, without a card fee, of a lease's next unpaid period: the lease's rent, premium and fees, a
 * scheduled rent change, and today's tax rates. A caller may replace `periodStart`; the price then uses that period's rent.
 */
export function nextPeriodInput(
  facts: FacilityFacts,
  lease: Pick<
    Selectable<LeasesTable>,
    | 'unit_type_id'
    | 'rent'
    | 'next_rent'
    | 'next_rent_from'
    | 'paid_through'
    | 'insurance_status'
    | 'insurance_scheme_id'
    | 'insurance_premium'
  >,
  fees: readonly Selectable<LeaseFeesTable>[],
): PeriodInput {
  const { location } = facts
  const access = fees.find((row) => row.description === fee24HourAccess)
  // A retired insurance scheme continues for tenants who have it.
  const scheme = [...facts.schemes, ...facts.retiredSchemes].find((row) => row.scheme_id === lease.insurance_scheme_id)
  return {
    rent: lease.rent,
    coming:
      lease.next_rent !== null && lease.next_rent_from !== null
        ? { rent: lease.next_rent, from: lease.next_rent_from }
        : null,
    insurance:
      lease.insurance_status === 1
        ? {
            schemeId: lease.insurance_scheme_id,
            name: scheme?.scheme_name ?? 'Insurance',
            premium: lease.insurance_premium,
          }
        : null,
    periodFees: fees
      .filter((row) => row !== access)
      .map((row) => ({ feeId: row.fee_id, description: row.description, amount: row.amount })),
    access24: access ? { feeId: access.fee_id, amount: access.amount } : null,
    cardFee: null,
    taxRates: { rent: location.rent_tax_rate, insurance: location.insurance_tax_rate, fee: location.fee_tax_rate },
    periodStart: addDays(lease.paid_through, 1),
  }
}

/**
 * Returns the price of paying several periods of a lease ahead (spec 2 §3 "Prepay quote").
 * @param periods 1 to 12
 */
export const quotePrepay = (
  facts: FacilityFacts,
  lease: Selectable<LeasesTable>,
  fees: readonly Selectable<LeaseFeesTable>[],
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
  periods: number = PREPAY_PERIODS_DEFAULT,
): PrepayQuote =>
  prepayQuote({ ...nextPeriodInput(facts, lease, fees), cardFee: cardFeeFor(facts, lease, payment) }, periods)

/** Returns whether the lease was ever charged a card processing fee. */
export async function hasCardFee(
  services: Services,
  lease: { location_code: string; lease_number: number },
): Promise<boolean> {
  const entry = await services.db.read
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('kind', '=', 'fee')
    .where('description', '=', cardProcessingFee)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

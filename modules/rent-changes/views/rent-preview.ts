import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { nextPeriodInput } from '../../ledger/quote-prepay.ts'
import { type PeriodCharges, periodCharges, type ScheduledRent } from '../../pricing/rules/charges.ts'
import { earliestRentDay, firstPeriodFrom } from '../rules/rent-change.ts'

/** Effect of a proposed rent, computed by the functions that charge rents. */
export interface RentPreview {
  /** First day of the first period at the new rent. */
  from: IsoDate
  /** Charges of a period at the current rent, with taxes and fees. `later` is at the new rent. */
  today: Pick<PeriodCharges, 'lines' | 'total'>
  later: Pick<PeriodCharges, 'lines' | 'total'>
}

/**
 * Computes the effect of a new rent whose notice is sent today.
 * @param newRent in cents
 */
export async function previewRent(
  services: Services,
  facts: FacilityFacts,
  lease: Lease,
  { newRent, wantedFrom }: { newRent: Cents; wantedFrom: IsoDate | null },
): Promise<RentPreview> {
  const [fees, chargedThrough] = await Promise.all([
    loadLeaseFees(services.db.read, lease.location_code, lease.lease_number),
    loadChargedThrough(services.db.read, lease),
  ])
  const from = firstPeriodFrom(
    chargedThrough,
    earliestRentDay({ oldRent: lease.rent, newRent, wantedFrom }, facts.today),
  )
  const period = nextPeriodInput(facts, lease, fees)
  const coming: ScheduledRent = { rent: newRent, from }
  return {
    from,
    today: periodCharges({ ...period, coming: null }),
    later: periodCharges({ ...period, coming, periodStart: from }),
  }
}

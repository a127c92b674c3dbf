import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts } from '../../facilities/facts.ts'
import type { Lease } from '../../leases/lease.ts'
import { leaseFeesOf } from '../../leases/lease-fees.ts'
import { leasePeriod } from '../../ledger/period-price.ts'
import { chargedThrough } from '../../ledger/totals.ts'
import { type ComingRent, type PeriodCharges, periodCharges } from '../../pricing/rules/charges.ts'
import { firstPeriodFrom, notBefore } from '../rules/rent-change.ts'

/** Effect of a proposed rent, computed by the functions that charge it. */
export interface RentPreview {
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
  const [fees, charged] = await Promise.all([
    leaseFeesOf(services.db.read, lease.location_code, lease.lease_number),
    chargedThrough(services.db.read, lease),
  ])
  const from = firstPeriodFrom(charged, notBefore({ oldRent: lease.rent, newRent, wantedFrom }, facts.today))
  const period = leasePeriod(facts, lease, fees, null)
  const coming: ComingRent = { rent: newRent, from }
  return {
    from,
    today: periodCharges({ ...period, coming: null }),
    later: periodCharges({ ...period, coming, periodStart: from }),
  }
}

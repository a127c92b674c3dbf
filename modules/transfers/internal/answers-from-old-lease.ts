import type { Kysely } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import type { Answers } from '../../reservations/rules/journey/journey-answers.ts'

/**
 * Returns the answers with which a transfer's rental draft begins: the first day, and from the old lease 24-hour access
 * and, if it is still offered, the insurance plan. The tenant can change access and plan before signing. Autopay is never
 * taken over.
 */
export async function answersFromOldLease(
  db: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  startsOn: IsoDate,
): Promise<Answers> {
  const fees = await loadLeaseFees(db, lease.location_code, lease.lease_number)
  const { insurance_status: status, insurance_scheme_id: schemeId } = lease
  const offered = status === 1 && facts.schemes.some((scheme) => scheme.scheme_id === schemeId)
  return {
    moveInDate: startsOn,
    startsOn,
    ...(offered && { insurance: { status: 1 as const, schemeId } }),
    ...(fees.some(({ description }) => description === fee24HourAccess) && { fullDayAccess: true }),
  }
}

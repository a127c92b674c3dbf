import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import type { BrandRecord } from '../../facilities/rules/brand.ts'
import { loadFactsAt } from '../../facilities/views/facility-of-tenant-pages.ts'
import { loadUpdatedAgreement, type UpdatedAgreement } from '../internal/accept-updated-terms.ts'

/** Key of a lease whose updated terms wait for acceptance. */
interface PendingLease {
  locationCode: string
  tenantId: number
  leaseNumber: number
}

type Operator = Pick<BrandRecord, 'name' | 'legalName'>

/** Agreement with the updated terms, as shown on the page that asks the tenant to accept them. */
export type AgreementToAccept = Pick<UpdatedAgreement, 'unitNumber' | 'facilityName' | 'sections' | 'hash'>

/**
 * Loads the agreement that a tenant is asked to accept; null where the lease is closed or not the tenant's, or its unit
 * type or tenant no longer exists.
 */
export async function loadAgreementToAccept(
  services: Services,
  lease: PendingLease,
  facts: FacilityFacts,
  brand: Operator,
): Promise<AgreementToAccept | null> {
  const agreement = await loadUpdatedAgreement(services, lease, { facts, brand })
  if (!agreement) return null
  const { unitNumber, facilityName, sections, hash } = agreement
  return { unitNumber, facilityName, sections, hash }
}

/**
 * Creates the PDF of the agreement that a tenant is asked to accept; null where the lease is closed or not the
 * tenant's, or its facility, unit type or tenant no longer exists.
 * @param loadedFacts facts that the page has loaded, perhaps of another facility than the lease's
 */
export async function loadUpdatedAgreementPdf(
  services: Services,
  lease: PendingLease,
  loadedFacts: FacilityFacts,
  brand: Operator,
): Promise<{ unitNumber: string; content: Uint8Array } | null> {
  const facts = await loadFactsAt(services, loadedFacts, lease.locationCode)
  const agreement = facts && (await loadUpdatedAgreement(services, lease, { facts, brand }))
  return agreement ? { unitNumber: agreement.unitNumber, content: await agreement.pdf() } : null
}

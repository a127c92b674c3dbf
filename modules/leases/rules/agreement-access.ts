/** Rental session that asks for its signed agreement. */
export interface AgreementReader {
  proof: 'own' | 'link' | 'names'
  existingTenant: boolean
  locationCode: string
  tenantId: number | null
}

/** Account that is signed in. */
interface SignedInAccount {
  tenants: readonly { locationCode: string; tenantId: number }[]
}

/**
 * Returns whether a rental session may read its signed agreement, which shows the tenant's full contact data: the
 * browser that entered the tenant, one with the mailed link, or the tenant's account. A session that found the rental
 * by name may not.
 */
export const mayReadAgreement = (
  { proof, existingTenant, locationCode, tenantId }: AgreementReader,
  account: SignedInAccount | undefined,
): boolean =>
  proof === 'link' ||
  (proof === 'own' && !existingTenant) ||
  account?.tenants.some((tenant) => tenant.locationCode === locationCode && tenant.tenantId === tenantId) === true

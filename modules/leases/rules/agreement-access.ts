import type { RentalProof } from '../../../domain/draft-ownership-proof-kinds.ts'
import { type AccountOfTenants, hasTenant } from '../../tenants/rules/account-has-tenant.ts'

/** Rental session that requests its signed agreement. */
export interface AgreementReader {
  proof: RentalProof
  existingTenant: boolean
  locationCode: string
  tenantId: number | null
}

/**
 * Returns whether a rental session may read its signed agreement, which shows the tenant's full contact data: the
 * browser that entered the tenant, one with the mailed link, or the tenant's account. A session that found the rental
 * by name may not.
 */
export const mayReadAgreement = (reader: AgreementReader, account: AccountOfTenants | undefined): boolean =>
  reader.proof === 'link' || (reader.proof === 'own' && !reader.existingTenant) || hasTenant(account, reader)

/**
 * Matches a renter's contact data to an existing tenant. The e-mail address alone proves nothing, since anyone can type
 * it (spec 1 §4).
 */
import type { Selectable } from 'kysely'
import { emailKey, nameKey } from '../../domain/name-and-email-keys.ts'
import { lastFour } from '../../domain/phone.ts'
import { checkAndCountGuess, countWrongGuess } from '../../platform/operations/brute-force-limits.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { TenantsTable } from '../../platform/schema/tables.ts'
import { findProtectedTenants } from '../leases/tenants-with-protected-identity.ts'
import { hasPhoneEnding } from '../tenants/rules/has-phone-ending.ts'
import type { Contact } from './rules/reservation-form.ts'

type Tenant = Selectable<TenantsTable>

/** Contact data by which a renter is recognized as an existing tenant. */
export type Claim = Pick<Contact, 'last' | 'email' | 'cell_phone'>

/** Returns whether the last name, and the last four digits of any phone of the tenant, match. */
export function isSamePerson(tenant: Tenant, claim: Claim): boolean {
  return nameKey(tenant.last) === nameKey(claim.last) && hasPhoneEnding(tenant, lastFour(claim.cell_phone))
}

/**
 * Finds the existing tenant with a renter's e-mail address, last name and phone digits. Each call for a tenant's
 * address counts as a guess at the digits, so beyond the limit no tenant is proven. Do not call it in a transaction.
 * @returns the proven tenant, or the id of a possible duplicate, a tenant with the same e-mail address; null without
 * any
 */
export async function matchTenant(
  services: Services,
  locationCode: string,
  claim: Claim,
): Promise<{ proven: Tenant } | { proven: null; duplicateOf: number | null }> {
  const tenantsWithEmail = await findProtectedTenants(services.db.read, locationCode, claim.email)
  if (tenantsWithEmail.length === 0) return { proven: null, duplicateOf: null }
  const name = `tenant-match:${services.sealer.fingerprint(`${locationCode}:${emailKey(claim.email)}`, 'limit')}`
  const limited = await checkAndCountGuess(services, 'tenant match', { name })
  const proven = limited ? undefined : tenantsWithEmail.find((tenant) => isSamePerson(tenant, claim))
  if (proven) return { proven }
  await countWrongGuess(services, 'tenant match')
  return { proven: null, duplicateOf: tenantsWithEmail[0]?.tenant_id ?? null }
}

/** Returns the note on a new tenant's record about the existing tenant whom it may duplicate. */
export const duplicateNote = (tenantId: number) =>
  `Possible duplicate of tenant ${tenantId}: the same email address, with another last name or phone.`

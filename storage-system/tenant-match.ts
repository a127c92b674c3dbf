/** Who a tenant on file is: an e-mail address alone proves nothing, since anyone can type it (spec 1 §4, CLARIFICATIONS). */
import type { Kysely, Selectable } from 'kysely'
import type { Tables, TenantsTable } from '../database/tables.ts'
import type { Contact } from '../domain/fields.ts'
import { lastFour, nameKey } from '../domain/phone.ts'
import { tenantsOnFile } from './tenants.ts'

type Tenant = Selectable<TenantsTable>

/** What is compared: all three must be the record's. */
export type Claim = Pick<Contact, 'last' | 'email' | 'cell_phone'>

/** Last name and the last four digits of the cell or home phone. */
export function isSamePerson(tenant: Tenant, claim: Claim): boolean {
  const digits = lastFour(claim.cell_phone)
  const phones = [tenant.cell_phone, tenant.home_phone].map(lastFour)
  return nameKey(tenant.last) === nameKey(claim.last) && digits !== '' && phones.includes(digits)
}

/** @returns the tenant whom the claim proves, or else whose e-mail address it shares: a possible duplicate */
export async function matchTenant(
  db: Kysely<Tables>,
  locationCode: string,
  claim: Claim,
): Promise<{ proven: Tenant } | { proven: null; duplicateOf: number | null }> {
  const found = await tenantsOnFile(db, locationCode, claim.email)
  const proven = found.find((tenant) => isSamePerson(tenant, claim))
  return proven ? { proven } : { proven: null, duplicateOf: found[0]?.tenant_id ?? null }
}

/** For the office: two records may be one person. */
export const duplicateNote = (tenantId: number) =>
  `Possible duplicate of tenant ${tenantId}: the same email address, with another last name or phone.`

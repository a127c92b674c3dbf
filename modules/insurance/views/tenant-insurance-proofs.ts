import { ownTenant, type TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Proof } from '../proof-unit-numbers.ts'

const shownColumns = [
  'proof_id',
  'unit_numbers',
  'insurance_carrier',
  'expiration_date',
  'file_name',
  'decision',
  'decided_because',
] as const satisfies readonly (keyof Proof)[]

/** A proof of insurance as its tenant sees it. */
export type ShownProof = Pick<Proof, (typeof shownColumns)[number]>

/** Returns a tenant's insurance proofs at a facility, newest first, at most 50. */
export async function loadProofs(
  services: Services,
  tenant: { locationCode: string; tenantId: number },
): Promise<ShownProof[]> {
  return services.db.read
    .selectFrom('insurance_proofs')
    .select(shownColumns)
    .where((eb) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))
    .orderBy('created_at', 'desc')
    .orderBy('proof_id')
    .limit(50)
    .execute()
}

/**
 * Loads the file of a proof of insurance for the tenant it belongs to.
 * @returns null for another tenant, or when there is no such proof or file
 */
export async function loadProofFile(
  services: Services,
  account: TenantCaller,
  proofId: string,
): Promise<{ name: string; content: Uint8Array<ArrayBuffer> } | null> {
  if (!/^[0-9a-f-]{36}$/.test(proofId)) return null
  const row = await services.db.read
    .selectFrom('insurance_proofs')
    .select(['location_code', 'tenant_id', 'file_key', 'file_name'])
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  const own = row && ownTenant(account, { location_code: row.location_code, tenant_id: row.tenant_id })
  const file = own ? await services.files.get(row.file_key) : null
  return row && file ? { name: row.file_name, content: file.content } : null
}

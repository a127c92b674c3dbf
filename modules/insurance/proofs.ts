import type { Kysely, Selectable } from 'kysely'
import { isTextList, parseJson } from '../../domain/parse-json.ts'
import { ownTenant, type TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { InsuredLease } from '../../platform/schema/job-kinds.ts'
import type { InsuranceProofsTable, Tables } from '../../platform/schema/tables.ts'
import { setOwnInsurance } from '../leases/lease.ts'
import { loadChargedThrough } from '../ledger/ledger-totals.ts'
import type { OwnInsurance } from '../move-in/rules/move-in-form.ts'

export type Proof = Selectable<InsuranceProofsTable>

/** Returns the unit numbers that a proof of insurance covers. */
export const unitNumbersOf = (proof: Pick<Proof, 'unit_numbers'>): string[] => parseJson(proof.unit_numbers, isTextList)

export const formatUnitNumbers = (proof: Pick<Proof, 'unit_numbers'>): string => unitNumbersOf(proof).join(', ')

/**
 * Makes the tenant's open leases of a proof's units use the tenant's own policy.
 * @returns leases that changed
 */
export async function switchToOwnPolicy(tx: Kysely<Tables>, proof: Proof): Promise<InsuredLease[]> {
  const { location_code, tenant_id, insurance_carrier: carrier, policy_number, expiration_date } = proof
  const rented = await tx
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code, tenant_id }))
    .where('status', '!=', 'Closed')
    .where('insurance_status', '!=', 3)
    .where('unit_number', 'in', unitNumbersOf(proof))
    .orderBy('lease_number')
    .execute()
  const insured: InsuredLease[] = []
  for (const lease of rented) {
    const policy = JSON.stringify({ carrier, policy_number, expiration_date } satisfies OwnInsurance)
    if (!(await setOwnInsurance(tx, lease, policy))) continue
    const hadPlan = lease.insurance_status === 1
    insured.push({
      lease_number: lease.lease_number,
      unit_number: lease.unit_number,
      premium_ended: hadPlan ? lease.insurance_premium : 0,
      // Read after the lease is updated, so that a concurrent billing has charged by now.
      charged_until: hadPlan ? await loadChargedThrough(tx, lease) : null,
    })
  }
  return insured
}

/** Returns a tenant's insurance proofs at a facility, newest first, at most 50. */
export async function loadProofs(
  services: Services,
  tenant: { locationCode: string; tenantId: number },
): Promise<Selectable<InsuranceProofsTable>[]> {
  return services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
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
export async function proofFile(
  services: Services,
  account: TenantCaller,
  proofId: string,
): Promise<{ name: string; content: Uint8Array } | null> {
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

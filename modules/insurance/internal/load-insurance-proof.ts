import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { InsuranceProofsTable } from '../../../platform/schema/tables.ts'

/** Input fields that name an insurance proof. */
export const proofFields = { location_code: locationCode(), proof_id: v.pipe(plainLine, v.uuid('must be a proof')) }

export const example = { location_code: 'ATL01', proof_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' }

/** Returns an insurance proof of a facility; undefined when there is none. */
export const loadProof = (
  services: Services,
  { location_code, proof_id }: { location_code: string; proof_id: string },
): Promise<Selectable<InsuranceProofsTable> | undefined> =>
  services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proof_id)
    .where('location_code', '=', location_code)
    .executeTakeFirst()

/** Returns the fields of an audit event that name an insurance proof, its tenant and the permission to decide it. */
export const proofAuditSubject = (proof: Selectable<InsuranceProofsTable>) => ({
  permission: 'proof.decide' as const,
  locationCode: proof.location_code,
  tenantId: proof.tenant_id,
  subject: proof.proof_id,
})

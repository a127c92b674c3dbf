/** The office looks at a tenant's proof of insurance and decides. */
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { InsuranceProofsTable } from '../../../platform/schema/tables.ts'
import { decideProof } from '../decide.ts'
import { unitsOf } from '../proofs.ts'

const proof = { location_code: locationCode(), proof_id: v.pipe(v.string(), v.uuid('must be a proof')) }
const example = { location_code: 'ATL01', proof_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' }

const proofAt = (
  services: Services,
  { location_code, proof_id }: { location_code: string; proof_id: string },
): Promise<Selectable<InsuranceProofsTable> | undefined> =>
  services.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proof_id)
    .where('location_code', '=', location_code)
    .executeTakeFirst()

const aboutProof = (of: Selectable<InsuranceProofsTable>) => ({
  permission: 'proof.decide' as const,
  locationCode: of.location_code,
  tenantId: of.tenant_id,
  subject: of.proof_id,
})

export const DecideProof = internalOperation({
  name: 'DecideProof',
  access: { staff: may('proof.decide') },
  input: v.object({ ...proof, decision: v.picklist(['accept', 'refuse']), because: optional(300) }),
  example: { input: { ...example, decision: 'accept', because: '' } },
  async run(services, input, callers) {
    const { decision, because, proof_id } = input
    if (decision === 'refuse' && because === '')
      return refuse(400, 'invalid_input', 'Please check the form.', {
        fields: { because: 'Say why: the tenant reads it.' },
      })
    const known = await proofAt(services, input)
    if (!known) return notOnFile
    const asked = decision === 'accept' ? { accept: true as const } : { accept: false as const, because }
    const decided = await decideProof(services, proof_id, asked, (tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'proof.decided',
        details: { decision, units: unitsOf(known) },
        reason: because,
        ...aboutProof(known),
      }),
    )
    return decided.ok ? succeed({ leases: decided.leases.length }) : refuse(409, 'decided', decided.why)
  },
})

/** The file of a proof. Who has opened it stands in the audit before it is handed out. */
export const OpenProofFile = internalOperation({
  name: 'OpenProofFile',
  access: { staff: may('proof.decide') },
  input: v.object(proof),
  example: { input: example },
  async run(services: Services, input, callers: Callers) {
    const known = await proofAt(services, input)
    const file = known && (await services.files.get(known.file_key))
    if (!file) return notOnFile
    await services.db.transaction((tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'proof.opened',
        details: { units: unitsOf(known) },
        ...aboutProof(known),
      }),
    )
    return succeed({ name: known.file_name, content: file.content })
  },
})

export const proofOperations = [DecideProof, OpenProofFile]

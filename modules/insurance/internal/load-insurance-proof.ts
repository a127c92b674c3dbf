import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Proof } from '../proof-unit-numbers.ts'

/** Input fields that name an insurance proof. */
export const proofFields = { location_code: locationCode(), proof_id: v.pipe(plainLine, v.uuid('must be a proof')) }

export const example = { location_code: 'ATL01', proof_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' }

/**
 * Loads an insurance proof of a facility.
 * @throws RefusalError when the facility has no such proof
 */
export async function loadProof(
  db: Kysely<Tables>,
  { location_code, proof_id }: { location_code: string; proof_id: string },
): Promise<Proof> {
  const proof = await db
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proof_id)
    .where('location_code', '=', location_code)
    .executeTakeFirst()
  if (!proof) throw new RefusalError(recordNotFound)
  return proof
}

import type { Kysely, Selectable } from 'kysely'
import { parseJson } from '../../../domain/parse-json.ts'
import { isRecord } from '../../../domain/typed-keys.ts'
import type { JobsTable, Tables } from '../../../platform/schema/tables.ts'

/** Returns a job kind in words: 'insurance_proof_decided' → 'insurance proof decided'. */
export const jobName = (kind: string): string => kind.replaceAll('_', ' ')

interface JobSubject {
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
}

const noSubject: JobSubject = { locationCode: null, tenantId: null, leaseNumber: null }

type PayloadKeys = Partial<JobSubject> & { orderId?: string; proofId?: string; refundId?: string }

const isNamedPayload = (payload: unknown): payload is PayloadKeys | null => payload === null || isRecord(payload)

/** Loads the facility, tenant and lease that a job's payload names; null for those that it does not name. */
export async function loadJobSubject(
  db: Kysely<Tables>,
  { payload }: Pick<Selectable<JobsTable>, 'payload'>,
): Promise<JobSubject> {
  const keys = parseJson(payload, isNamedPayload)
  if (keys?.locationCode)
    return { ...noSubject, ...keys, locationCode: keys.locationCode, tenantId: keys.tenantId ?? null }
  const order =
    keys?.refundId === undefined
      ? keys?.orderId
      : (await db.selectFrom('refunds').select('order_id').where('refund_id', '=', keys.refundId).executeTakeFirst())
          ?.order_id
  if (order !== undefined) {
    const row = await db
      .selectFrom('payments')
      .select(['location_code', 'tenant_id', 'lease_number'])
      .where('order_id', '=', order)
      .executeTakeFirst()
    return row ? { locationCode: row.location_code, tenantId: row.tenant_id, leaseNumber: row.lease_number } : noSubject
  }
  if (keys?.proofId === undefined) return noSubject
  const proof = await db
    .selectFrom('insurance_proofs')
    .select(['location_code', 'tenant_id'])
    .where('proof_id', '=', keys.proofId)
    .executeTakeFirst()
  return proof ? { ...noSubject, locationCode: proof.location_code, tenantId: proof.tenant_id } : noSubject
}

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

/** Subject of a job that is about no facility. */
export const noSubject: JobSubject = { locationCode: null, tenantId: null, leaseNumber: null }

type PayloadKeys = Partial<JobSubject> & { orderId?: string; proofId?: string; refundId?: string }

const isNamedPayload = (payload: unknown): payload is PayloadKeys | null => payload === null || isRecord(payload)

/**
 * Loads the facility, tenant and lease that each job's payload names, directly or by an order, a refund or an insurance
 * proof; null for those that it does not name. Runs at most three statements, however many jobs there are.
 */
export async function loadJobSubjects(
  db: Kysely<Tables>,
  jobs: readonly Pick<Selectable<JobsTable>, 'payload'>[],
): Promise<JobSubject[]> {
  const payloads = jobs.map(({ payload }) => parseJson(payload, isNamedPayload) ?? {})
  const unnamed = payloads.filter(({ locationCode }) => !locationCode)
  const refundIds = unnamed.flatMap(({ refundId }) => refundId ?? [])
  const refunds =
    refundIds.length === 0
      ? []
      : await db.selectFrom('refunds').select(['refund_id', 'order_id']).where('refund_id', 'in', refundIds).execute()
  const orderOf = ({ refundId, orderId }: PayloadKeys) =>
    refundId === undefined ? orderId : refunds.find(({ refund_id }) => refund_id === refundId)?.order_id
  const orderIds = unnamed.flatMap((payload) => orderOf(payload) ?? [])
  const orders =
    orderIds.length === 0
      ? []
      : await db
          .selectFrom('payments')
          .select(['order_id', 'location_code', 'tenant_id', 'lease_number'])
          .where('order_id', 'in', orderIds)
          .execute()
  const proofIds = unnamed.flatMap(({ proofId }) => proofId ?? [])
  const proofs =
    proofIds.length === 0
      ? []
      : await db
          .selectFrom('insurance_proofs')
          .select(['proof_id', 'location_code', 'tenant_id'])
          .where('proof_id', 'in', proofIds)
          .execute()
  return payloads.map((payload) => {
    const { locationCode, tenantId = null, leaseNumber = null } = payload
    if (locationCode) return { locationCode, tenantId, leaseNumber }
    const orderId = orderOf(payload)
    const order = orders.find(({ order_id }) => order_id === orderId)
    if (order) return { locationCode: order.location_code, tenantId: order.tenant_id, leaseNumber: order.lease_number }
    const proof = orderId === undefined && proofs.find(({ proof_id }) => proof_id === payload.proofId)
    return proof ? { ...noSubject, locationCode: proof.location_code, tenantId: proof.tenant_id } : noSubject
  })
}

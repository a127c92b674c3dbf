import { formatUs } from '../../../domain/plain-date.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import { formatUnitNumbers } from '../proof-unit-numbers.ts'

/** Returns queue items of insurance proofs that wait for a decision. */
export async function loadProofItems({ db }: Pick<Services, 'db'>, queueQuery: QueueQuery): Promise<QueueItem[]> {
  const { codes, after, limit, only } = queueQuery
  const rows = await db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('decision', 'is', null)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('created_at', 'proof_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('proof_id', '=', id)))
    .orderBy('created_at')
    .orderBy('proof_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.proof_id,
    at: row.created_at,
    due: null,
    cents: null,
    owner: null,
    unit: formatUnitNumbers(row),
    what: `Proof of own insurance, ${row.tenant_name}`,
    why: `${row.insurance_carrier}, policy ${row.policy_number}, until ${formatUs(row.expiration_date)}`,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: null,
  }))
}

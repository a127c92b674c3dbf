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

type Payload = Record<string, unknown>

const isPayload = (payload: unknown): payload is Payload | null => payload === null || isRecord(payload)

/** Facility, tenant and lease of a record that a payload names by `id`. */
interface NamedRecord {
  id: string | number
  location_code: string
  tenant_id?: number | null
  lease_number?: number | null
}

type LoadRecords = (db: Kysely<Tables>, ids: string[]) => Promise<NamedRecord[]>

/** Loads the records that jobs name, by the key of their payload. A key may name records of several tables. */
const recordLoaders: Record<string, LoadRecords[]> = {
  orderId: [
    (db, ids) =>
      db
        .selectFrom('payments')
        .select(['order_id as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('order_id', 'in', ids)
        .execute(),
  ],
  refundId: [
    (db, ids) =>
      db
        .selectFrom('refunds')
        .select(['refund_id as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('refund_id', 'in', ids)
        .execute(),
  ],
  receiptId: [
    (db, ids) =>
      db
        .selectFrom('counter_receipts')
        .select(['receipt_id as id', 'location_code', 'tenant_id'])
        .where('receipt_id', 'in', ids)
        .execute(),
  ],
  proofId: [
    (db, ids) =>
      db
        .selectFrom('insurance_proofs')
        .select(['proof_id as id', 'location_code', 'tenant_id'])
        .where('proof_id', 'in', ids)
        .execute(),
  ],
  changeId: [
    (db, ids) =>
      db
        .selectFrom('rent_changes')
        .select(['change_id as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('change_id', 'in', ids)
        .execute(),
  ],
  transferId: [
    (db, ids) =>
      db
        .selectFrom('transfers')
        .select(['transfer_id as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('transfer_id', 'in', ids)
        .execute(),
  ],
  moveOutId: [
    (db, ids) =>
      db
        .selectFrom('move_outs')
        .select(['move_out_id as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('move_out_id', 'in', ids)
        .execute(),
  ],
  waitlistId: [
    (db, ids) =>
      db
        .selectFrom('waitlist')
        .select(['waitlist_id as id', 'location_code'])
        .where('waitlist_id', 'in', ids)
        .execute(),
  ],
  appointmentId: [
    (db, ids) =>
      db
        .selectFrom('appointments')
        .select(['appointment_id as id', 'location_code'])
        .where('appointment_id', 'in', ids.map(Number))
        .execute(),
  ],
  uuid: [
    (db, ids) =>
      db
        .selectFrom('settlements')
        .select(['uuid as id', 'location_code', 'tenant_id', 'lease_number'])
        .where('uuid', 'in', ids)
        .execute(),
    // The winner is not the tenant of the lease.
    (db, ids) =>
      db.selectFrom('auction_winners').select(['uuid as id', 'location_code']).where('uuid', 'in', ids).execute(),
  ],
}

/**
 * Loads the facility, tenant and lease that each job's payload names, directly or by one of its records; null for those
 * that it does not name. Runs at most one statement for each table of `recordLoaders`, however many jobs there are.
 */
export async function loadJobSubjects(
  db: Kysely<Tables>,
  jobs: readonly Pick<Selectable<JobsTable>, 'payload'>[],
): Promise<JobSubject[]> {
  const payloads = jobs.map(({ payload }) => parseJson(payload, isPayload) ?? {})
  const unnamed = payloads.filter(({ locationCode }) => !locationCode)
  const recordsByKey = new Map<string, Map<string, JobSubject>>()
  for (const [key, loaders] of Object.entries(recordLoaders)) {
    const ids = [...new Set(unnamed.flatMap((payload) => recordIdOf(payload, key) ?? []))]
    if (ids.length === 0) continue
    const subjects = new Map<string, JobSubject>()
    // One after another, since a transaction's connection runs one statement at a time.
    for (const load of loaders)
      for (const record of await load(db, ids)) subjects.set(String(record.id), subjectOfRecord(record))
    recordsByKey.set(key, subjects)
  }
  return payloads.map((payload) => {
    const { locationCode, tenantId, leaseNumber } = payload
    if (typeof locationCode === 'string' && locationCode !== '')
      return { locationCode, tenantId: numberOrNull(tenantId), leaseNumber: numberOrNull(leaseNumber) }
    for (const [key, subjects] of recordsByKey) {
      const subject = subjects.get(recordIdOf(payload, key) ?? '')
      if (subject) return subject
    }
    return noSubject
  })
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Returns the id under a payload's key as text; undefined without one. */
const recordIdOf = (payload: Payload, key: string): string | undefined => {
  const id = payload[key]
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const subjectOfRecord = ({ location_code, tenant_id = null, lease_number = null }: NamedRecord): JobSubject => ({
  locationCode: location_code,
  tenantId: tenant_id,
  leaseNumber: lease_number,
})

import { type Kysely, type Selectable, sql } from 'kysely'
import { parseJson } from '../../../domain/parse-json-and-check-shape.ts'
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

/** A table of records that payloads name: its key, and which of tenant and lease its records have. */
type NamedTable = {
  [T in keyof Tables]: Tables[T] extends { location_code: unknown }
    ? { table: T; key: keyof Tables[T] & string; has: readonly (keyof Tables[T] & ('tenant_id' | 'lease_number'))[] }
    : never
}[keyof Tables]

/** Tables of the records that jobs name, by the key of their payload, which may name records of several tables. */
const namedTables: Record<string, NamedTable[]> = {
  orderId: [{ table: 'payments', key: 'order_id', has: ['tenant_id', 'lease_number'] }],
  refundId: [{ table: 'refunds', key: 'refund_id', has: ['tenant_id', 'lease_number'] }],
  receiptId: [{ table: 'counter_receipts', key: 'receipt_id', has: ['tenant_id'] }],
  proofId: [{ table: 'insurance_proofs', key: 'proof_id', has: ['tenant_id'] }],
  changeId: [{ table: 'rent_changes', key: 'change_id', has: ['tenant_id', 'lease_number'] }],
  transferId: [{ table: 'transfers', key: 'transfer_id', has: ['tenant_id', 'lease_number'] }],
  moveOutId: [{ table: 'move_outs', key: 'move_out_id', has: ['tenant_id', 'lease_number'] }],
  waitlistId: [{ table: 'waitlist', key: 'waitlist_id', has: [] }],
  appointmentId: [{ table: 'appointments', key: 'appointment_id', has: [] }],
  uuid: [
    { table: 'settlements', key: 'uuid', has: ['tenant_id', 'lease_number'] },
    // The winner is not the tenant of the lease.
    { table: 'auction_winners', key: 'uuid', has: [] },
  ],
}

async function loadNamedRecords(
  db: Kysely<Tables>,
  { table, key, has }: NamedTable,
  ids: readonly string[],
): Promise<NamedRecord[]> {
  const columns = sql.join(['location_code', ...has].map((column) => sql.ref(column)))
  const { rows } = await sql<NamedRecord>`
    select ${sql.ref(key)} as id, ${columns} from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join(ids)})
  `.execute(db)
  return rows
}

/**
 * Loads the facility, tenant and lease that each job's payload names, directly or by one of its records; null for those
 * that it does not name. Runs at most one statement for each table of `namedTables`, however many jobs there are.
 */
export async function loadJobSubjects(
  db: Kysely<Tables>,
  jobs: readonly Pick<Selectable<JobsTable>, 'payload'>[],
): Promise<JobSubject[]> {
  const payloads = jobs.map(({ payload }) => parseJson(payload, isPayload) ?? {})
  const unnamed = payloads.filter(({ locationCode }) => !locationCode)
  const recordsByKey = new Map<string, Map<string, JobSubject>>()
  for (const [key, tables] of Object.entries(namedTables)) {
    const ids = [...new Set(unnamed.flatMap((payload) => recordIdOf(payload, key) ?? []))]
    if (ids.length === 0) continue
    const subjects = new Map<string, JobSubject>()
    // One after another, since a transaction's connection runs one statement at a time.
    for (const table of tables)
      for (const record of await loadNamedRecords(db, table, ids))
        subjects.set(String(record.id), subjectOfRecord(record))
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

import type { ColumnType } from 'kysely'
import type { AuditOutcome } from '../domain/office/audit-events.ts'
import type { Permission } from '../domain/office/roles-and-permissions.ts'
import type { IsoDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/time-zone-dates.ts'
import { daySealContext, resealContext } from './audit/encrypted-day-hashes.ts'
import { tenantKeyContext } from './encryption/tenant-keys.ts'
import { idempotencyContext } from './operations/idempotency.ts'
import type { Json, Sealed } from './schema/json-and-sealed-types.ts'
import type { JobState } from './schema/narrowed-column-types.ts'
import { noPerson, type TableCards, technicalTable } from './schema/table-privacy-card-type.ts'

declare module './schema/narrowed-column-types.ts' {
  interface Columns {
    /** An open WebAuthn challenge; the browser's response deletes it. */
    passkey_challenges: {
      /** `purpose` of `ChallengeBinding`. */
      purpose: string
      /** Account or staff member that uses the passkey; null if only the response names the account. */
      subject: string | null
    }
    /**
     * A tenant's key. An erasure deletes it, so that the tenant's contact data in audit events and the inputs of
     * approval requests become unreadable.
     */
    tenant_keys: {
      /** 32 bytes, hex. */
      key_sealed: Sealed
    }
    /** The audit log. Triggers refuse changes, and deletions within the retention period. */
    audit_events: {
      /** `AuditDetails` of domain/office/audit-events.ts */
      details: Json
      /** Staff member who acted; null for a command or the system. */
      staff_id: string | null
      actor: string
      /** Id of the session; no credential. */
      sign_in: string
      permission: Permission | null
      outcome: AuditOutcome
      /** {field: [before, after]}; sensitive values as 'changed', contact data as {sealed} under the tenant's key. */
      changes: Json
    }
    /** Hash of each day's audit events, by days in UTC. Triggers refuse changes and deletions. */
    audit_days: {
      day: IsoDate
      /** Hash of the day before; '' for the first. */
      previous: string
      /** SHA-256, hex, of the day's audit events, as `computeDayHash` computes it. */
      hash: string
    }
    /** Encrypted hash of a day, so that access to the database alone does not allow rewriting the hashes. */
    audit_seals: {
      day: IsoDate
      /** `audit_days.hash` */
      hash_sealed: Sealed
    }
    /** A day whose readable contact data were sealed afterwards: see `encryptReadableContacts`. */
    audit_reseals: {
      day: IsoDate
      /** Hash of the day's events with their contact data encrypted; `audit_days.hash` stays. */
      hash_sealed: Sealed
    }
    /** Work written in the transaction that causes it; a guarded update claims a job for a limited time. */
    jobs: {
      /** Key that is unique per kind, so that a message is sent once. */
      once: string
      state: JobState
      /** Expiry of a running job's claim; null for other jobs. */
      claimed_until: Instant | null
      /** Priority: 1 before 0. */
      priority: ColumnType<0 | 1, 0 | 1 | undefined>
    }
  }
}

export const platformCards: TableCards = {
  passkey_challenges: noPerson('Random numbers that run out within minutes.'),
  key_checks: technicalTable,
  tenant_keys: {
    file: 'audit-key',
    name: 'Key of contact data in the audit',
    rows: 'tenant',
    erasure: 'rows',
    shown: ['created_at'],
    hidden: ['location_code', 'tenant_id', 'key_sealed'],
    sealed: {
      key_sealed: { context: (row) => tenantKeyContext(row.location_code, row.tenant_id) },
    },
  },
  installations: technicalTable,
  chores: technicalTable,
  circuits: technicalTable,
  database_readers: technicalTable,
  restore_marks: technicalTable,
  audit_events: {
    export: 'Acts of the business’s own people, kept as evidence.',
    erasure: 'Evidence of who did what, which nothing changes. Contact data in it went with the tenant’s key.',
    isNamedInExport: true,
  },
  audit_days: technicalTable,
  audit_seals: {
    ...technicalTable,
    sealed: {
      hash_sealed: { context: (row) => daySealContext(row.day) },
    },
  },
  audit_reseals: {
    ...technicalTable,
    sealed: {
      hash_sealed: { context: (row) => resealContext(row.day) },
    },
  },
  jobs: {
    export: 'Listed as the mails and texts sent; the row holds keys alone.',
    erasure: 'What waits for the tenant is removed. What was sent holds keys alone.',
    isNamedInExport: true,
  },
  limits: noPerson('Counts under keyed hashes, forgotten when they run out.'),
  counters: technicalTable,
  content_version: technicalTable,
  idempotency: {
    ...noPerson('Sealed answers to repeated requests, forgotten after a day.'),
    sealed: {
      request_hash: { context: (row) => idempotencyContext(row.caller, row.key) },
      answer: { context: (row) => idempotencyContext(row.caller, row.key) },
    },
  },
}

import type { MachineRole } from '../../domain/machine-key-role-names-and-limits.ts'
import type { OfficeRole, Permission } from '../../domain/office/roles-and-permissions.ts'
import type { FactorKind } from '../../domain/office/second-factors.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import { noPerson, otherPeople, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { approvalContext } from './approvals.ts'
import { totpContext } from './mfa.ts'

/** Sealing context of a stored form's fields. */
export const storedFormContext = (formId: string) => `kept form:${formId}`

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** A staff member; separate from tenants' accounts. */
    staff: {
      email: string
      /** null until the invitation was accepted. */
      password_hash: string | null
      /** SHA-256 of the token in the invitation's link; null after it was accepted or withdrawn. */
      invite_hash: string | null
    }
    staff_roles: {
      role: OfficeRole
      /** 'all', 'state:GA' or 'facility:ATL01': `parseScope` of domain/office/roles-and-permissions.ts. */
      scope: string
    }
    /** Second factors of staff members. */
    staff_factors: {
      kind: FactorKind
      /**
       * Signature counter of a passkey, as in `passkeys`; for TOTP the last used time step, so that a code works once.
       */
      counter: number
      /** TOTP secret, base32. */
      secret_sealed: Sealed | null
      /** SHA-256 of a recovery code. */
      code_hash: string | null
    }
    staff_sign_ins: {
      /** SHA-256 of the bearer token. */
      token_hash: string
      /** Hash of the device id in the browser's cookie; '' once the staff member was invited again. */
      device: string
      /** null while the second factor is missing; such a sign-in grants no access. */
      factor: FactorKind | null
      /** Time at which a second factor was last given. */
      proven_at: Instant | null
    }
    /** Unlock links that were used. Each works once. */
    staff_unlocks: {
      /** Hash of the device id, as in `staff_sign_ins`. For a day, this device has its own count of attempts. */
      device: string
    }
    /** Submitted forms, stored while the second factor is asked for. */
    kept_forms: {
      /** Public id of the sign-in that submitted the form; grants no access. */
      sign_in: string
      /** Path of the form's page. */
      page: string
      /** JSON list with [name, value] of each field. */
      fields_sealed: Sealed
    }
    /** Tasks for staff members. */
    tasks: {
      /** Unique with the kind, so that repeated requests create one task. */
      once: string
      /** Assigned staff member; null for any staff member of the facility. */
      assigned_to: string | null
      due_on: IsoDate
      state: 'open' | 'done' | 'dropped'
    }
    /**
     * Requests for operations that the requester may not do alone, because of the amount or the role, or because every
     * role needs a second staff member. Decided and withdrawn requests stay for the audit's retention period.
     */
    approvals: {
      permission: Permission
      /**
       * Input of the operation, JSON, encrypted with the installation's key; before that with the tenant's key if the
       * operation is about a tenant.
       */
      input_sealed: Sealed
      state: 'open' | 'approved' | 'refused' | 'withdrawn'
    }
    /** Credentials of programs. Only hashes of the secrets are stored. */
    machine_keys: {
      /** The 12 letters and digits in the token `lk_<key_id>_<secret>`; they are not secret. */
      key_id: string
      role: MachineRole
      /** Scopes as `formatScope` writes them, with a space between: 'facility:ATL01 state:GA'. */
      scopes: string
      /** 1 if responses include names, addresses and other personal fields; 0 if these are empty. */
      pii: Flag
      /** Maximum calls per minute and process. */
      per_minute: number
      /** SHA-256 of the whole token, hex. */
      secret_hash: string
      /** Hash of the token before the last rotation, valid until `previous_until`. */
      previous_hash: string | null
      previous_until: Instant | null
      /** null for a key that works until it is revoked. */
      expires_at: Instant | null
      /** Staff id of the owner who created the key. */
      created_by: string
      /** Time of the last use, stored at most once a minute. */
      last_used_at: Instant | null
      /** '' until the first use. */
      last_address: string
    }
  }
}

const ownPeople = otherPeople('The business’s own people.')

export const staffCards: TableCards = {
  staff: ownPeople,
  staff_roles: ownPeople,
  staff_factors: {
    ...ownPeople,
    sealed: {
      secret_sealed: { with: ['staff_id'], context: (row) => totpContext(row.staff_id) },
    },
  },
  staff_sign_ins: ownPeople,
  staff_unlocks: ownPeople,
  kept_forms: {
    ...noPerson('Sealed, what a person of the business has typed, forgotten after an hour.'),
    sealed: {
      fields_sealed: { context: (row) => storedFormContext(row.form_id) },
    },
  },
  tasks: {
    file: 'tasks',
    name: 'Work of the office',
    rows: 'tenant',
    by: 'task_id',
    erasure: 'columns',
    why: 'That there was work, without what it said.',
    shown: ['kind', 'lease_number', 'cents', 'due_on', 'created_at', 'state', 'ended_at'],
    erased: ['note'],
    hidden: ['task_id', 'once', 'location_code', 'tenant_id', 'subject', 'assigned_to', 'created_by', 'ended_by'],
  },
  approvals: {
    export: 'Decisions between the business’s own people.',
    erasure: 'Evidence of who asked and who approved. What was asked for went with the tenant’s key.',
    isNamedInExport: true,
    sealed: {
      input_sealed: { context: (row) => approvalContext(row.approval_id) },
    },
  },
  machine_keys: noPerson('Credentials of programs: hashes, and the address of the last call.'),
}

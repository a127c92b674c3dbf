import type { Instant } from '../../domain/dates.ts'
import type { MachineRole } from '../../domain/machine-keys.ts'
import type { FactorKind } from '../../domain/office/factors.ts'
import type { OfficeRole, Permission } from '../../domain/office/roles.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { noPerson, type TableCards } from '../../platform/schema/card.ts'
import type { Flag } from '../../platform/schema/columns.ts'
import type { Sealed } from '../../platform/schema/text-columns.ts'
import { approvalContext } from './approvals.ts'
import { keptFormContext } from './kept-forms.ts'
import { totpContext } from './mfa.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    /** A staff member; separate from tenants' accounts. */
    staff: {
      email: string
      /** null until the invitation was taken up. */
      password_hash: string | null
      /** SHA-256 of the token in the invitation's link; null once it was taken up. */
      invite_hash: string | null
    }
    staff_roles: {
      role: OfficeRole
      /** 'all', 'state:GA' or 'facility:ATL01': `scopeOf` of domain/office/roles.ts. */
      scope: string
    }
    /** What proves a person besides the password. */
    staff_factors: {
      kind: FactorKind
      /** Of a passkey, as in `passkeys`; of TOTP the last time step that was used, so that a code works once. */
      counter: number
      /** TOTP secret, base32. */
      secret_sealed: Sealed | null
      /** SHA-256 of a recovery code. */
      code_hash: string | null
    }
    staff_sign_ins: {
      /** SHA-256 of the bearer token. */
      token_hash: string
      /** Hash of the browser's own mark: its person gets a mail about a new one. */
      device: string
      /** null while only the password has been given: it opens nothing yet. */
      factor: FactorKind | null
      /** When a factor was last given. */
      proven_at: Instant | null
    }
    /** Mailed links that let back in; each is used once. */
    staff_unlocks: {
      /** As in `staff_sign_ins`; the browser has tries of its own. */
      device: string
    }
    /** A form that asked for the second factor, until its page is shown again. */
    kept_forms: {
      /** Names the sign-in that sent it; proves nothing. */
      sign_in: string
      /** Path of its page. */
      page: string
      /** [name, value] of each field, JSON. */
      fields_sealed: Sealed
    }
    /** Work that waits for a person. */
    tasks: {
      /** Unique with the kind: what makes it one task however often it is asked for. */
      once: string
      /** A person; null: everybody at the facility. */
      assigned_to: string | null
      due_on: IsoDate
      state: 'open' | 'done' | 'dropped'
    }
    /** An act above the limits of who asked for it. */
    approvals: {
      permission: Permission
      /** The operation's input, JSON; where it is about a tenant, sealed under the tenant's key before. */
      input_sealed: Sealed
      state: 'open' | 'approved' | 'refused' | 'withdrawn'
    }
    /** Credentials of programs. A key reads; of the secret only hashes are kept. */
    machine_keys: {
      /** The 12 letters and digits in the token `lk_<key_id>_<secret>`; no secret. */
      key_id: string
      role: MachineRole
      /** Scopes as `scopeText` writes them, with a space between: 'facility:ATL01 state:GA'. */
      scopes: string
      /** 1: names, addresses and other personal fields are answered; 0: they are empty. */
      pii: Flag
      /** Calls that each process answers in a minute. */
      per_minute: number
      /** SHA-256 of the whole token, hex. */
      secret_hash: string
      /** Hash of the token before the last rotation, valid until `previous_until`. */
      previous_hash: string | null
      previous_until: Instant | null
      /** null: until it is revoked. */
      expires_at: Instant | null
      /** Staff id of the owner who made it, or the command that did. */
      created_by: string
      /** Stored once a minute. */
      last_used_at: Instant | null
      /** '' until the first use. */
      last_address: string
    }
  }
}

const ownPeople = noPerson('The business’s own people.')

export const staffCards: TableCards = {
  staff: ownPeople,
  staff_roles: ownPeople,
  staff_factors: {
    ...ownPeople,
    sealed: {
      secret_sealed: { with: ['staff_id'], context: (of) => totpContext(of.staff_id) },
    },
  },
  staff_sign_ins: ownPeople,
  staff_unlocks: ownPeople,
  kept_forms: {
    ...noPerson('Sealed, what a person of the business has typed, forgotten after an hour.'),
    sealed: {
      fields_sealed: { context: (of) => keptFormContext(of.form_id) },
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
    sealed: {
      input_sealed: { context: (of) => approvalContext(of.approval_id) },
    },
  },
  machine_keys: noPerson('Credentials of programs: hashes, and the address of the last call.'),
}

import type { Instant } from '../../domain/dates.ts'
import type { AuditOutcome } from '../../domain/office/audit-events.ts'
import type { FactorKind } from '../../domain/office/factors.ts'
import type { TenantFlag } from '../../domain/office/flags.ts'
import type { EntryReason, ReasonedAct } from '../../domain/office/reasons.ts'
import type { OfficeRole, Permission } from '../../domain/office/roles.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json, Sealed } from './text-columns.ts'

/** Those of the people of the office and what they do; see `columns.ts`. */
export interface StaffColumns {
  /** A person of the office; apart from tenants' accounts. */
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
  /** Never changed, never deleted: triggers refuse it. */
  audit_events: {
    /** `AuditDetails` of domain/office/audit-events.ts */
    details: Json
    /** null: a command or the system itself. */
    staff_id: string | null
    actor: string
    /** Names the sign-in; proves nothing. */
    sign_in: string
    permission: Permission | null
    outcome: AuditOutcome
    /** {field: [before, after]}; sensitive values as 'changed', contact data as {sealed} under the tenant's key. */
    changes: Json
  }
  /** What the events of a day in UTC came to. Never changed, never deleted: triggers refuse it. */
  audit_days: {
    day: IsoDate
    /** Hash of the day before; '' for the first. */
    previous: string
    /** SHA-256, hex: `modules/privacy` says of what. */
    hash: string
  }
  /** Keyed, so that who has the database alone cannot write the hashes again. */
  audit_seals: {
    day: IsoDate
    /** `audit_days.hash` */
    hash_sealed: Sealed
  }
  /** A day whose readable contact data were sealed afterwards: see `sealReadableContacts`. */
  audit_reseals: {
    day: IsoDate
    /** Hash of its events since then; `audit_days.hash` stays. */
    hash_sealed: Sealed
  }
  /** A tenant whose data were erased. */
  erasures: {
    /** What law or books need is erased on this day; null where nothing is kept. */
    kept_until: IsoDate | null
    /** Keys of files that are still to be deleted. */
    files: Json
  }
  /** What an erasure deletes, so that the audit and requests hold no contact data any more. */
  tenant_keys: {
    /** 32 bytes, hex. */
    key_sealed: Sealed
  }
  tenant_flags: { flag: TenantFlag }
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
  /** Of entries that staff wrote. Never changed, never deleted: triggers refuse it. */
  entry_reasons: {
    /** What was done: a credit's reason alone does not say whether it forgave rent or moved a balance. */
    act: ReasonedAct
    reason: EntryReason
    /** The entry that it corrects. */
    corrects: string | null
  }
}

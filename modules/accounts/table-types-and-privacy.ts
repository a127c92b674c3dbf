import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { emailTokenContext } from './email-change.ts'
import { resetContext } from './password-reset.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    accounts: {
      password_changed_at: Instant | null
      passkey_offer_declined_at: Instant | null
    }
    /** Sign-in of a tenant or guest payer, which can be ended before it expires. */
    sign_ins: {
      kind: 'tenant' | 'guest'
    }
    /** Requested reset code. Its id is in the session of the requesting browser, and the code works only there. */
    reset_codes: {
      /** Nullable in the schema, but every reset that is stored has an account. */
      account_id: string | null
      /** The four digits, which a hash would not hide; random text in a reset that an undo link began. */
      code_sealed: Sealed
      /** Time at which the code was entered; the browser may then set the new password until `expires_at`. */
      matched_at: Instant | null
    }
    /** New e-mail address, which its mailbox must confirm before it takes effect (docs/decisions/signing-in.md). */
    email_changes: {
      token_sealed: Sealed
      /** An account has at most one open change: a new request withdraws the earlier one. */
      state: 'open' | 'confirmed' | 'withdrawn'
    }
    /** Link that undoes a new e-mail address or password, with the account as it was before. */
    account_undos: {
      kind: 'email' | 'password'
      /** The account's address before the change, in lower case; the link is mailed to it. */
      email: string
      /** Tenants whose address changed, each with the previous one: [{"location_code","tenant_id","email"}] */
      tenants: Json
      /** 'void': the change was undone by the link of an earlier change. */
      state: 'open' | 'used' | 'void'
    }
    passkeys: {
      transports: Json
      /** 1 if a password manager syncs the passkey to several devices. */
      synced: Flag
    }
  }
}

export const accountsCards: TableCards = {
  accounts: {
    file: 'account',
    name: 'Online account',
    rows: 'account',
    erasure: 'rows',
    shown: ['username', 'email', 'created_at', 'password_changed_at'],
    hidden: ['account_id', 'password_hash', 'question_id', 'security_answer_hash', 'passkey_offer_declined_at'],
  },
  sign_ins: {
    file: 'sign-ins',
    name: 'Sign-ins to the portal',
    rows: 'account or tenant',
    by: 'token_hash',
    erasure: 'rows',
    shown: ['kind', 'agent', 'address', 'created_at', 'expires_at', 'ended_at'],
    hidden: ['token_hash', 'account_id', 'location_code', 'tenant_id', 'passkey_id'],
  },
  reset_codes: {
    file: 'password-resets',
    name: 'Password resets',
    rows: 'account',
    by: 'reset_id',
    erasure: 'rows',
    shown: ['created_at', 'expires_at', 'used_at'],
    hidden: ['reset_id', 'account_id', 'code_sealed', 'tries', 'matched_at'],
    sealed: {
      code_sealed: { context: (row) => resetContext(row.reset_id) },
    },
  },
  email_changes: {
    file: 'email-changes',
    name: 'Changes of the e-mail address',
    rows: 'account or tenant',
    by: 'change_id',
    erasure: 'rows',
    shown: ['old_email', 'new_email', 'state', 'created_at', 'expires_at', 'confirmed_at'],
    hidden: ['change_id', 'account_id', 'location_code', 'tenant_id', 'token_sealed'],
    sealed: {
      token_sealed: { context: (row) => emailTokenContext(row.change_id) },
    },
  },
  account_undos: {
    file: 'account-changes',
    name: 'Changes of the account',
    rows: 'account',
    by: 'undo_id',
    erasure: 'rows',
    shown: ['kind', 'email', 'username', 'state', 'created_at', 'expires_at'],
    hidden: ['undo_id', 'account_id', 'number', 'tenants'],
  },
  passkeys: {
    file: 'passkeys',
    name: 'Passkeys',
    rows: 'account',
    by: 'passkey_id',
    erasure: 'rows',
    shown: ['name', 'synced', 'created_at', 'last_used_at'],
    hidden: ['passkey_id', 'account_id', 'credential_id', 'public_key', 'counter', 'transports'],
  },
}

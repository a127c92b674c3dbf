import type { Instant } from '../../domain/dates.ts'
import type { TableCards } from '../../platform/schema/card.ts'
import type { Flag } from '../../platform/schema/columns.ts'
import type { Json, Sealed } from '../../platform/schema/text-columns.ts'
import { emailTokenContext } from './email-change.ts'
import { resetContext } from './password-reset.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    accounts: {
      password_changed_at: Instant | null
      passkey_offer_declined_at: Instant | null
    }
    /** A sign-in or token that can be ended. */
    sign_ins: {
      kind: 'tenant' | 'guest'
    }
    /** A reset code that was asked for. Its id is in the session of the browser that asked, and the code works nowhere else. */
    reset_codes: {
      /** null: no account has that name; the row is there so that both take the same way. */
      account_id: string | null
      /** The 4 digits: too few for a hash to hide. */
      code_sealed: Sealed
      /** The code was entered: the new password may be set with this browser until it expires. */
      matched_at: Instant | null
    }
    /** A new e-mail address that its mailbox has to confirm before it counts (docs/decisions/accounts.md). */
    email_changes: {
      token_sealed: Sealed
      /** An account has one open at most: asking again withdraws the one before. */
      state: 'open' | 'confirmed' | 'withdrawn'
    }
    /** Link that undoes a new e-mail address or password, with the account as it was before. */
    account_undos: {
      kind: 'email' | 'password'
      /** Before the change, lower case; the mail with the link goes here. */
      email: string
      /** Tenants whose address moved, as they were: [{"location_code","tenant_id","email"}] */
      tenants: Json
      /** void: an earlier change was undone, and this one with it. */
      state: 'open' | 'used' | 'void'
    }
    passkeys: {
      transports: Json
      /** Kept by a password manager on several devices. */
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
      code_sealed: { context: (of) => resetContext(of.reset_id) },
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
      token_sealed: { context: (of) => emailTokenContext(of.change_id) },
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

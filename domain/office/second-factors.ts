import { DAY, HOUR, MINUTE } from '../durations.ts'

/** Kinds of second factor that staff members use besides the password. */
export type FactorKind = 'passkey' | 'totp' | 'recovery'

export const factorNames: Record<FactorKind, string> = {
  passkey: 'a passkey',
  totp: 'an authenticator app',
  recovery: 'a recovery code',
}

/** Number of recovery codes generated at once. */
export const RECOVERY_CODE_COUNT = 10

/** Maximum age of a sign-in in milliseconds, whatever its use. */
export const OFFICE_SIGN_IN_MAX_MS = 12 * HOUR
/** Idle time in milliseconds after which a sign-in ends. Finance has a shorter one. */
export const OFFICE_IDLE_MS = 30 * MINUTE
export const FINANCE_IDLE_MS = 15 * MINUTE
/** Time in milliseconds for which a given second factor counts as fresh. */
export const FRESH_FACTOR_MS = 10 * MINUTE
/** Time in milliseconds for which a form is stored while the second factor is asked for. */
export const STORED_FORM_MS = 60 * MINUTE
/** Validity of an invitation, in milliseconds. */
export const INVITATION_MS = 7 * DAY
/** Validity of a mailed unlock link, in milliseconds. */
export const STAFF_UNLOCK_MS = 30 * MINUTE

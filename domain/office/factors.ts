/** What proves a person of the office besides the password. */
export type FactorKind = 'passkey' | 'totp' | 'recovery'

export const factorNames: Record<FactorKind, string> = {
  passkey: 'a passkey',
  totp: 'an authenticator app',
  recovery: 'a recovery code',
}

/** How many recovery codes a person is given at once. */
export const RECOVERY_CODES = 10

/** A sign-in ends after so long, whatever is done with it, milliseconds. */
export const OFFICE_SIGN_IN_MS = 12 * 3_600_000
/** Without a request it ends earlier. */
export const OFFICE_IDLE_MS = 30 * 60_000
export const FINANCE_IDLE_MS = 15 * 60_000
/** How long a factor counts as just given. */
export const FRESH_FACTOR_MS = 10 * 60_000
/** How long a form that asked for the factor is kept for its page. */
export const KEPT_FORM_MS = 60 * 60_000
/** An invitation may be taken up for so long. */
export const INVITATION_MS = 7 * 86_400_000
/** A mailed link lets back in for so long, once. */
export const STAFF_UNLOCK_MS = 30 * 60_000

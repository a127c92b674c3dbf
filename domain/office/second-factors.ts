import { MINUTE } from '../durations.ts'

/** Kinds of second factor that staff members use besides the password. */
export type FactorKind = 'passkey' | 'totp' | 'recovery'

export const factorNames: Record<FactorKind, string> = {
  passkey: 'a passkey',
  totp: 'an authenticator app',
  recovery: 'a recovery code',
}

/** Number of recovery codes generated at once. */
export const RECOVERY_CODE_COUNT = 10

/** Time in milliseconds for which a second factor counts as fresh after it was proven. */
export const FRESH_FACTOR_MS = 10 * MINUTE

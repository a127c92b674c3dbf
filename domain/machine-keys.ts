/** Keys of machines: their roles, their token, and how long things last. */
import { DAY } from './durations.ts'

/** Roles of machine keys. Each key has one; `machine-key-calls.ts` lists what it may call. */
export const machineRoles = ['site', 'tenants', 'gate', 'events', 'books'] as const
export type MachineRole = (typeof machineRoles)[number]

export const machineRoleNames: Record<MachineRole, string> = {
  site: 'Site',
  tenants: 'Tenants',
  gate: 'Gate',
  events: 'Events',
  books: 'Books',
}

export const KEY_NAME_MAX = 60

/** Calls that each process answers a key in a minute, and the most that a key may have. */
export const KEY_CALLS_PER_MINUTE_DEFAULT = 120
export const KEY_CALLS_PER_MINUTE_MAX = 6000

/** Time in milliseconds for which the old secret still works after a rotation. */
export const ROTATION_GRACE_MS = DAY

/** Time in milliseconds before its end at which the owners are mailed about a key. */
export const KEY_EXPIRY_NOTICE_MS = 14 * DAY

/** The longest life of a key with an end, in days. */
export const KEY_DAYS_MAX = 3650

/** State of a key. A key without an end is 'working' until it is revoked. */
export type KeyState = 'working' | 'ended' | 'revoked'

export const keyState = (
  { revokedAt, expiresAt }: { revokedAt: number | null; expiresAt: number | null },
  now: number,
): KeyState => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'ended' : 'working'
}

/** Returns the key id and the token of a well-formed `lk_<12>_<43 base64url>`; null for any other text. */
export function parseKeyToken(text: string): { keyId: string; token: string } | null {
  const keyId = /^lk_([0-9A-Za-z]{12})_[\w-]{43}$/.exec(text)?.[1]
  return keyId === undefined ? null : { keyId, token: text }
}

import { DAY } from './durations.ts'

/** Roles of machine keys. Each key has one; `machine-key-operations.ts` lists what it may call. */
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

/** Number of a key's calls that each process answers in a minute, unless the owner chooses another number. */
export const KEY_CALLS_PER_MINUTE_DEFAULT = 120
/** Highest number of calls in a minute and process that the owner may choose for a key. */
export const KEY_CALLS_PER_MINUTE_MAX = 6000

/** Time in milliseconds for which a machine key's old secret still works after it was replaced. */
export const ROTATION_GRACE_MS = DAY

/** Time in milliseconds before a key's expiry at which the owners get a mail, unless the key's whole lifetime is no longer. */
export const KEY_EXPIRY_NOTICE_MS = 14 * DAY

/** Longest lifetime of a key that expires, in days. */
export const KEY_DAYS_MAX = 3650

/** State of a machine key; 'ended' means expired. A key without an expiry is 'working' until it is revoked. */
export type KeyState = 'working' | 'ended' | 'revoked'

export const keyState = (
  { revokedAt, expiresAt }: { revokedAt: number | null; expiresAt: number | null },
  now: number,
): KeyState => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'ended' : 'working'
}

/**
 * Returns the key id of a well-formed token (`lk_`, 12 letters or digits, `_`, 43 base64url characters) and the whole
 * token; null for any other text.
 */
export function parseKeyToken(text: string): { keyId: string; token: string } | null {
  const keyId = /^lk_([0-9A-Za-z]{12})_[\w-]{43}$/.exec(text)?.[1]
  return keyId === undefined ? null : { keyId, token: text }
}

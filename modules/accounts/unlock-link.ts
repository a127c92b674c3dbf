import { MINUTE } from '../../domain/durations.ts'
import { hasFields } from '../../domain/parse-json-and-check-shape.ts'
import { openMailedToken } from '../../platform/encryption/open-mailed-token.ts'
import type { Services } from '../../platform/operations/services.ts'

const unlockContext = 'unlock'

export const UNLOCK_MS = 30 * MINUTE

/** Content of an unlock link. `until` is the link's expiry in epoch milliseconds. */
interface Unlock {
  accountId: string
  until: number
}

const isUnlock = hasFields<Unlock>('accountId', 'until')

/** Returns the token of a mailed unlock link, valid for `UNLOCK_MS`. */
export function unlockToken(services: Services, accountId: string): string {
  const unlock: Unlock = { accountId, until: services.clock.now() + UNLOCK_MS }
  return services.sealer.seal(JSON.stringify(unlock), unlockContext)
}

/** Returns the content of an unlock link's token; null when it is invalid or expired. */
export const readUnlock = (services: Services, token: string): Unlock | null =>
  openMailedToken(services, token, { context: unlockContext, isContent: isUnlock })

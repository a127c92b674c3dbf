import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'

export const unlockContext = 'unlock'

export const UNLOCK_MS = 30 * MINUTE

/** Returns the token of a mailed unlock link, valid for `UNLOCK_MS`. */
export const unlockToken = (services: Services, accountId: string): string =>
  services.sealer.seal(JSON.stringify({ accountId, until: services.clock.now() + UNLOCK_MS }), unlockContext)

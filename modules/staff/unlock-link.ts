/**
 * Mailed unlock links for staff members whose sign-in attempts ran out. The link makes the browser a known browser for a
 * day (`isKnownDevice`).
 */

import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../platform/operations/services.ts'
import { STAFF_UNLOCK_MS } from './rules/unlock-link-duration.ts'

const unlockContext = 'staff unlock'

/** Content of an unlock link: the staff member's id and the instant of the request. */
interface Unlock {
  staffId: string
  at: number
}

/** Returns the sealed token of an unlock link. */
export const staffUnlockToken = (services: Pick<Services, 'sealer'>, { staffId, at }: Unlock): string =>
  services.sealer.seal(JSON.stringify({ staffId, at }), unlockContext)

/** Returns the content of an unlock link's token; null when it is expired or invalid. */
export function readStaffUnlock(services: Pick<Services, 'sealer' | 'clock'>, token: string): Unlock | null {
  try {
    const unlock = parseJson(services.sealer.open(token, unlockContext), hasFields<Unlock>('staffId', 'at'))
    return unlock.at + STAFF_UNLOCK_MS > services.clock.now() ? unlock : null
  } catch {
    return null
  }
}

import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { UNLOCKED_MS } from '../rules/unlock-link-duration.ts'

/** Returns the part of an attempt counter's name that stands for one browser. */
export const deviceName = (device: string) => `device ${tokenHash(device).slice(0, 16)}`

/** Returns whether the staff member has signed in from this browser, or used an unlock link in it in the last day. */
export async function isKnownDevice(services: Services, staffId: string, device: string): Promise<boolean> {
  const deviceHash = tokenHash(device)
  const signedIn = await services.db.read
    .selectFrom('staff_sign_ins')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('device', '=', deviceHash)
    .where('factor', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (signedIn) return true
  const unlocked = await services.db.read
    .selectFrom('staff_unlocks')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('device', '=', deviceHash)
    .where('used_at', '>', services.clock.now() - UNLOCKED_MS)
    .limit(1)
    .executeTakeFirst()
  return unlocked !== undefined
}

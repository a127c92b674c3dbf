import type { Services } from '../../../platform/operations/services.ts'
import { readStaffUnlock } from '../unlock-link.ts'

/** Returns whether an unlock link is valid, not expired and unused. Does not consume it. */
export async function isStaffUnlockLinkUsable(services: Services, token: string): Promise<boolean> {
  const unlock = readStaffUnlock(services, token)
  if (!unlock) return false
  const used = await services.db.read
    .selectFrom('staff_unlocks')
    .select('used_at')
    .where('staff_id', '=', unlock.staffId)
    .where('made_at', '=', unlock.at)
    .executeTakeFirst()
  return used === undefined
}

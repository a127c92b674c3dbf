import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { UNLOCKED_MS } from '../rules/unlock-link-duration.ts'
import { readStaffUnlock } from '../unlock-link.ts'

/**
 * Consumes an unlock link: the browser gets its own attempt counter, while the limits of other browsers stay.
 * @param device device id from the browser's cookie
 * @returns e-mail address of the staff member; null when the link is used, expired or invalid, or the staff member was
 *   ended
 */
export async function consumeStaffUnlock(services: Services, token: string, device: string): Promise<string | null> {
  const unlock = readStaffUnlock(services, token)
  if (!unlock) return null
  const now = services.clock.now()
  return services.db.transaction(async (tx) => {
    const staffMember = await tx
      .selectFrom('staff')
      .select('email')
      .where('staff_id', '=', unlock.staffId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (!staffMember) return null
    const used = await tx
      .insertInto('staff_unlocks')
      .values({ staff_id: unlock.staffId, made_at: unlock.at, device: tokenHash(device), used_at: now })
      .onConflict((conflict) => conflict.columns(['staff_id', 'made_at']).doNothing())
      .returning('used_at')
      .executeTakeFirst()
    if (!used) return null
    await tx
      .deleteFrom('staff_unlocks')
      .where('staff_id', '=', unlock.staffId)
      .where('used_at', '<=', now - UNLOCKED_MS)
      .execute()
    return staffMember.email
  })
}

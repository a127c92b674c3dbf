import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Returns the staff member whom an invitation token is for; null when it is unknown, used or expired. */
export async function findInvited(
  services: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<{ staffId: string; name: string; email: string } | null> {
  const row = await services.db.read
    .selectFrom('staff')
    .select(['staff_id', 'name', 'email'])
    .where('invite_hash', '=', tokenHash(token))
    .where('invite_expires_at', '>', services.clock.now())
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row ? { staffId: row.staff_id, name: row.name, email: row.email } : null
}

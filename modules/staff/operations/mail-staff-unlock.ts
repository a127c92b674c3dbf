import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { STAFF_UNLOCK_MS } from '../rules/unlock-link-duration.ts'

const requestLimit = { points: 5, perSeconds: 900, shared: true } as const

/**
 * Mails an unlock link if an active staff member has this e-mail address: at most one in each half hour of the clock,
 * and none once the network has reached `requestLimit`.
 */
export async function mailStaffUnlock(services: Services, email: string, { address }: Callers): Promise<void> {
  const consumed = await services.limits.consumeFrom(address, 'office unlock', requestLimit)
  if (!consumed.allowed) return
  const staffMember = await services.db.read
    .selectFrom('staff')
    .select('staff_id')
    .where('email', '=', email.toLowerCase())
    .where('password_hash', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!staffMember) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'staff_unlock',
    once: `${staffMember.staff_id}:${Math.floor(now / STAFF_UNLOCK_MS)}`,
    payload: { staffId: staffMember.staff_id, at: now },
    runAt: now,
  })
}

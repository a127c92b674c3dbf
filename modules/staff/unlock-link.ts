/**
 * Mailed unlock links for staff members whose sign-in tries were exhausted by others. The link makes the browser a
 * known browser.
 */

import { DAY } from '../../domain/durations.ts'
import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { STAFF_UNLOCK_MS } from './rules/unlock-link-duration.ts'

const unlockContext = 'staff unlock'

/**
 * Time in milliseconds for which a browser that used an unlock link has its own try counter. A sign-in makes that
 * permanent.
 */
const UNLOCKED_MS = DAY

const requestLimit = { points: 5, perSeconds: 900, shared: true } as const

/** Mails an unlock link if a staff member has this e-mail address; at most one in half an hour. */
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

/** Content of an unlock link: the staff member's id and the instant of the request. */
interface Unlock {
  staffId: string
  at: number
}

/** Returns the sealed token of an unlock link. */
export const staffUnlockToken = (services: Pick<Services, 'sealer'>, { staffId, at }: Unlock): string =>
  services.sealer.seal(JSON.stringify({ staffId, at }), unlockContext)

function readToken(services: Services, token: string): Unlock | null {
  try {
    const unlock = parseJson(services.sealer.open(token, unlockContext), writtenByUs<Unlock>('staffId', 'at'))
    return unlock.at + STAFF_UNLOCK_MS > services.clock.now() ? unlock : null
  } catch {
    return null
  }
}

/** Returns whether an unlock link is valid, fresh and unused. Does not consume it. */
export async function isStaffUnlock(services: Services, token: string): Promise<boolean> {
  const unlock = readToken(services, token)
  if (!unlock) return false
  const used = await services.db.read
    .selectFrom('staff_unlocks')
    .select('used_at')
    .where('staff_id', '=', unlock.staffId)
    .where('made_at', '=', unlock.at)
    .executeTakeFirst()
  return used === undefined
}

/**
 * Consumes an unlock link: the browser gets its own try counter, while the limits of other browsers stay.
 * @param device device id from the browser's cookie
 * @returns e-mail address of the staff member; null when the link is used, expired or invalid
 */
export async function consumeStaffUnlock(services: Services, token: string, device: string): Promise<string | null> {
  const unlock = readToken(services, token)
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

/** Returns whether the staff member has signed in from this browser or used an unlock link in it. */
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

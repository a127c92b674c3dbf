/** The mailed link for a staff member whose tries strangers have used up: it makes their browser known. */
import { STAFF_UNLOCK_MS } from '../../domain/office/factors.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { tokenHash } from '../../platform/sealing/token-hash.ts'

const unlockContext = 'staff unlock'

/** A browser that used a link has tries of its own for so long, milliseconds; with a sign-in it has them for good. */
const UNLOCKED_MS = 86_400_000

const askedFrom = { points: 5, perSeconds: 900, shared: true } as const

/** Mails the link where a staff member has this address; at most one in half an hour. */
export async function mailStaffUnlock(services: Services, email: string, { address }: Callers): Promise<void> {
  const spent = await services.limits.consumeFrom(address, 'office unlock', askedFrom)
  if (!spent.allowed) return
  const person = await services.db.read
    .selectFrom('staff')
    .select('staff_id')
    .where('email', '=', email.toLowerCase())
    .where('password_hash', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!person) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'staff_unlock',
    once: `${person.staff_id}:${Math.floor(now / STAFF_UNLOCK_MS)}`,
    payload: { staffId: person.staff_id, at: now },
    runAt: now,
  })
}

/** A mailed link: for whom, and when it was asked for. */
interface Unlock {
  staffId: string
  at: number
}

export const staffUnlockToken = (services: Pick<Services, 'sealer'>, { staffId, at }: Unlock): string =>
  services.sealer.seal(JSON.stringify({ staffId, at }), unlockContext)

function readToken(services: Services, token: string): Unlock | null {
  try {
    const unlock: Unlock = JSON.parse(services.sealer.open(token, unlockContext))
    return unlock.at + STAFF_UNLOCK_MS > services.clock.now() ? unlock : null
  } catch {
    return null
  }
}

/** @returns whether the link is ours, not too old and not used yet; asking does not use it up */
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
 * Uses the link up: the browser has tries of its own from now on, and strangers are forgiven nothing.
 * @param device the browser's own mark
 * @returns the person's e-mail address; null for a link that is used, too old or not ours
 */
export async function takeStaffUnlock(services: Services, token: string, device: string): Promise<string | null> {
  const unlock = readToken(services, token)
  if (!unlock) return null
  const now = services.clock.now()
  return services.db.transaction(async (tx) => {
    const person = await tx
      .selectFrom('staff')
      .select('email')
      .where('staff_id', '=', unlock.staffId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (!person) return null
    const used = await tx
      .insertInto('staff_unlocks')
      .values({ staff_id: unlock.staffId, made_at: unlock.at, device: tokenHash(device), used_at: now })
      .onConflict((known) => known.columns(['staff_id', 'made_at']).doNothing())
      .returning('used_at')
      .executeTakeFirst()
    if (!used) return null
    await tx
      .deleteFrom('staff_unlocks')
      .where('staff_id', '=', unlock.staffId)
      .where('used_at', '<=', now - UNLOCKED_MS)
      .execute()
    return person.email
  })
}

/** @returns whether the person has signed in from this browser, or opened a mailed link in it */
export async function isKnownDevice(services: Services, staffId: string, device: string): Promise<boolean> {
  const mark = tokenHash(device)
  const signedIn = await services.db.read
    .selectFrom('staff_sign_ins')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('device', '=', mark)
    .where('factor', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (signedIn) return true
  const unlocked = await services.db.read
    .selectFrom('staff_unlocks')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('device', '=', mark)
    .where('used_at', '>', services.clock.now() - UNLOCKED_MS)
    .limit(1)
    .executeTakeFirst()
  return unlocked !== undefined
}

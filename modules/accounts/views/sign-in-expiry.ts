import type { Instant } from '../../../domain/time-zone-dates.ts'
import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Returns when the sign-in of a bearer token expires, in epoch milliseconds; null where no active sign-in has the token. */
export async function loadSignInExpiry(services: Services, token: string): Promise<Instant | null> {
  const row = await services.db.read
    .selectFrom('sign_ins')
    .select('expires_at')
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', services.clock.now())
    .executeTakeFirst()
  return row?.expires_at ?? null
}

import { loadSignInExpiry } from '../../modules/accounts/views/sign-in-expiry.ts'
import type { RequestContext } from './context.ts'

/** Returns the milliseconds until the sign-in or its cookie ends, whichever is earlier; 0 without a sign-in. */
export async function loadSessionTimeLeft(site: RequestContext): Promise<number> {
  const { token } = site.session.ids
  const expiresAt = token ? await loadSignInExpiry(site.services, token) : null
  return expiresAt === null ? 0 : Math.max(0, Math.min(expiresAt, site.session.endsAt) - site.services.clock.now())
}

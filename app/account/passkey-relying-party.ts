import { type RelyingParty, relyingParty } from '../../platform/passkeys/passkey-ceremony.ts'
import type { RequestContext } from '../request/context.ts'

export const accountRelyingParty = (site: RequestContext): RelyingParty =>
  relyingParty(site.services.publicUrl, site.brand.name)

/**
 * Gives the browser the id that passkey challenges are bound to. Page loaders call this early: a request for a
 * challenge that set the session cookie could overwrite the cookie of a log-in at the same time.
 */
export function assignPasskeyBrowserId(site: RequestContext): void {
  if (!site.session.ids.passkeys) site.session.set({ passkeys: site.services.random.hex(16) })
}

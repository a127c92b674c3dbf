/** What passkeys need of a request: the site as browsers bind keys to it, and the browser's id in the sealed cookie. */
import { type RelyingParty, relyingParty } from '../../modules/accounts/passkeys/ceremony.ts'
import type { RequestContext } from '../request/context.ts'

export const partyOf = (site: RequestContext): RelyingParty => relyingParty(site.services.publicUrl, site.brand.name)

/**
 * Gives the browser an id that challenges are bound to. By a page's loader: the cookie of a request behind the page could
 * arrive after that of a log-in, and take its place.
 */
export function bindBrowser(site: RequestContext): void {
  if (!site.session.ids.passkeys) site.session.set({ passkeys: site.services.random.hex(16) })
}

import { type RelyingParty, relyingParty } from '../../platform/passkeys/ceremony.ts'
import type { RequestContext } from '../request/context.ts'

export const partyOf = (site: RequestContext): RelyingParty => relyingParty(site.services.publicUrl, site.brand.name)

/** Binds challenges to this browser. In a page's loader: a later cookie could overwrite that of a log-in. */
export function bindBrowser(site: RequestContext): void {
  if (!site.session.ids.passkeys) site.session.set({ passkeys: site.services.random.hex(16) })
}

/** A guest payer's page, on the server: whose units the guest's token reaches (spec 2 §2 "Access classes", §6). */
import type { RouterContextProvider } from 'react-router'
import type { GuestCaller } from '../platform/operations/callers.ts'
import { alertAndGo, contextOf, type RequestContext } from './request/context.ts'

export interface OpenGuestPage {
  site: RequestContext
  /** Every tenant with the e-mail address that was looked up. */
  guest: GuestCaller
  brand: string
}

/**
 * Opens a page of somebody who pays without an account.
 * @throws a redirect to /guest/find-email: 'Guest tenant session not found.' without a look-up or after its token has
 * ended, 'Invalid guest tenant session data.' where its tenants are gone
 */
export async function openGuestPage({ context }: { context: Readonly<RouterContextProvider> }): Promise<OpenGuestPage> {
  const site = contextOf(context)
  const { guest } = await site.callers()
  if (guest && guest.tenants.length > 0) return { site, guest, brand: site.brand.name }
  if (site.session.ids.guestToken) site.session.set({ guestToken: undefined })
  return alertAndGo(site, guest ? 'invalidGuestSession' : 'guestSessionNotFound', '/guest/find-email')
}

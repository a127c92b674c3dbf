import type { RouterContextProvider } from 'react-router'
import { contextOf, redirectWithAlert } from '../request/context.ts'

export type OpenGuestPage = Awaited<ReturnType<typeof requireLookedUpGuest>>

/**
 * Opens a page of the guest payer.
 * @throws a redirect to /guest/find-email when the session has no account look-up, the look-up has expired, or none of
 *   its tenants is left
 */
export async function requireLookedUpGuest({ context }: { context: Readonly<RouterContextProvider> }) {
  const site = contextOf(context)
  const { guest } = await site.callers()
  if (guest && guest.tenants.length > 0) return { site, guest }
  if (site.session.ids.guestToken) site.session.set({ guestToken: undefined })
  return redirectWithAlert(site, guest ? 'invalidGuestSession' : 'guestSessionNotFound', '/guest/find-email')
}

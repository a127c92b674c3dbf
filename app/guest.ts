import type { RouterContextProvider } from 'react-router'
import { alertAndGo, contextOf } from './request/context.ts'

export type OpenGuestPage = Awaited<ReturnType<typeof openGuestPage>>

/** @throws a redirect to /guest/find-email without a look-up, after its token has ended, or where its tenants are gone */
export async function openGuestPage({ context }: { context: Readonly<RouterContextProvider> }) {
  const site = contextOf(context)
  const { guest } = await site.callers()
  if (guest && guest.tenants.length > 0) return { site, guest, brand: site.brand.name }
  if (site.session.ids.guestToken) site.session.set({ guestToken: undefined })
  return alertAndGo(site, guest ? 'invalidGuestSession' : 'guestSessionNotFound', '/guest/find-email')
}

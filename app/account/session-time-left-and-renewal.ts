import { RenewSignIn } from '../../modules/accounts/operations/renew-sign-in.ts'
import { contextOf } from '../request/context.ts'
import { loadSessionTimeLeft } from '../request/session-time-left.ts'
import type { Route } from './+types/session-time-left-and-renewal'

/**
 * Returns the time left in the session as `{left}`, in milliseconds, for the warning before it ends.
 * This request does not extend the session.
 */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json({ left: await loadSessionTimeLeft(contextOf(context)) })
}

/**
 * Extends the sign-in and the cookie to a day from now ('Stay signed in'), the sign-in at most to 30 days after it
 * began. An ended sign-in stays ended.
 */
export async function action({ context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { token } = site.session.ids
  const renewed = token ? await site.call(RenewSignIn, { token }) : null
  // Any change of the session, even an empty one, renews its cookie.
  if (renewed?.ok && renewed.value !== null) site.session.set({})
  return Response.json({ left: await loadSessionTimeLeft(site) })
}

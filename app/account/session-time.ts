import { RenewSignIn } from '../../modules/accounts/operations/renew-sign-in.ts'
import { contextOf } from '../request/context.ts'
import { sessionLeft } from '../request/session-left.ts'
import type { Route } from './+types/session-time'

/** How long the browser stays signed in, for the warning before the end: `{left}` in milliseconds. Asking prolongs nothing. */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json({ left: await sessionLeft(contextOf(context)) })
}

/** 'Stay signed in': the sign-in and the cookie end a day from now. One that has ended stays ended. */
export async function action({ context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { token } = site.session.ids
  const renewed = token ? await site.call(RenewSignIn, { token }) : null
  if (renewed?.ok && renewed.value !== null) site.session.set({})
  return Response.json({ left: await sessionLeft(site) })
}

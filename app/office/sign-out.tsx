import { redirect } from 'react-router'
import { endOfficeSignIn } from '../../modules/staff/sign-ins.ts'
import { contextOf } from '../request/context.ts'
import type { Route } from './+types/sign-out'

export const handle = { office: true }

/** Ends the sign-in, also by a plain link: the cookie is SameSite=Strict, so another site's link does not send it. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (site.office.token !== null) await endOfficeSignIn(site.services, site.office.token, await site.callers())
  site.office.set(null)
  return redirect('/office/sign-in')
}

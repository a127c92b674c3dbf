import { redirect } from 'react-router'
import { endOfficeSignIn } from '../../modules/staff/operations/end-office-sign-in.ts'
import { contextOf } from '../request/context.ts'
import type { Route } from './+types/sign-out'

export const handle = { office: true }

/**
 * Signs the staff member out. A GET request may do so, since the session cookie is SameSite=Strict: a link on another
 * site does not send it.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (site.office.token !== null) {
    await endOfficeSignIn(site.services, site.office.token, await site.callers())
    site.office.set(null)
  }
  return redirect('/office/sign-in')
}

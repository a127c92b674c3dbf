import { redirect } from 'react-router'
import { findPartialSignIn } from '../../modules/staff/sign-ins.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Returns the staff member at a page of the second factor.
 * @returns `isSignedIn`: true for a signed-in staff member, whose `email` is then ''; false after only the password
 * @throws a redirect to sign-in
 */
export async function requireSigningInStaff(
  site: RequestContext,
): Promise<{ staffId: string; name: string; email: string; token: string; isSignedIn: boolean }> {
  const { token } = site.office
  if (token === null) throw redirect('/office/sign-in')
  const { staff } = await site.callers()
  if (staff) return { staffId: staff.staffId, name: staff.name, email: '', token, isSignedIn: true }
  const partialSignIn = await findPartialSignIn(site.services, token)
  if (partialSignIn === null) throw redirect('/office/sign-in')
  return { ...partialSignIn, token, isSignedIn: false }
}

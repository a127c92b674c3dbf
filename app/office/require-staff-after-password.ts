import { redirect } from 'react-router'
import {
  findStaffOfSignIn,
  type StaffOfSignIn,
} from '../../modules/staff/views/staff-of-partial-or-complete-sign-in.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Returns the staff member for a page of the second factor: after the password alone, or fully signed in.
 * @throws a redirect to the sign-in page when the browser has no sign-in or it has ended
 */
export async function requireSigningInStaff(site: RequestContext): Promise<StaffOfSignIn & { token: string }> {
  const { token } = site.office
  if (token === null) throw redirect('/office/sign-in')
  const staffMember = await findStaffOfSignIn(site.services, token, await site.callers())
  if (staffMember === null) throw redirect('/office/sign-in')
  return { ...staffMember, token }
}

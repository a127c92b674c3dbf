import { redirect } from 'react-router'
import { findStaffOfSignIn, type StaffOfSignIn } from '../../modules/staff/views/staff-of-sign-in.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Returns the staff member at a page of the second factor.
 * @throws a redirect to sign-in
 */
export async function requireSigningInStaff(site: RequestContext): Promise<StaffOfSignIn & { token: string }> {
  const { token } = site.office
  if (token === null) throw redirect('/office/sign-in')
  const staffMember = await findStaffOfSignIn(site.services, token, await site.callers())
  if (staffMember === null) throw redirect('/office/sign-in')
  return { ...staffMember, token }
}

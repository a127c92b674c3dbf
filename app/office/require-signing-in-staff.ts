import { redirect } from 'react-router'
import { findPartialSignIn } from '../../modules/staff/sign-ins.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Returns the staff member at a page of the second factor.
 * @returns `inside` true for a signed-in staff member, then without the
 *   e-mail address; false when only the password was given
 * @throws a redirect to sign-in
 */
export async function requireSigningInStaff(
  site: RequestContext,
): Promise<{ staffId: string; name: string; email: string; token: string; inside: boolean }> {
  const { token } = site.office
  if (token === null) throw redirect('/office/sign-in')
  const { staff } = await site.callers()
  if (staff) return { staffId: staff.staffId, name: staff.name, email: '', token, inside: true }
  const half = await findPartialSignIn(site.services, token)
  if (half === null) throw redirect('/office/sign-in')
  return { ...half, token, inside: false }
}

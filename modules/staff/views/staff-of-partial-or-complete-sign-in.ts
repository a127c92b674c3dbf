import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findPartialSignIn, signInId } from '../sign-ins.ts'

/** A staff member at the pages of the second factor. */
export interface StaffOfSignIn {
  staffId: string
  name: string
  /** '' for a signed-in staff member. */
  email: string
  /** False after only the password. */
  isSignedIn: boolean
}

/** Returns the staff member of a partial or complete sign-in; null when the sign-in has ended. */
export async function findStaffOfSignIn(
  services: Pick<Services, 'db' | 'clock'>,
  token: string,
  { staff }: Pick<Callers, 'staff'>,
): Promise<StaffOfSignIn | null> {
  if (staff?.signIn === signInId(token))
    return { staffId: staff.staffId, name: staff.name, email: '', isSignedIn: true }
  const partialSignIn = await findPartialSignIn(services, token)
  return partialSignIn && { ...partialSignIn, isSignedIn: false }
}

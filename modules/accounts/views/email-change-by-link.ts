import type { Services } from '../../../platform/operations/services.ts'
import { type EmailLink, findEmailChangeByLink } from '../email-change.ts'

/** Returns the addresses of the account's open change that a mailed link confirms; null for any other or an expired link. */
export async function loadRequestedEmailChange(
  services: Services,
  accountId: string,
  link: EmailLink,
): Promise<{ newEmail: string; oldEmail: string } | null> {
  const change = await findEmailChangeByLink(services, accountId, link)
  return change && { newEmail: change.new_email, oldEmail: change.old_email }
}

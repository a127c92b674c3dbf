import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Number of days before a policy's last day from which the mail about its end is due. */
const POLICY_MAIL_DAYS_BEFORE = 30

/**
 * Returns which mail about the tenant's own insurance policy is due; null for none.
 * @param since last day that billing has already handled
 * @param date day that billing handles now
 */
export function policyMailDue(expires: IsoDate, since: IsoDate, date: IsoDate): 'ending' | 'ended' | null {
  // Compares without computing the day after, which does not exist for 12/31/9999.
  if (expires >= since && expires < date) return 'ended'
  if (expires < date) return null
  const warningDay = addDays(expires, -POLICY_MAIL_DAYS_BEFORE)
  return warningDay > since && warningDay <= date ? 'ending' : null
}

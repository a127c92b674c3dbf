import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { periodsReachingAge } from './periods-due.ts'

/** Days after the first day of the oldest unpaid period before the past-due mail is sent. */
const PAST_DUE_MAIL_AFTER_DAYS = 5

/** A mail to send on a billing day about an unpaid period. */
export interface DueMail {
  kind: 'payment_due' | 'past_due'
  periodStart: IsoDate
}

/**
 * Returns the mails about unpaid periods for a billing day: a payment-due mail when the newest period that is charged is
 * not paid by a credit, and a past-due mail when the oldest unpaid period has reached `PAST_DUE_MAIL_AFTER_DAYS` since the
 * last billing.
 * @param newest newest period that this billing charges; undefined where it charges none
 */
export function dueMails(
  { since, date }: { since: IsoDate; date: IsoDate },
  paidThrough: IsoDate,
  newest: { start: IsoDate; end: IsoDate } | undefined,
): DueMail[] {
  const mails: DueMail[] = []
  if (newest && newest.end > paidThrough) mails.push({ kind: 'payment_due', periodStart: newest.start })
  const unpaid = addDays(paidThrough, 1)
  if (periodsReachingAge(PAST_DUE_MAIL_AFTER_DAYS, { paidThrough, chargedThrough: unpaid }, since, date).length > 0)
    mails.push({ kind: 'past_due', periodStart: unpaid })
  return mails
}

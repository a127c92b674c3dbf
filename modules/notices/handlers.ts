/**
 * The outbox's other end: each kind of notice is composed from the record when it is sent, and goes out once. Whoever
 * causes one enqueues a job with keys only, in the transaction that causes it.
 */
import type { Job, JobHandlers } from '../../platform/jobs/runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { accountNotices } from './compose/account.ts'
import { appointmentNotices } from './compose/appointment.ts'
import type { Composers, NoticeKind } from './compose/facts.ts'
import { insuranceNotices } from './compose/insurance.ts'
import { moveInNotices } from './compose/move-in.ts'
import { moveOutNotices } from './compose/move-out.ts'
import { paymentNotices } from './compose/payment.ts'
import { reservationNotices } from './compose/reservation.ts'

/** How notices leave the house. */
export interface Posting {
  mail: Mail
  /** 'Latchkey <desk@latchkey.example>' */
  from: string
}

/** How each notice is made from its keys. */
const composers: Composers<NoticeKind> = {
  ...reservationNotices,
  ...moveInNotices,
  ...paymentNotices,
  ...accountNotices,
  ...moveOutNotices,
  ...insuranceNotices,
  ...appointmentNotices,
}

/** The job handlers of the outbox. A server that cannot take the mail now is tried again; see platform/jobs/runner.ts. */
export function noticeHandlers(services: Services, posting: Posting): Pick<JobHandlers, NoticeKind> {
  return Object.fromEntries(
    Object.entries(composers).map(([kind, compose]) => [
      kind,
      async (job: Job): Promise<void> => {
        const composed = await compose(services, job.payload as never)
        if (!composed) return
        await posting.mail.send({
          // The same for every try, so that a server that saw it may drop the second.
          messageId: `${job.jobId}@${new URL(services.publicUrl).hostname}`,
          to: composed.to,
          from: posting.from,
          subject: composed.notice.subject,
          text: composed.notice.text,
          html: composed.notice.html,
          attachments: composed.attachments ?? [],
        })
      },
    ]),
  ) as Pick<JobHandlers, NoticeKind>
}

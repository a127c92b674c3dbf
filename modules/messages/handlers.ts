/** A job holds keys only; the notice is composed from the record when it is sent. */

import { INVITATION_MS, STAFF_UNLOCK_MS } from '../../domain/office/factors.ts'
import type { Channel } from '../../platform/jobs/circuit-breakers.ts'
import type { Job, JobHandlers } from '../../platform/jobs/runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { JobKind } from '../../platform/schema/job-kinds.ts'
import { type Mail, MailNotDelivered } from '../../ports/mail/mail.ts'
import { SmsNotDelivered } from '../../ports/sms/sms.ts'
import { EMAIL_CHANGE_MS } from '../accounts/email-change.ts'
import { RESET_CODE_MS } from '../accounts/rules/reset-code.ts'
import { UNLOCK_MS } from '../accounts/unlock-link.ts'
import { dropUnattached } from '../liens/proof-file.ts'
import { sendRefund } from '../refunds/send-refunds.ts'
import { accountNotices } from './compose/account.ts'
import { appointmentNotices } from './compose/appointment.ts'
import { type Composers, loadLetters, type NoticeKind } from './compose/facts.ts'
import { insuranceNotices } from './compose/insurance.ts'
import { ledgerNotices } from './compose/ledger.ts'
import { moveInNotices } from './compose/move-in.ts'
import { moveOutNotices } from './compose/move-out.ts'
import { paymentNotices } from './compose/payment.ts'
import { rentNotices } from './compose/rent.ts'
import { reservationNotices } from './compose/reservation.ts'
import { settlementNotices } from './compose/settlement.ts'
import { staffNotices } from './compose/staff.ts'
import { transferNotices } from './compose/transfer.ts'
import { textHandlers } from './text-messages.ts'

export const prepareNotices = loadLetters

export interface MailSettings {
  mail: Mail
  /** 'Latchkey <desk@latchkey.example>' */
  from: string
}

const composers: Composers<NoticeKind> = {
  ...reservationNotices,
  ...moveInNotices,
  ...paymentNotices,
  ...accountNotices,
  ...moveOutNotices,
  ...rentNotices,
  ...settlementNotices,
  ...transferNotices,
  ...ledgerNotices,
  ...insuranceNotices,
  ...appointmentNotices,
  ...staffNotices,
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** What somebody waits for: a code, a link, the word of a minute. Later it only confuses, or has run out. */
export const staleAfter: Partial<Record<JobKind, number>> = {
  reset_code: RESET_CODE_MS,
  unlock: UNLOCK_MS,
  confirm_email: EMAIL_CHANGE_MS,
  gate_code: 12 * HOUR,
  gate_code_sms: 30 * MINUTE,
  reservation_link_sms: 12 * HOUR,
  staff_unlock: STAFF_UNLOCK_MS,
  register_link: DAY,
  staff_invited: INVITATION_MS,
  clock_in_doubt: DAY,
  billing_waits: DAY,
}

/** The ways on which jobs leave. */
export const channels: readonly Channel[] = [
  {
    name: 'mail',
    kinds: Object.keys(composers) as NoticeKind[],
    failureOf(error) {
      if (!(error instanceof MailNotDelivered)) return 'job'
      return error.permanent ? 'never' : error.server ? 'channel' : 'address'
    },
  },
  {
    name: 'sms',
    kinds: ['gate_code_sms', 'reservation_link_sms'],
    failureOf: (error) => (error instanceof SmsNotDelivered ? 'channel' : 'job'),
  },
]

/** The handler of each job kind. A failed send is retried by platform/jobs/runner.ts. */
export const noticeHandlers = (services: Services, settings: MailSettings): JobHandlers => ({
  ...mailHandlers(services, settings),
  ...textHandlers(services),
  send_refund: sendRefund(services),
  lien_proof_kept: dropUnattached(services),
})

function mailHandlers(services: Services, { mail, from }: MailSettings): Pick<JobHandlers, NoticeKind> {
  return Object.fromEntries(
    Object.entries(composers).map(([kind, compose]) => [
      kind,
      async (job: Job): Promise<void> => {
        const composed = await compose(services, job.payload as never)
        if (!composed) return
        await mail.send({
          // The same for every try, so that a mail server can drop a duplicate.
          messageId: `${job.jobId}@${new URL(services.publicUrl).hostname}`,
          to: composed.to,
          from,
          subject: composed.notice.subject,
          text: composed.notice.text,
          html: composed.notice.html,
          attachments: composed.attachments ?? [],
        })
        await composed.sent?.()
      },
    ]),
  ) as Pick<JobHandlers, NoticeKind>
}

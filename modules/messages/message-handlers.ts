import { keysOf, recordOf } from '../../domain/typed-keys.ts'
import type { Channel } from '../../platform/jobs/circuit-breakers.ts'
import type { Job, JobHandlers } from '../../platform/jobs/job-runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { JobKind } from '../../platform/schema/job-kinds.ts'
import { type Mail, MailNotDelivered } from '../../ports/mail/mail.ts'
import { SmsNotDelivered } from '../../ports/sms/sms.ts'
import { deleteUnattachedProof } from '../liens/lien-proof-files.ts'
import { sendRefund } from '../refunds/send-refunds.ts'
import { hasTextConsent } from '../tenants/sms-consent.ts'
import type { Message, MessageKind } from './message-definition.ts'
import { messages } from './messages-by-kind.ts'

/** Loads React Email on demand, since the operator's commands do not need it. */
export const loadMailRenderer = () => import('./mail-layout.tsx')

/** Mail server and sender of all mails. */
export interface MailSettings {
  mail: Mail
  /** 'Latchkey <desk@latchkey.example>' */
  from: string
}

const allMessages: readonly Message[] = Object.values(messages)

/** Maximum age of messages by job kind, in milliseconds; older ones are dropped. */
export const staleAfter: Partial<Record<JobKind, number>> = Object.fromEntries(
  allMessages.flatMap(({ kind, staleAfter }) => (staleAfter === undefined ? [] : [[kind, staleAfter]])),
)

const kindsOf = (channel: Message['channel']): MessageKind[] =>
  allMessages.filter((message) => message.channel === channel).map(({ kind }) => kind)

/**
 * Channels on which jobs send messages: mail and text messages. `failureOf` returns how far a failure reaches: one job,
 * one address or the whole channel; 'never' for a mail that can never be delivered.
 */
export const channels: readonly Channel[] = [
  {
    name: 'mail',
    kinds: kindsOf('mail'),
    failureOf(error) {
      if (!(error instanceof MailNotDelivered)) return 'job'
      return error.permanent ? 'never' : error.server ? 'channel' : 'address'
    },
  },
  {
    name: 'sms',
    kinds: kindsOf('sms'),
    failureOf: (error) => (error instanceof SmsNotDelivered ? 'channel' : 'job'),
  },
]

/** Returns the handler of each job kind. platform/jobs/job-runner.ts retries a failed send. */
export const messageJobHandlers = (services: Services, settings: MailSettings): JobHandlers => ({
  ...messageHandlers(services, settings),
  send_refund: sendRefund(services),
  lien_proof_kept: deleteUnattachedProof(services),
})

/** Reason of a job that ends without sending its message (`noMessage`). */
const NOTHING_TO_SEND = 'Not sent: nobody to send it to, or not true any more'

const messageHandlers = (services: Services, settings: MailSettings): Pick<JobHandlers, MessageKind> =>
  recordOf(keysOf(messages), (kind) => {
    const message: Message = messages[kind]
    return (job: Job<MessageKind>) =>
      message.channel === 'mail' ? sendMail(services, settings, job, message) : sendText(services, job, message)
  })

async function sendMail(
  services: Services,
  { mail, from }: MailSettings,
  job: Job<MessageKind>,
  message: Extract<Message, { channel: 'mail' }>,
): Promise<string | undefined> {
  const composed = await message.compose(services, job.payload)
  if (!composed) return NOTHING_TO_SEND
  const { renderMail } = await loadMailRenderer()
  const { subject, text, html } = renderMail(composed.brand, composed.letter)
  await mail.send({
    // The id is the same for every attempt, so that a mail server can drop a duplicate.
    messageId: `${job.jobId}@${new URL(services.publicUrl).hostname}`,
    to: composed.to,
    from,
    subject,
    text,
    html,
    attachments: composed.attachments ?? [],
  })
  await composed.sent?.()
}

/**
 * Sends a text message, only to a ten-digit number that has agreed and not opted out. A permanent refusal is reported
 * and not retried.
 * @returns why the message was not sent; undefined where it was
 */
async function sendText(
  services: Services,
  job: Job<MessageKind>,
  message: Extract<Message, { channel: 'sms' }>,
): Promise<string | undefined> {
  const composed = await message.compose(services, job.payload)
  if (!composed || !/^\d{10}$/.test(composed.to)) return NOTHING_TO_SEND
  if (!(await hasTextConsent(services.db.read, composed.to)))
    return 'Not sent: the number has not agreed to text messages'
  try {
    await services.sms.send({ messageId: job.jobId, to: composed.to, text: composed.text })
  } catch (error) {
    if (!(error instanceof SmsNotDelivered) || !error.permanent) throw error
    services.errors.report(error, { job: job.jobId, kind: job.kind })
    return `Not sent: ${error.message}`.slice(0, 1000)
  }
}

import { messageJobHandlers } from '../../modules/messages/message-handlers.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type MailMessage, MailNotDelivered } from '../../ports/mail/mail.ts'

/** Runs the due jobs of messages and returns the mails sent. A mail without a recipient fails permanently. */
export async function runDueMessageJobs(services: Services): Promise<MailMessage[]> {
  const sent: MailMessage[] = []
  const mail = {
    async send(message: MailMessage) {
      if (message.to === '') throw new MailNotDelivered(true, 'nobody')
      sent.push(message)
    },
  }
  const handlers = messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' })
  const log = { warn() {}, error() {} }
  await new JobRunner({ db: services.db, clock: services.clock, handlers, log, onDead() {} }).runDue()
  return sent
}

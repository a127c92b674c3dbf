import type { Services } from '../../../platform/operations/services.ts'
import { recordReply } from '../../tenants/sms-consent.ts'
import type { MailboxMessage } from '../views/development-mailbox.ts'

/** Stores a reply by text message in the demo, as if the phone's owner had sent it. */
export async function simulateTextMessageReply(
  services: Services,
  message: Pick<MailboxMessage, 'to'>,
  reply: string,
): Promise<void> {
  await recordReply(services, { id: services.random.uuid(), from: message.to, text: reply })
}

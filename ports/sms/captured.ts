import type { Clock } from '../clock-and-random.ts'
import type { Mailbox } from '../mail/captured.ts'
import { type Sms, SmsNotDelivered } from './sms.ts'

/**
 * Stores text messages for the mailbox page instead of sending them. Numbers ending in 0404 fail permanently, in 0503
 * temporarily.
 */
export function capturedSms(parts: { mailbox: Mailbox; clock: Clock }): Sms {
  const { mailbox, clock } = parts
  return {
    readReply: () => null,
    async send({ messageId, to, text }) {
      if (!/^\d{10}$/.test(to)) throw new SmsNotDelivered(true, 'The number is not ten digits')
      if (to.endsWith('0404')) throw new SmsNotDelivered(true, 'No such number')
      if (to.endsWith('0503')) throw new SmsNotDelivered(false, 'Try again later')
      await mailbox.keep({
        message_id: messageId,
        channel: 'sms',
        recipient: to,
        subject: '',
        text,
        html: '',
        attachments: '[]',
        created_at: clock.now(),
      })
    },
  }
}

/** Samples of every message, for the development mailbox and the tests. */

import { renderMail } from '../mail-layout.tsx'
import type { Message } from '../message-definition.ts'
import { messages } from '../messages-by-kind.ts'

const allMessages: readonly Message[] = Object.values(messages)

/** Every sample mail, rendered on demand. */
export const mailSamples = allMessages.flatMap((message) =>
  message.channel === 'mail'
    ? message.samples.map(({ name, title, brand, letter }) => ({
        name,
        title,
        notice: () => renderMail(brand, letter()),
      }))
    : [],
)

/** Every sample text message. */
export const smsSamples = allMessages.flatMap((message) => (message.channel === 'sms' ? message.samples : []))

import { type MailMessage, MailNotDelivered } from './mail.ts'

// Names and subjects are typed by visitors: a line break among them would begin a header of its own.

export interface NamedAddress {
  name: string
  address: string
}

/** A message whose every header value is one line, and whose addresses are one address each. */
export interface SafeMessage extends Omit<MailMessage, 'to' | 'from' | 'replyTo'> {
  to: string
  from: NamedAddress
  replyTo: NamedAddress | null
}

const ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?$/u
const NAMED_ADDRESS = /^\s*(?:"?(?<name>[^"<>]*?)"?\s*<(?<inner>[^<>]+)>|(?<bare>\S+))\s*$/
const MESSAGE_ID = /^[\w.+-]+@[\w.-]+$/
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/

/** Control characters and line separators become spaces. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

function address(text: string, of: string): string {
  if (!ADDRESS.test(text)) throw new MailNotDelivered(true, `The ${of} is not one e-mail address`)
  return text
}

function namedAddress(text: string, of: string): NamedAddress {
  const parts = NAMED_ADDRESS.exec(oneLine(text))?.groups
  return { name: parts?.name ?? '', address: address(parts?.inner ?? parts?.bare ?? '', of) }
}

/** @throws MailNotDelivered, permanent, naming the field (never its value) that cannot be sent */
export function safeMessage(message: MailMessage): SafeMessage {
  if (!MESSAGE_ID.test(message.messageId)) throw new MailNotDelivered(true, 'The message id is not of the form a@b')
  return {
    messageId: message.messageId,
    to: address(message.to, 'recipient'),
    from: namedAddress(message.from, 'sender'),
    replyTo: message.replyTo ? namedAddress(message.replyTo, 'reply address') : null,
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    attachments: message.attachments.map((attachment) => ({
      filename: oneLine(attachment.filename).replace(/[/\\]/g, '_') || 'attachment',
      contentType: CONTENT_TYPE.test(attachment.contentType) ? attachment.contentType : 'application/octet-stream',
      content: attachment.content,
    })),
  }
}

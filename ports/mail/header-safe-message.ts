import { type MailMessage, MailNotDelivered } from './mail.ts'

// Subjects and file names may contain text that visitors typed. A line break in it would start a new header.

export interface NamedAddress {
  name: string
  address: string
}

/** A message whose header values are single lines and whose address fields hold one address each. */
export interface HeaderSafeMessage extends Omit<MailMessage, 'to' | 'from'> {
  to: string
  from: NamedAddress
}

const ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?$/u
const NAMED_ADDRESS = /^\s*(?:"?(?<name>[^"<>]*?)"?\s*<(?<inner>[^<>]+)>|(?<bare>\S+))\s*$/
const MESSAGE_ID = /^[\w.+-]+@[\w.-]+$/
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/

/** Replaces control characters and line separators by spaces. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

function requireAddress(text: string, field: string): string {
  if (!ADDRESS.test(text)) throw new MailNotDelivered(true, `The ${field} is not one e-mail address`)
  return text
}

function parseNamedAddress(text: string, field: string): NamedAddress {
  const parts = NAMED_ADDRESS.exec(oneLine(text))?.groups
  return { name: parts?.name ?? '', address: requireAddress(parts?.inner ?? parts?.bare ?? '', field) }
}

/**
 * Makes a message safe to send.
 * @throws MailNotDelivered (permanent) with the name of the invalid field, never its value
 */
export function headerSafeMessage(message: MailMessage): HeaderSafeMessage {
  if (!MESSAGE_ID.test(message.messageId)) throw new MailNotDelivered(true, 'The message id is not of the form a@b')
  return {
    messageId: message.messageId,
    to: requireAddress(message.to, 'recipient'),
    from: parseNamedAddress(message.from, 'sender'),
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

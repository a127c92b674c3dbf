import { isIPv4 } from 'node:net'
import { createTransport } from 'nodemailer'
import { isRecord } from '../../domain/typed-keys.ts'
import { headerSafeMessage } from './header-safe-message.ts'
import { type Mail, MailNotDelivered } from './mail.ts'

/**
 * Sends mail over SMTP. Port 465 or smtps:// uses TLS; smtp:// requires STARTTLS, except for a relay on this machine.
 * @param parts.timeout milliseconds
 * @param parts.connections maximum of concurrent connections to the server
 */
export function smtpMail(parts: {
  url: string
  timeout?: number
  connections?: number
}): Required<Mail> & { close(): void } {
  const { hostname, port, protocol, username, password } = new URL(parts.url)
  const secure = protocol === 'smtps:' || port === '465'
  const local = hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  const timeout = parts.timeout ?? 15_000
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && !local,
    // A local relay seldom has a certificate, and the connection does not leave the machine.
    ignoreTLS: !secure && local,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    pool: true,
    maxConnections: parts.connections ?? 2,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    // Attachments are bytes; nodemailer must never read a path or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(message) {
      const safe = headerSafeMessage(message)
      try {
        await transport.sendMail({
          messageId: `<${safe.messageId}>`,
          to: { name: '', address: safe.to },
          from: safe.from,
          subject: safe.subject,
          text: safe.text,
          html: safe.html,
          attachments: safe.attachments.map(({ filename, contentType, content }) => ({
            filename,
            contentType,
            content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
          })),
        })
      } catch (error) {
        throw toMailNotDelivered(error)
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw toMailNotDelivered(error)
      }
    },
    close: () => transport.close(),
  }
}

/**
 * Classifies a failure. A 5xx status about message or recipient is permanent. A refused log-in, sender or connection is
 * not, since the operator can fix it.
 */
function toMailNotDelivered(error: unknown): MailNotDelivered {
  const { code, command, responseCode, message } = isRecord(error) ? error : {}
  const status = Number(responseCode ?? 0)
  const aboutMessage = code !== 'EAUTH' && (command === 'RCPT TO' || command === 'DATA')
  const permanent = aboutMessage && status >= 500 && status !== 530 && status !== 535
  // With 421 the server closes the connection, which is not about the recipient.
  const isDeferred = command === 'RCPT TO' && status >= 400 && status !== 421
  return new MailNotDelivered(permanent, String(message ?? error), !permanent && !isDeferred)
}

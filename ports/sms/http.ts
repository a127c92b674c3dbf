import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { traceHeaders } from '../tracing.ts'
import { type Sms, SmsNotDelivered, type SmsPost, type SmsReply } from './sms.ts'

const TIMEOUT_MS = 10_000
/** 4xx statuses after which a retry may succeed. */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429])

export interface HttpSmsParts {
  /** URL that messages are posted to; for 'twilio' …/2010-04-01/Accounts/{sid}/Messages.json */
  url: string
  /** Bearer token for 'json'; account SID and token, 'AC…:token', for 'twilio'. */
  key: string
  from: string
  form: 'json' | 'twilio'
  timeoutMs?: number
}

interface Message {
  id: string
  from: string
  to: string
  text: string
}

const jsonRequest = (key: string, message: Message) => ({
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, 'Idempotency-Key': message.id },
  body: JSON.stringify(message),
})

const twilioRequest = (key: string, { id, from, to, text }: Message) => ({
  headers: {
    'Content-Type': 'application/x-www-form-urlencoded',
    Authorization: `Basic ${Buffer.from(key).toString('base64')}`,
    'I-Twilio-Idempotency-Token': id,
  },
  body: new URLSearchParams({ From: from, To: to, Body: text }).toString(),
})

/**
 * Sends text messages over HTTP, as JSON with a bearer key or as Twilio's form. The message id is the idempotency key.
 */
export function httpSms(parts: HttpSmsParts): Sms {
  return {
    readReply: (post) => (parts.form === 'json' ? readJson(parts.key, post) : readTwilio(parts.key, post)),
    async send({ messageId, to, text }) {
      if (!/^\d{10}$/.test(to)) throw new SmsNotDelivered(true, 'The number is not ten digits')
      const message = { id: messageId, from: parts.from, to: `+1${to}`, text }
      const { headers, body } =
        parts.form === 'json' ? jsonRequest(parts.key, message) : twilioRequest(parts.key, message)
      let response: Response
      try {
        response = await fetch(parts.url, {
          method: 'POST',
          redirect: 'error',
          signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
          headers: { ...headers, ...traceHeaders() },
          body,
        })
        // Reading the whole body lets the connection be reused.
        await response.arrayBuffer()
      } catch (error) {
        throw new SmsNotDelivered(false, `The SMS provider cannot be reached: ${hostAndCause(parts.url, error)}`)
      }
      if (response.ok) return
      const permanent = response.status >= 400 && response.status < 500 && !RETRYABLE_STATUSES.has(response.status)
      throw new SmsNotDelivered(permanent, `The SMS provider answers ${response.status}`)
    },
  }
}

/** SMS adapter without a configured provider: every message fails permanently, and no reply is read. */
export const unconfiguredSms: Sms = {
  readReply: () => null,
  async send() {
    throw new SmsNotDelivered(true, 'No SMS provider is configured (SMS_URL)')
  },
}

function isSame(signature: string | undefined, expected: Buffer, encoding: 'hex' | 'base64'): boolean {
  const received = Buffer.from(signature ?? '', encoding)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

const tenDigits = (phone: string) => /^(?:\+?1)?(\d{10})$/.exec(phone)?.[1] ?? null

function replyOf(id: unknown, from: unknown, text: unknown): SmsReply | null {
  const phone = tenDigits(String(from ?? ''))
  return typeof id === 'string' && id !== '' && phone !== null ? { id, from: phone, text: String(text ?? '') } : null
}

/** Reads the reply `{"id","from","text"}`, signed by `X-Signature: sha256=<HMAC of the body in hex>`. */
function readJson(key: string, { body, header }: SmsPost): SmsReply | null {
  const expected = createHmac('sha256', key).update(body).digest()
  if (!isSame(header('x-signature')?.replace(/^sha256=/, ''), expected, 'hex')) return null
  try {
    const { id, from, text } = parseJson(body, isRecord)
    return replyOf(id, from, text)
  } catch {
    return null
  }
}

/** Reads a reply in Twilio's form, whose signature covers the URL and the sorted fields. */
function readTwilio(key: string, { url, body, header }: SmsPost): SmsReply | null {
  const form = new URLSearchParams(body)
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).flat()
  const token = key.slice(key.indexOf(':') + 1)
  const expected = createHmac('sha1', token)
    .update(url + fields.join(''))
    .digest()
  if (!isSame(header('x-twilio-signature'), expected, 'base64')) return null
  return replyOf(form.get('MessageSid'), form.get('From'), form.get('Body'))
}

import { isRecord } from '../../domain/typed-keys.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { readResponseText } from '../read-response-text.ts'
import {
  type AppointmentAnswer,
  type AppointmentConfirmed,
  type PropertyManagement,
  PropertyManagementUnavailable,
} from './appointment-host.ts'

const TIMEOUT_MS = 10_000
/** Maximum number of attempts of a request, three seconds apart (spec 2 §9). */
const MAX_ATTEMPTS = 3
const PAUSE_MS = 3000
const MAX_BYTES = 64 * 1024

export interface HttpPropertyManagementParts {
  /** Base URL, such as https://manager.example.com; `/api/appointments/{id}/confirm` is added. */
  url: string
  /** Bearer token, if the host requires one. */
  key?: string | null
  timeoutMs?: number
  /** Waits between two attempts. */
  pause: (milliseconds: number) => Promise<void>
}

/**
 * Confirms appointments by `POST {url}/api/appointments/{id}/confirm` (spec 2 §7). The call is idempotent, so failures
 * are retried, except for a rejected key.
 */
export function httpPropertyManagement(parts: HttpPropertyManagementParts): PropertyManagement {
  return {
    elsewhere: true,
    async confirm(answer) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendConfirmation(parts, answer)
        } catch (error) {
          if (!(error instanceof PropertyManagementUnavailable) || error.permanent || attempt === MAX_ATTEMPTS)
            throw error
          await parts.pause(PAUSE_MS)
        }
      }
    },
  }
}

async function sendConfirmation(
  parts: HttpPropertyManagementParts,
  answer: AppointmentAnswer,
): Promise<AppointmentConfirmed> {
  let status: number
  let text: string
  try {
    const response = await fetch(`${parts.url}/api/appointments/${answer.appointmentId}/confirm`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(parts.key && { Authorization: `Bearer ${parts.key}` }),
      },
      body: JSON.stringify({
        confirmation_token: answer.confirmationToken,
        option: answer.option,
        confirmation_source: answer.confirmationSource,
      }),
    })
    status = response.status
    text = await readResponseText(response, MAX_BYTES)
  } catch (error) {
    if (error instanceof RangeError)
      throw new PropertyManagementUnavailable("The property-management host's answer is too long")
    const cause = hostAndCause(parts.url, error)
    throw new PropertyManagementUnavailable(`The property-management host cannot be reached: ${cause}`)
  }
  if (status >= 500 || status === 429 || status === 408)
    throw new PropertyManagementUnavailable(`The property-management host answers ${status}`)
  // Our key or URL is wrong: neither the tenant nor another attempt can fix it.
  if (status === 401 || status === 403)
    throw new PropertyManagementUnavailable(`The property-management host answers ${status}`, true)
  const confirmation = parseConfirmation(text, status < 300)
  if (!confirmation)
    throw new PropertyManagementUnavailable(`The property-management host's answer ${status} cannot be read`)
  return confirmation
}

/**
 * Parses the response to a confirmation, `{appointment_datetime, error}`, whose error is a text or `{message}`. Null
 * for any other response, and for an error status without an error text.
 */
function parseConfirmation(text: string, ok: boolean): AppointmentConfirmed | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(body)) return null
  // A response with neither field confirms nothing.
  if (!('appointment_datetime' in body || 'error' in body)) return null
  const { appointment_datetime: when = '', error = '' } = body
  const refusal = isRecord(error) ? error.message : (error ?? '')
  if (typeof refusal !== 'string' || (typeof when !== 'string' && when !== null)) return null
  if (!ok && refusal === '') return null
  return { appointmentDatetime: refusal === '' ? (when ?? '').slice(0, 200) : '', error: refusal.slice(0, 500) }
}

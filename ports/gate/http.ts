import { createHmac } from 'node:crypto'
import { isRecord } from '../../domain/typed-keys.ts'
import type { Clock } from '../clock-and-random.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { readResponseText } from '../read-response-text.ts'
import { traceHeaders } from '../tracing.ts'
import {
  type GateAcknowledgement,
  type GateBridge,
  type GateListToSend,
  type GateSettings,
  GateUnavailable,
} from './gate.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/**
 * Returns the signature of a list by the Standard Webhooks scheme.
 * @param secret `whsec_` and the key in base64
 * @param message.at seconds since 1970
 */
const gateSignature = (secret: string, message: { id: string; at: number; body: string }): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${message.id}.${message.at}.${message.body}`).digest('base64')}`
}

/** Sends signed lists to a gate's address over HTTP. The response is {version, refused?: [{id, why}]}. */
export const httpGate =
  (clock: Clock) =>
  ({ url, secret }: GateSettings): GateBridge => ({
    async send(list: GateListToSend) {
      const body = JSON.stringify(list)
      const id = `${list.facility}-${list.epoch}-${list.version}`
      const at = Math.floor(clock.now() / 1000)
      let response: Response
      let text: string
      try {
        response = await fetch(url, {
          method: 'POST',
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            'Content-Type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(at),
            'webhook-signature': gateSignature(secret, { id, at, body }),
            ...traceHeaders(),
          },
          body,
        })
        text = await readResponseText(response, MAX_BYTES)
      } catch (error) {
        if (error instanceof RangeError) throw new GateUnavailable('The gate’s answer is too long')
        throw new GateUnavailable(`The gate did not answer: ${hostAndCause(url, error)}`)
      }
      if (!response.ok) throw new GateUnavailable(`The gate answered ${response.status}`)
      const acknowledgement = readAcknowledgement(text)
      if (!acknowledgement) throw new GateUnavailable('The gate’s answer cannot be read')
      return acknowledgement
    },
  })

/** Parses the gate's response; null if it is malformed. */
function readAcknowledgement(text: string): GateAcknowledgement | null {
  let response: unknown
  try {
    response = JSON.parse(text)
  } catch {
    return null
  }
  const { version, refused = [] } = isRecord(response) ? response : {}
  if (!Number.isSafeInteger(version) || !Array.isArray(refused)) return null
  return {
    version: Number(version),
    refused: refused.slice(0, 5000).flatMap((refusal: unknown) => {
      const { id, why } = isRecord(refusal) ? refusal : {}
      return typeof id === 'string' ? [{ id, why: typeof why === 'string' ? why.slice(0, 200) : 'not said' }] : []
    }),
  }
}

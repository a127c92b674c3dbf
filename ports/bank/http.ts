import { isOneOf, isRecord } from '../../domain/typed-keys.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { readResponseText } from '../read-response-text.ts'
import { traceHeaders } from '../tracing.ts'
import { type Bank, BankUnavailable, type DebitResult, type ReturnedDebit } from './bank.ts'

const TIMEOUT_MS = 15_000
/** Maximum size of a response in bytes; a list of 500 returns is smaller. */
const MAX_BYTES = 512 * 1024

export interface HttpBankParts {
  url: string
  key: string
  timeoutMs?: number
}

/**
 * Calls a bank or its processor over HTTP, in JSON with a bearer key. Amounts are whole cents.
 *
 *     POST {url}/accounts/validate     {name, routing, account, type}                      → {valid, reference, description}
 *     POST {url}/debits                {order_id, amount, descriptor, name, routing, …}    → a debit
 *     GET  {url}/debits/{order}                                                            → a debit
 *     POST {url}/debits/{order}/credit {amount}                                            → {done, code, description}
 *     GET  {url}/returns?after={cursor}                → {returns: [{order_id, code, description, amount, at, cursor}]}
 *
 * A debit is {order_id, state, amount, trace, code, description}; `state` as in `DebitResult`. The order id is the
 * idempotency key.
 */
export function httpBank(parts: HttpBankParts): Bank {
  const debit = async (orderId: string, path: string, body?: object): Promise<DebitResult> => {
    const parsed = readDebit(await sendRequest(parts, path, body))
    if (parsed?.orderId !== orderId)
      throw new BankUnavailable('garbage', 'The bank’s answer about a debit cannot be read')
    return parsed
  }
  return {
    async validateAccount(account) {
      const { valid, reference, description } = await sendRequest(parts, '/accounts/validate', account)
      if (typeof valid !== 'boolean')
        throw new BankUnavailable('garbage', 'The bank’s answer about an account cannot be read')
      return { valid, reference: textOf(reference), description: textOf(description) }
    },
    debit: ({ orderId, account, amount, descriptor }) =>
      debit(orderId, '/debits', { order_id: orderId, amount, descriptor: descriptor.slice(0, 60), ...account }),
    queryDebit: (orderId) => debit(orderId, `/debits/${encodeURIComponent(orderId)}`),
    async refund({ orderId, amount }) {
      const { done, code, description } = await sendRequest(parts, `/debits/${encodeURIComponent(orderId)}/credit`, {
        amount,
      })
      if (typeof done !== 'boolean')
        throw new BankUnavailable('garbage', 'The bank’s answer about a credit cannot be read')
      return { done, code: textOf(code), description: textOf(description) }
    },
    async returnsSince(cursor) {
      const { returns } = await sendRequest(parts, `/returns?after=${encodeURIComponent(cursor)}`)
      const parsed = Array.isArray(returns) ? returns.map(readReturn) : [null]
      if (!parsed.every((item) => item !== null))
        throw new BankUnavailable('garbage', 'The bank’s list of returns cannot be read')
      return parsed
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

const states: readonly DebitResult['state'][] = ['ACCEPTED', 'REFUSED', 'RETURNED', 'UNKNOWN']

const isCents = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

function readDebit(body: Record<string, unknown>): DebitResult | null {
  const { order_id: orderId, state, amount } = body
  if (typeof orderId !== 'string' || typeof state !== 'string' || !isOneOf(states, state) || !isCents(amount))
    return null
  return {
    state,
    orderId,
    amount,
    traceNumber: textOf(body.trace),
    code: textOf(body.code),
    description: textOf(body.description),
  }
}

function readReturn(item: unknown): ReturnedDebit | null {
  if (!isRecord(item)) return null
  const { order_id: orderId, code, description, amount, at, cursor } = item
  if (typeof orderId !== 'string' || typeof code !== 'string' || code === '') return null
  if (!isCents(amount) || !isCents(at) || typeof cursor !== 'string' || cursor === '') return null
  return { orderId, code: code.slice(0, 8), description: textOf(description), amount, at, cursor }
}

/**
 * Sends one HTTP request to the bank.
 * @returns JSON object of a response with status 200
 * @throws BankUnavailable for any other response, and without a response
 */
async function sendRequest(parts: HttpBankParts, path: string, body?: object): Promise<Record<string, unknown>> {
  let status: number
  let text: string
  try {
    const response = await fetch(`${parts.url}${path}`, {
      method: body ? 'POST' : 'GET',
      redirect: 'error',
      signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${parts.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...traceHeaders(),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    status = response.status
    text = await readResponseText(response, MAX_BYTES)
  } catch (error) {
    if (error instanceof RangeError) throw new BankUnavailable('garbage', 'The bank’s answer is too long')
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    const message = `The bank cannot be reached: ${hostAndCause(parts.url, error)}`
    throw new BankUnavailable(isTimeout ? 'timeout' : 'refused', message)
  }
  if (status !== 200) throw new BankUnavailable('status', `The bank answers ${status}`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new BankUnavailable('garbage', 'The bank’s answer is not JSON')
  }
  if (!isRecord(parsed)) throw new BankUnavailable('garbage', 'The bank’s answer is no object')
  return parsed
}

import { fromWire, toWire } from '../../domain/money.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { readResponseText } from '../read-response-text.ts'
import { traceHeaders } from '../tracing.ts'
import { readXml, writeXml, type XmlLimits } from '../xml.ts'
import {
  type CardProvider,
  CardProviderUnavailable,
  type HostedPage,
  type HostedPageRequest,
  type ListedCharge,
  type OrderResult,
} from './card-provider.ts'

export interface EdgeExpressOptions {
  /** URL in front of `/HostPayService/…`, such as https://ee.example.com */
  baseUrl: string
  credentials: { xwebId: string; terminalId: string; authKey: string }
  /** Origin of the hosted card pages, if it differs from the base URL's. */
  pageOrigin?: string
  timeoutMs?: number
}

// Response codes that are handled separately.
const APPROVED = '000'
const SESSION_CREATED = '100'
const CANCELLED = '106'
const NOT_FINISHED_OR_UNKNOWN = '814'
const ALREADY_SETTLED = '816'
const ALREADY_REFUNDED = '817'

const MAX_RESPONSE_BYTES = 256 * 1024

type Fields = { [name: string]: string | Fields }

/** Limits for reading a response about one order; larger than any such response of the protocol. */
const responseLimits: XmlLimits = { depth: 4, elements: 500, references: 500, cdata: true }

/** Replaces control characters, most of which XML cannot hold, by spaces, so that a pasted name breaks no request. */
function replaceControlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters on purpose
  return text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ').trim()
}

function garbageError(problem: string): CardProviderUnavailable {
  return new CardProviderUnavailable('garbage', `The card provider's answer makes no sense: ${problem}.`)
}

/** Limits for reading one page of the transaction list. */
const listLimits: XmlLimits = { ...responseLimits, elements: 5_000, references: 5_000 }

/** Returns the child elements of `<RESULT>`. @throws CardProviderUnavailable 'garbage' */
function readBody(text: string, limits: XmlLimits): Record<string, unknown> {
  const document = readXml(text, limits)
  if (!document.ok || document.service !== 'RESULT') throw garbageError('no RESULT')
  return document.body
}

/**
 * Returns a function that looks up an element's text by name, '' if the element is missing.
 * @throws CardProviderUnavailable 'garbage'
 */
function readResult(body: Record<string, unknown>): FieldReader {
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) throw garbageError(`${name} stands twice`)
    if (typeof value === 'string') fields.set(name, value.trim())
  }
  const code = fields.get('RESPONSECODE') ?? ''
  if (!/^\d{3}$/.test(code)) throw garbageError('no RESPONSECODE')
  return (name) => fields.get(name) ?? ''
}

/**
 * Posts XML and returns the response.
 * @throws CardProviderUnavailable 'status' unless 200, 'garbage' if too long, 'timeout', 'unreachable'
 */
async function post(url: string, body: string, timeoutMs: number): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'Content-Type': 'text/xml; charset=utf-8', Accept: 'text/xml', ...traceHeaders() },
    })
    if (response.status === 200) return await readResponseText(response, MAX_RESPONSE_BYTES)
    await response.body?.cancel()
    throw new CardProviderUnavailable('status', `The card provider answered ${response.status}.`)
  } catch (error) {
    if (error instanceof CardProviderUnavailable) throw error
    if (error instanceof RangeError) throw garbageError('it is too long')
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new CardProviderUnavailable('timeout', 'The card provider did not answer in time.')
    throw new CardProviderUnavailable(
      'unreachable',
      `The card provider could not be reached: ${hostAndCause(url, error)}.`,
    )
  }
}

type FieldReader = (field: string) => string

function refusedError(field: FieldReader): CardProviderUnavailable {
  const reason = `${field('RESPONSECODE')} ${field('RESPONSEDESCRIPTION')}`
  return new CardProviderUnavailable('refused', `The card provider did not carry out the request: ${reason}`)
}

/**
 * Converts a response to an order's state: 000 is APPROVED, 814 PENDING, 106 (or STATE CANCELLED) CANCELLED, other
 * codes below 800 DECLINED.
 * @throws CardProviderUnavailable 'refused' for other 8xx and 9xx: the request failed, which says nothing of the order;
 *   'garbage' for an approval without amount or transaction id
 */
function toOrderResult(orderId: string, field: FieldReader): OrderResult {
  const code = field('RESPONSECODE')
  const state =
    code === APPROVED
      ? 'APPROVED'
      : code === NOT_FINISHED_OR_UNKNOWN
        ? 'PENDING'
        : code === CANCELLED || field('STATE') === 'CANCELLED'
          ? 'CANCELLED'
          : 'DECLINED'
  if (state === 'DECLINED' && /^[89]/.test(code)) throw refusedError(field)
  const approvedAmount = fromWire(field('APPROVEDAMOUNT'))
  // An approval without amount or transaction id cannot be posted.
  if (state === 'APPROVED' && (approvedAmount === null || field('TRANSACTIONID') === ''))
    throw garbageError('an approval without amount or transaction')
  return {
    state,
    orderId,
    responseCode: code,
    responseDescription: field('RESPONSEDESCRIPTION'),
    transactionId: field('TRANSACTIONID'),
    approvedAmount: approvedAmount ?? 0,
    alias: field('ALIAS'),
    cardBrand: field('CARDBRAND'),
    maskedCardNumber: field('MASKEDCARDNUMBER'),
    expMonth: field('EXPMONTH') === '' ? '' : field('EXPMONTH').padStart(2, '0'),
    expYear: field('EXPYEAR').slice(-2),
    customerName: field('CUSTOMERNAME'),
    address: field('ADDRESS1'),
    postalCode: field('BILLINGPOSTALCODE'),
    receiptId: field('RECEIPTID'),
  }
}

type Path = 'hostpay/transactions/' | 'directpay/express'

/**
 * Function that sends one HTTP request to the card provider.
 * @returns the response body
 * @throws CardProviderUnavailable
 */
type Send = (path: Path, type: string, fields: Fields) => Promise<string>

/**
 * Function that calls the provider about one order and returns a reader of the response's fields.
 * @throws CardProviderUnavailable
 */
type Call = (path: Path, type: string, orderId: string, fields?: Fields) => Promise<FieldReader>

function createSend({ baseUrl, credentials, timeoutMs = 10_000 }: EdgeExpressOptions): Send {
  const url = `${baseUrl.replace(/\/+$/, '')}/HostPayService/v1/`
  return (path, type, fields) => {
    const request = {
      XWEBID: credentials.xwebId,
      XWEBTERMINALID: credentials.terminalId,
      XWEBAUTHKEY: credentials.authKey,
      TRANSACTIONTYPE: type,
      ...fields,
    }
    const xml = `<?xml version="1.0" encoding="utf-8"?>${writeXml('REQUEST', request)}`
    return post(url + path, xml, timeoutMs)
  }
}

function createCall(send: Send): Call {
  return async (path, type, orderId, fields = {}) => {
    const field = readResult(readBody(await send(path, type, { ORDERID: orderId, ...fields }), responseLimits))
    const responseOrder = field('ORDERID')
    if (responseOrder !== '' && responseOrder !== orderId) throw garbageError('it is about another order')
    return field
  }
}

async function openPage(call: Call, pageOrigin: string, request: HostedPageRequest): Promise<HostedPage> {
  const { customer } = request
  const type = request.amount === 0 ? 'ALIASCREATE' : 'CREDITSALE'
  const field = await call('hostpay/transactions/', type, request.orderId, {
    AMOUNT: toWire(request.amount),
    CREATEALIAS: request.createAlias || request.amount === 0 ? 'TRUE' : 'FALSE',
    CUSTOMERNAME: replaceControlCharacters(customer.name),
    CUSTOMEREMAIL: replaceControlCharacters(customer.email),
    ADDRESS1: replaceControlCharacters(customer.address),
    CITY: replaceControlCharacters(customer.city),
    STATE: replaceControlCharacters(customer.state),
    BILLINGPOSTALCODE: replaceControlCharacters(customer.zip),
    HOSTPAYSETTING: {
      POSDEVICE: { TYPE: 'KEYED' },
      // Without a target the provider would redirect the whole window instead of the frame.
      RETURNOPTION: { RETURNURL: request.returnUrl, RETURNTARGET: '_self' },
      DISABLEFRAMING: 'FALSE',
    },
  })
  const sessionToken = field('SESSIONTOKEN')
  const payPageUrl = field('PAYPAGEURL')
  const code = field('RESPONSECODE')
  if (payPageUrl === '' && code !== SESSION_CREATED && code !== APPROVED) throw refusedError(field)
  if (sessionToken === '' || !URL.canParse(payPageUrl)) throw garbageError('no card page')
  // Our Content-Security-Policy allows only this origin, and cards may be entered nowhere else.
  if (new URL(payPageUrl).origin !== pageOrigin) throw garbageError('a card page of another origin')
  return { sessionToken, payPageUrl }
}

async function refund(call: Call, order: OrderResult): ReturnType<CardProvider['refund']> {
  const { orderId, transactionId, approvedAmount, responseCode, responseDescription } = order
  if (order.state !== 'APPROVED') return { done: false, responseCode, responseDescription }
  // An order that only stored a card has charged nothing.
  if (approvedAmount === 0) return { done: true, responseCode, responseDescription }
  let field = await call('directpay/express', 'CREDITVOID', orderId, { TRANSACTIONID: transactionId })
  if (field('RESPONSECODE') === ALREADY_SETTLED)
    field = await call('directpay/express', 'CREDITRETURN', orderId, {
      TRANSACTIONID: transactionId,
      AMOUNT: toWire(approvedAmount),
    })
  const code = field('RESPONSECODE')
  if (/^[89]/.test(code) && code !== ALREADY_REFUNDED && code !== NOT_FINISHED_OR_UNKNOWN) throw refusedError(field)
  return {
    done: code === APPROVED || code === ALREADY_REFUNDED,
    responseCode: code,
    responseDescription: field('RESPONSEDESCRIPTION'),
  }
}

function parseCharge(element: unknown): ListedCharge {
  const texts = isRecord(element) ? element : {}
  const field = (name: string) => String(texts[name] ?? '').trim()
  const amount = fromWire(field('APPROVEDAMOUNT'))
  const refundedAmount = fromWire(field('RETURNEDAMOUNT'))
  const at = Date.parse(field('TRANSACTIONTIME'))
  if (field('ORDERID') === '' || amount === null || refundedAmount === null || Number.isNaN(at))
    throw garbageError('a charge without order, amount or time')
  return {
    orderId: field('ORDERID'),
    transactionId: field('TRANSACTIONID'),
    amount,
    at,
    refundedAmount,
    cardBrand: field('CARDBRAND'),
    maskedCardNumber: field('MASKEDCARDNUMBER'),
    customerName: field('CUSTOMERNAME'),
  }
}

async function listCharges(send: Send, { since, after = '' }: { since: number; after?: string }) {
  const query = { FROM: new Date(since).toISOString(), AFTER: after }
  const body = readBody(await send('directpay/express', 'TRANSACTIONLIST', query), listLimits)
  const { TRANSACTION = [], ...rest } = body
  const field = readResult(rest)
  if (field('RESPONSECODE') !== APPROVED) throw refusedError(field)
  const next = field('NEXT')
  // Otherwise the caller would request the same page endlessly.
  if (next !== '' && next === after) throw garbageError('a page that leads to itself')
  return { charges: [TRANSACTION].flat().map(parseCharge), next: next === '' ? null : next }
}

/** Calls the card provider over the EdgeExpress / HostPay protocol. Never retries: the caller decides. */
export function edgeExpress(options: EdgeExpressOptions): CardProvider {
  const send = createSend(options)
  const call = createCall(send)
  const pageOrigin = options.pageOrigin ?? new URL(options.baseUrl).origin
  const queryPayment = async (orderId: string) =>
    toOrderResult(orderId, await call('directpay/express', 'QUERYPAYMENT', orderId))
  return {
    pageOrigin,
    queryPayment,
    createHostedPage: (request) => openPage(call, pageOrigin, request),
    async saleByAlias({ orderId, alias, amount }) {
      // Query first, so that a charge whose response was lost is not repeated.
      const earlier = await queryPayment(orderId)
      if (earlier.state !== 'PENDING') return earlier
      const sale = { AMOUNT: toWire(amount), ALIAS: alias }
      return toOrderResult(orderId, await call('directpay/express', 'CREDITSALE', orderId, sale))
    },
    listCharges: (request) => listCharges(send, request),
    refund: async ({ orderId }) => refund(call, await queryPayment(orderId)),
  }
}

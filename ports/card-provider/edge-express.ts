/**
 * The card provider over the EdgeExpress / HostPay protocol: `<REQUEST>` posted, `<RESULT>` answered. Nothing is tried
 * twice in here: the caller knows whether a retry is wanted.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { readXml, writeXml, type XmlLimits } from '../xml.ts'
import { type CardProvider, CardProviderUnavailable, type OrderResult } from './card-provider.ts'

export interface EdgeExpressOptions {
  /** Where `/HostPayService/…` begins, such as https://ee.example.com */
  baseUrl: string
  credentials: { xwebId: string; terminalId: string; authKey: string }
  /** Origin of the hosted card pages, where it is not that of the base URL. */
  pageOrigin?: string
  /** For one whole call, answer included. */
  timeoutMs?: number
}

/** The codes with a meaning of their own; texts belong to the provider. */
export const APPROVED = '000'
const SESSION_CREATED = '100'
const CANCELLED = '106'
const NOT_FINISHED_OR_UNKNOWN = '814'
const ALREADY_SETTLED = '816'
const ALREADY_GIVEN_BACK = '817'

/** More than any answer of the protocol. */
const ANSWER_LIMIT = 256 * 1024

type Fields = { [name: string]: string | Fields }

/** More than an answer of the protocol has. */
const answerLimits: XmlLimits = { depth: 4, elements: 500, references: 500, cdata: true }

/** Without the control characters that XML cannot carry; a name that was pasted in must not spoil the request. */
function carriable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
  return text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ').trim()
}

/** 13900 → '139.00' */
function wireAmount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** '139.00', '139.5' or '139' → cents; null where it is no amount. */
function readAmount(text: string): number | null {
  const amount = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text)
  return amount ? Number(amount[1]) * 100 + Number((amount[2] ?? '').padEnd(2, '0')) : null
}

function garbage(what: string): CardProviderUnavailable {
  return new CardProviderUnavailable('garbage', `The card provider's answer makes no sense: ${what}.`)
}

/** One text per element of `<RESULT>`. @throws CardProviderUnavailable 'garbage' */
function readResult(text: string): (name: string) => string {
  const read = readXml(text, answerLimits)
  if (!read.ok || read.service !== 'RESULT') throw garbage('no RESULT')
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(read.body)) {
    if (Array.isArray(value)) throw garbage(`${name} stands twice`)
    if (typeof value === 'string') fields.set(name, value.trim())
  }
  const code = fields.get('RESPONSECODE') ?? ''
  if (!/^\d{3}$/.test(code)) throw garbage('no RESPONSECODE')
  return (name) => fields.get(name) ?? ''
}

/** How long an idle connection is kept. */
const IDLE_MS = 4000

/**
 * Posts over a kept connection, half the CPU of `fetch` for a small message. Follows no redirect.
 * @throws CardProviderUnavailable 'status' where it is not 200, 'garbage' beyond ANSWER_LIMIT, 'timeout'; Error where the connection fails
 */
function post(
  to: { url: URL; agent: HttpAgent | HttpsAgent; headers: Record<string, string>; timeoutMs: number },
  body: string,
): Promise<string> {
  const { url, agent, timeoutMs } = to
  const headers = { ...to.headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((done, fail) => {
    const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
    const sent = ask(url, { method: 'POST', agent, headers }, (response) => {
      response.on('error', failed)
      if (response.statusCode !== 200) {
        response.resume()
        failed(new CardProviderUnavailable('status', `The card provider answered ${response.statusCode}.`))
        return
      }
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size <= ANSWER_LIMIT) parts.push(part)
        else {
          failed(garbage('it is too long'))
          response.destroy()
        }
      })
      response.on('end', () => {
        clearTimeout(tooLong)
        done(Buffer.concat(parts).toString('utf8'))
      })
    })
    // Not an AbortSignal, whose timer would outlive every answered call.
    const tooLong = setTimeout(() => {
      fail(tookTooLong())
      sent.destroy()
    }, timeoutMs)
    const failed = (error: unknown) => {
      clearTimeout(tooLong)
      fail(error)
    }
    sent.on('error', failed)
    sent.end(body)
  })
}

const tookTooLong = () => new CardProviderUnavailable('timeout', 'The card provider did not answer in time.')

function whyNot(error: unknown): CardProviderUnavailable {
  if (error instanceof CardProviderUnavailable) return error
  const { name, code = '' } = error as Error & { code?: string | number }
  if (/TIMEOUT|ETIMEDOUT/.test(String(code))) return tookTooLong()
  return new CardProviderUnavailable('refused', `The card provider could not be reached (${code || name}).`)
}

/**
 * 000 is APPROVED, 814 PENDING, 106 (or STATE CANCELLED) CANCELLED, other codes below 800 DECLINED. 8xx and 9xx mean that the
 * request was not carried out, which says nothing of the order: CardProviderUnavailable 'refused'.
 */
export function edgeExpress(options: EdgeExpressOptions): CardProvider {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const pageOrigin = options.pageOrigin ?? new URL(baseUrl).origin
  const timeoutMs = options.timeoutMs ?? 10_000
  // Idle connections are closed early: a firewall may drop one silently, and a payment on it would wait for the timeout.
  const agent = new (baseUrl.startsWith('https:') ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: IDLE_MS })
  const headers = { 'content-type': 'text/xml; charset=utf-8', accept: 'text/xml' }

  async function call(path: string, type: string, orderId: string, fields: Fields): Promise<(name: string) => string> {
    const request = {
      XWEBID: options.credentials.xwebId,
      XWEBTERMINALID: options.credentials.terminalId,
      XWEBAUTHKEY: options.credentials.authKey,
      TRANSACTIONTYPE: type,
      ORDERID: orderId,
      ...fields,
    }
    let text: string
    try {
      text = await post(
        { url: new URL(`${baseUrl}/HostPayService/v1/${path}`), agent, headers, timeoutMs },
        `<?xml version="1.0" encoding="utf-8"?>${writeXml('REQUEST', request)}`,
      )
    } catch (error) {
      throw whyNot(error)
    }
    const field = readResult(text)
    const answered = field('ORDERID')
    if (answered !== '' && answered !== orderId) throw garbage('it is about another order')
    return field
  }

  const express = (type: string, orderId: string, fields: Fields = {}) =>
    call('directpay/express', type, orderId, fields)

  function refused(field: (name: string) => string): CardProviderUnavailable {
    const said = `${field('RESPONSECODE')} ${field('RESPONSEDESCRIPTION')}`
    return new CardProviderUnavailable('refused', `The card provider did not carry out the request: ${said}`)
  }

  function orderResult(orderId: string, field: (name: string) => string): OrderResult {
    const code = field('RESPONSECODE')
    const state =
      code === APPROVED
        ? 'APPROVED'
        : code === NOT_FINISHED_OR_UNKNOWN
          ? 'PENDING'
          : code === CANCELLED || field('STATE') === 'CANCELLED'
            ? 'CANCELLED'
            : 'DECLINED'
    if (state === 'DECLINED' && /^[89]/.test(code)) throw refused(field)
    const approvedAmount = readAmount(field('APPROVEDAMOUNT'))
    // An approval without amount or transaction id cannot be posted.
    if (state === 'APPROVED' && (approvedAmount === null || field('TRANSACTIONID') === ''))
      throw garbage('an approval without amount or transaction')
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

  async function queryPayment(orderId: string): Promise<OrderResult> {
    return orderResult(orderId, await express('QUERYPAYMENT', orderId))
  }

  return {
    pageOrigin,
    queryPayment,

    async createHostedPage(request) {
      const { customer } = request
      const type = request.amount === 0 ? 'ALIASCREATE' : 'CREDITSALE'
      const field = await call('hostpay/transactions/', type, request.orderId, {
        AMOUNT: wireAmount(request.amount),
        CREATEALIAS: request.createAlias || request.amount === 0 ? 'TRUE' : 'FALSE',
        CUSTOMERNAME: carriable(customer.name),
        CUSTOMEREMAIL: carriable(customer.email),
        ADDRESS1: carriable(customer.address),
        CITY: carriable(customer.city),
        STATE: carriable(customer.state),
        BILLINGPOSTALCODE: carriable(customer.zip),
        HOSTPAYSETTING: {
          POSDEVICE: { TYPE: 'KEYED' },
          // Without a target the provider would send the whole window away, not the frame.
          RETURNOPTION: { RETURNURL: request.returnUrl, RETURNTARGET: '_self' },
          DISABLEFRAMING: 'FALSE',
        },
      })
      const sessionToken = field('SESSIONTOKEN')
      const payPageUrl = field('PAYPAGEURL')
      const code = field('RESPONSECODE')
      if (payPageUrl === '' && code !== SESSION_CREATED && code !== APPROVED) throw refused(field)
      if (sessionToken === '' || !URL.canParse(payPageUrl)) throw garbage('no card page')
      // Our policy frames this origin only, and a card must not be typed anywhere else.
      if (new URL(payPageUrl).origin !== pageOrigin) throw garbage('a card page of another origin')
      return { sessionToken, payPageUrl }
    },

    async saleByAlias({ orderId, alias, amount }) {
      // Query first: a charge whose answer was lost is found and not repeated, however the provider treats a repeated order id.
      const known = await queryPayment(orderId)
      if (known.state !== 'PENDING') return known
      return orderResult(orderId, await express('CREDITSALE', orderId, { AMOUNT: wireAmount(amount), ALIAS: alias }))
    },

    async giveBack({ orderId }) {
      const order = await queryPayment(orderId)
      const { transactionId, approvedAmount, responseCode, responseDescription } = order
      if (order.state !== 'APPROVED') return { done: false, responseCode, responseDescription }
      if (approvedAmount === 0) return { done: true, responseCode, responseDescription }
      let field = await express('CREDITVOID', orderId, { TRANSACTIONID: transactionId })
      if (field('RESPONSECODE') === ALREADY_SETTLED)
        field = await express('CREDITRETURN', orderId, {
          TRANSACTIONID: transactionId,
          AMOUNT: wireAmount(approvedAmount),
        })
      const code = field('RESPONSECODE')
      if (/^[89]/.test(code) && code !== ALREADY_GIVEN_BACK && code !== NOT_FINISHED_OR_UNKNOWN) throw refused(field)
      return {
        done: code === APPROVED || code === ALREADY_GIVEN_BACK,
        responseCode: code,
        responseDescription: field('RESPONSEDESCRIPTION'),
      }
    },
  }
}

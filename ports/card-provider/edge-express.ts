import { fromWire, toWire } from '../../domain/money.ts'
import { answerText } from '../answer-text.ts'
import { hostAndCause } from '../unreachable.ts'
import { readXml, writeXml, type XmlLimits } from '../xml.ts'
import {
  type CardProvider,
  CardProviderUnavailable,
  type HostedPage,
  type HostedPageRequest,
  type OrderResult,
} from './card-provider.ts'

export interface EdgeExpressOptions {
  /** Where `/HostPayService/…` begins, such as https://ee.example.com */
  baseUrl: string
  credentials: { xwebId: string; terminalId: string; authKey: string }
  /** Origin of the hosted card pages, where it is not that of the base URL. */
  pageOrigin?: string
  timeoutMs?: number
}

/** The codes with a meaning of their own; texts belong to the provider. */
const APPROVED = '000'
const SESSION_CREATED = '100'
const CANCELLED = '106'
const NOT_FINISHED_OR_UNKNOWN = '814'
const ALREADY_SETTLED = '816'
const ALREADY_GIVEN_BACK = '817'

const ANSWER_LIMIT = 256 * 1024

type Fields = { [name: string]: string | Fields }

/** More than an answer of the protocol has. */
const answerLimits: XmlLimits = { depth: 4, elements: 500, references: 500, cdata: true }

/** Without the control characters that XML cannot carry; a name that was pasted in must not spoil the request. */
function carriable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
  return text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ').trim()
}

function garbage(what: string): CardProviderUnavailable {
  return new CardProviderUnavailable('garbage', `The card provider's answer makes no sense: ${what}.`)
}

/** One text per element of `<RESULT>`. @throws CardProviderUnavailable 'garbage' */
function readResult(text: string): Answer {
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

/** @throws CardProviderUnavailable 'status' where it is not 200, 'garbage' beyond ANSWER_LIMIT, 'timeout', 'refused' */
async function post(url: string, body: string, timeoutMs: number): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'Content-Type': 'text/xml; charset=utf-8', Accept: 'text/xml' },
    })
    if (response.status === 200) return await answerText(response, ANSWER_LIMIT)
    await response.body?.cancel()
    throw new CardProviderUnavailable('status', `The card provider answered ${response.status}.`)
  } catch (error) {
    if (error instanceof CardProviderUnavailable) throw error
    if (error instanceof RangeError) throw garbage('it is too long')
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new CardProviderUnavailable('timeout', 'The card provider did not answer in time.')
    throw new CardProviderUnavailable('refused', `The card provider could not be reached: ${hostAndCause(url, error)}.`)
  }
}

type Answer = (field: string) => string

function refused(field: Answer): CardProviderUnavailable {
  const said = `${field('RESPONSECODE')} ${field('RESPONSEDESCRIPTION')}`
  return new CardProviderUnavailable('refused', `The card provider did not carry out the request: ${said}`)
}

/**
 * 000 is APPROVED, 814 PENDING, 106 (or STATE CANCELLED) CANCELLED, other codes below 800 DECLINED. 8xx and 9xx mean that the
 * request was not carried out, which says nothing of the order: CardProviderUnavailable 'refused'.
 */
function orderResult(orderId: string, field: Answer): OrderResult {
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
  const approvedAmount = fromWire(field('APPROVEDAMOUNT'))
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

/** Asks for one service of the provider. @throws CardProviderUnavailable */
type Call = (
  path: 'hostpay/transactions/' | 'directpay/express',
  type: string,
  orderId: string,
  fields?: Fields,
) => Promise<Answer>

function caller({ baseUrl, credentials, timeoutMs = 10_000 }: EdgeExpressOptions): Call {
  const url = `${baseUrl.replace(/\/+$/, '')}/HostPayService/v1/`
  return async (path, type, orderId, fields = {}) => {
    const request = {
      XWEBID: credentials.xwebId,
      XWEBTERMINALID: credentials.terminalId,
      XWEBAUTHKEY: credentials.authKey,
      TRANSACTIONTYPE: type,
      ORDERID: orderId,
      ...fields,
    }
    const xml = `<?xml version="1.0" encoding="utf-8"?>${writeXml('REQUEST', request)}`
    const field = readResult(await post(url + path, xml, timeoutMs))
    const answered = field('ORDERID')
    if (answered !== '' && answered !== orderId) throw garbage('it is about another order')
    return field
  }
}

async function openPage(call: Call, pageOrigin: string, request: HostedPageRequest): Promise<HostedPage> {
  const { customer } = request
  const type = request.amount === 0 ? 'ALIASCREATE' : 'CREDITSALE'
  const field = await call('hostpay/transactions/', type, request.orderId, {
    AMOUNT: toWire(request.amount),
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
}

async function giveBack(call: Call, order: OrderResult): ReturnType<CardProvider['giveBack']> {
  const { orderId, transactionId, approvedAmount, responseCode, responseDescription } = order
  if (order.state !== 'APPROVED') return { done: false, responseCode, responseDescription }
  if (approvedAmount === 0) return { done: true, responseCode, responseDescription }
  let field = await call('directpay/express', 'CREDITVOID', orderId, { TRANSACTIONID: transactionId })
  if (field('RESPONSECODE') === ALREADY_SETTLED)
    field = await call('directpay/express', 'CREDITRETURN', orderId, {
      TRANSACTIONID: transactionId,
      AMOUNT: toWire(approvedAmount),
    })
  const code = field('RESPONSECODE')
  if (/^[89]/.test(code) && code !== ALREADY_GIVEN_BACK && code !== NOT_FINISHED_OR_UNKNOWN) throw refused(field)
  return {
    done: code === APPROVED || code === ALREADY_GIVEN_BACK,
    responseCode: code,
    responseDescription: field('RESPONSEDESCRIPTION'),
  }
}

/** The card provider over the EdgeExpress / HostPay protocol. Nothing is tried twice: that is the caller's to decide. */
export function edgeExpress(options: EdgeExpressOptions): CardProvider {
  const call = caller(options)
  const pageOrigin = options.pageOrigin ?? new URL(options.baseUrl).origin
  const queryPayment = async (orderId: string) =>
    orderResult(orderId, await call('directpay/express', 'QUERYPAYMENT', orderId))
  return {
    pageOrigin,
    queryPayment,
    createHostedPage: (request) => openPage(call, pageOrigin, request),
    async saleByAlias({ orderId, alias, amount }) {
      // Query first: a charge whose answer was lost is found and not repeated, however the provider treats a repeated order id.
      const known = await queryPayment(orderId)
      if (known.state !== 'PENDING') return known
      const sale = { AMOUNT: toWire(amount), ALIAS: alias }
      return orderResult(orderId, await call('directpay/express', 'CREDITSALE', orderId, sale))
    },
    giveBack: async ({ orderId }) => giveBack(call, await queryPayment(orderId)),
  }
}

import type { IncomingMessage } from 'node:http'
import { type RequestFields, readAmount, readRequest, writeAmount } from './parse-and-write-xml.ts'
import { isSameSecret, readBody } from './request-body.ts'
import { GARBAGE, type RouteResponse, refusal, resultFields, xml } from './responses.ts'
import type { SandboxParts } from './route-dependencies.ts'
import { RESPONSES } from './test-cards.ts'

/** Reads an XML request and checks its credentials. @returns the request's fields, or the refusal */
export async function authenticateRequest(
  sandbox: SandboxParts,
  request: IncomingMessage,
): Promise<RequestFields | RouteResponse> {
  const field = readRequest(await readBody(request))
  if (!field) return refusal(RESPONSES.malformed)
  const hasCredentials =
    isSameSecret(field('XWEBID'), sandbox.credentials.xwebId) &&
    isSameSecret(field('XWEBTERMINALID'), sandbox.credentials.terminalId) &&
    isSameSecret(field('XWEBAUTHKEY'), sandbox.credentials.authKey)
  return hasCredentials ? field : refusal(RESPONSES.badCredentials)
}

/** Opens the card page of an order. @returns its session token and URL, or the refusal */
export function createSession(sandbox: SandboxParts, field: RequestFields): RouteResponse {
  const orderId = field('ORDERID')
  const type = field('TRANSACTIONTYPE')
  const amount = readAmount(field('AMOUNT'))
  const returnUrl = field('HOSTPAYSETTING/RETURNOPTION/RETURNURL')
  const forCard = type === 'ALIASCREATE' && amount === 0
  const forSale = type === 'CREDITSALE' && amount !== null && amount > 0
  if ((!forCard && !forSale) || orderId === '' || orderId.length > 64 || !isReturnUrl(returnUrl))
    return refusal(RESPONSES.malformed, orderId)
  const order = sandbox.ledger.open({
    orderId,
    type,
    amount,
    createAlias: type === 'ALIASCREATE' || /^true$/i.test(field('CREATEALIAS')),
    returnUrl,
    returnTarget: field('HOSTPAYSETTING/RETURNOPTION/RETURNTARGET'),
    mayBeFramed: !/^true$/i.test(field('HOSTPAYSETTING/DISABLEFRAMING')),
    customer: {
      name: field('CUSTOMERNAME').slice(0, 100),
      address: field('ADDRESS1').slice(0, 200),
      zip: field('BILLINGPOSTALCODE').slice(0, 10),
    },
  })
  if (!order) return refusal(RESPONSES.orderUsed, orderId)
  return xml({
    RESPONSECODE: RESPONSES.sessionCreated.code,
    RESPONSEDESCRIPTION: RESPONSES.sessionCreated.description,
    ORDERID: orderId,
    SESSIONTOKEN: order.session_token,
    PAYPAGEURL: `${sandbox.url}/pay/${order.session_token}`,
  })
}

/** Handles a request that needs no card page: a query, sale by alias, void, return or list of sales. */
export function express(sandbox: SandboxParts, field: RequestFields): Promise<RouteResponse> {
  const orderId = field('ORDERID')
  switch (field('TRANSACTIONTYPE')) {
    case 'QUERYPAYMENT':
      return sandbox.faults.apply('query', orderId, () => query(sandbox, orderId))
    case 'CREDITSALE':
      return sandbox.faults.apply('sale', orderId, () => saleByAlias(sandbox, field))
    case 'CREDITVOID':
      return sandbox.faults.apply('void', orderId, () => giveBack(sandbox, field, 'void'))
    case 'CREDITRETURN':
      return sandbox.faults.apply('return', orderId, () => giveBack(sandbox, field, 'return'))
    case 'TRANSACTIONLIST':
      return sandbox.faults.apply('list', '', () => list(sandbox, field))
    default:
      return Promise.resolve(refusal(RESPONSES.malformed, orderId))
  }
}

function query(sandbox: SandboxParts, orderId: string): RouteResponse {
  const result = sandbox.ledger.query(orderId)
  if (result === 'unknown') return refusal(RESPONSES.notFound, orderId)
  if (result === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
  return xml(resultFields(result))
}

/** Card sales per response to the simulated provider's list request. */
const PAGE = 50

function list(sandbox: SandboxParts, field: RequestFields): RouteResponse {
  const since = Date.parse(field('FROM'))
  const after = field('AFTER')
  if (Number.isNaN(since) || !/^\d{0,15}$/.test(after)) return refusal(RESPONSES.malformed)
  const { sales, next } = sandbox.ledger.sales({ since, after: Number(after), limit: PAGE })
  const { code, description } = RESPONSES.approved
  return xml(
    { RESPONSECODE: code, RESPONSEDESCRIPTION: description, NEXT: next === null ? '' : String(next) },
    sales.map((sale) => ({
      ORDERID: sale.order_id,
      TRANSACTIONID: sale.transaction_id,
      TRANSACTIONTIME: new Date(sale.at).toISOString(),
      APPROVEDAMOUNT: writeAmount(sale.cents),
      RETURNEDAMOUNT: writeAmount(sale.returned),
      CARDBRAND: sale.card_brand,
      MASKEDCARDNUMBER: sale.masked_card_number,
      CUSTOMERNAME: sale.payer_name,
    })),
  )
}

async function saleByAlias(sandbox: SandboxParts, field: RequestFields): Promise<RouteResponse> {
  const orderId = field('ORDERID')
  const alias = field('ALIAS')
  const amount = readAmount(field('AMOUNT'))
  if (amount === null || amount === 0 || alias === '' || orderId === '' || orderId.length > 64)
    return refusal(RESPONSES.malformed, orderId)
  const sell = () => sandbox.ledger.saleByAlias({ orderId, alias, amount })
  const card = sandbox.ledger.storedCard(alias)
  // An order that exists is only read; the card's behavior does not happen again.
  const order = card && !sandbox.ledger.order(orderId) ? await sandbox.faults.charge(card, sell) : sell()
  if (order === 'cut') return 'cut'
  return order ? xml(resultFields(order)) : refusal(RESPONSES.orderUsed, orderId)
}

function giveBack(sandbox: SandboxParts, field: RequestFields, kind: 'void' | 'return'): RouteResponse {
  const { response, movement } = sandbox.ledger.giveBack({
    transactionId: field('TRANSACTIONID'),
    kind,
    cents: readAmount(field('AMOUNT')),
  })
  return xml({
    RESPONSECODE: response.code,
    RESPONSEDESCRIPTION: response.description,
    ORDERID: movement?.order_id ?? field('ORDERID'),
    TRANSACTIONID: movement?.transaction_id ?? '',
    APPROVEDAMOUNT: writeAmount(movement?.cents ?? 0),
  })
}

function isReturnUrl(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false
  const { protocol, username } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === ''
}

/**
 * The contract of card-provider adapters, tested on the production adapter against the sandbox over loopback HTTP. Card
 * pages are paid by submitting their form, as a browser would.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { type CardProvider, CardProviderUnavailable, type HostedPageRequest } from './card-provider.ts'
import { edgeExpress } from './edge-express.ts'

const FAULT_KEY = 'only for this test'
const SLOW_MS = 500
const dataDir = mkdtempSync(join(tmpdir(), 'card-provider-'))
let now = Date.UTC(2026, 5, 15, 12)
let sandbox: Sandbox
let provider: CardProvider

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dataDir, slowMs: SLOW_MS, faultKey: FAULT_KEY, clock: { now: () => now } })
  provider = edgeExpress({ baseUrl: sandbox.url, credentials: SANDBOX_CREDENTIALS })
})

afterAll(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const order = (change: Partial<HostedPageRequest> = {}): HostedPageRequest => ({
  orderId: randomUUID(),
  amount: 13_900,
  createAlias: false,
  returnUrl: 'http://localhost:3000/confirm-rental-payment?session=7%2B1',
  customer: {
    name: "Renée O'Hara & Söhne <b>",
    email: 'renee@example.com',
    address: '675 North Ave NE',
    city: 'Atlanta',
    state: 'GA',
    zip: '30308',
  },
  ...change,
})

async function openPage(change: Partial<HostedPageRequest> = {}) {
  const request = order(change)
  const { payPageUrl } = await provider.createHostedPage(request)
  return { orderId: request.orderId, payPageUrl }
}

async function payWith(card: TestCardName, change: Partial<HostedPageRequest> = {}) {
  const { orderId, payPageUrl } = await openPage(change)
  const { returnUrl } = await payAtHostedPage(payPageUrl, card)
  return { orderId, payPageUrl, returned: new URL(returnUrl).searchParams, returnUrl }
}

interface Entry {
  orderId: string
  state: string
  charges: { cents: number; transaction_id: string }[]
  returns: { kind: string; cents: number }[]
}

async function loadLedgerOrder(orderId: string): Promise<Entry> {
  const response = await fetch(`${sandbox.url}/sandbox/ledger?orderId=${orderId}`)
  return ((await response.json()) as { orders: Entry[] }).orders[0]!
}

async function addFault(fault: { orderId: string; kind: string; times?: number; on?: string }): Promise<void> {
  const response = await fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${FAULT_KEY}` },
    body: JSON.stringify(fault),
  })
  expect(response.status).toBe(201)
}

async function unavailable(work: Promise<unknown>): Promise<CardProviderUnavailable> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(CardProviderUnavailable)
  return error as CardProviderUnavailable
}

describe('the list of charges', () => {
  it('lists each charge since an instant once, page by page, with its refunded amount', async () => {
    const listed = async (since: number) => {
      const charges = []
      let after: string | null = ''
      let pages = 0
      while (after !== null) {
        const page = await provider.listCharges({ since, after })
        charges.push(...page.charges)
        after = page.next
        pages += 1
      }
      return { charges, pages }
    }
    await payWith('visa')
    now += 3600_000
    const since = now
    const { orderId: kept } = await payWith('mastercard')
    const { orderId: returned } = await payWith('visa', { amount: 500 })
    await payWith('declined')
    await openPage()
    await provider.refund({ orderId: returned })
    const { alias } = await provider.queryPayment((await payWith('visa', { amount: 0, createAlias: true })).orderId)
    for (let at = 0; at < 60; at++)
      await provider.saleByAlias({ orderId: `listed-${at}-${since}`, alias, amount: 100 + at })
    const { charges, pages } = await listed(since)
    expect(charges.map(({ orderId }) => orderId)).toEqual([
      kept,
      returned,
      ...Array.from({ length: 60 }, (_, at) => `listed-${at}-${since}`),
    ])
    expect(pages).toBe(2)
    expect(charges[0]).toEqual({
      orderId: kept,
      amount: 13_900,
      at: since,
      refundedAmount: 0,
      cardBrand: 'Mastercard',
      maskedCardNumber: '************4444',
      customerName: expect.any(String),
      transactionId: (await provider.queryPayment(kept)).transactionId,
    })
    expect(charges[1]).toMatchObject({ amount: 500, refundedAmount: 500 })
    expect((await listed(since + 1)).charges).toEqual([])
    expect((await listed(0)).charges.length).toBeGreaterThan(charges.length)
  })
})

describe('the hosted card page', () => {
  it('is on the origin that our policy allows in frames', async () => {
    const { payPageUrl, sessionToken } = await provider.createHostedPage(order())
    expect(new URL(payPageUrl).origin).toBe(provider.pageOrigin)
    expect(sessionToken.length).toBeGreaterThan(20)
  })

  it('is the same page when requested again, and an order id is refused with another amount', async () => {
    const request = order()
    const first = await provider.createHostedPage(request)
    expect(await provider.createHostedPage(request)).toEqual(first)
    const other = await unavailable(provider.createHostedPage({ ...request, amount: 100 }))
    expect(other.reason).toBe('refused')
  })

  it.each([
    ['visa', 'Visa', '************1111'],
    ['mastercard', 'Mastercard', '************4444'],
    ['amex', 'American Express', '***********0005'],
    ['discover', 'Discover', '************1117'],
  ] as const)('%s is approved, and the return and the query agree', async (card, cardBrand, maskedCardNumber) => {
    const { orderId, returned } = await payWith(card)
    const result = await provider.queryPayment(orderId)
    expect(result).toEqual({
      state: 'APPROVED',
      orderId,
      responseCode: '000',
      responseDescription: 'APPROVAL',
      transactionId: expect.stringMatching(/^\d{12}$/),
      approvedAmount: 13_900,
      alias: '',
      cardBrand,
      maskedCardNumber,
      expMonth: '12',
      expYear: '39',
      customerName: "Renée O'Hara & Söhne <b>",
      address: '675 North Ave NE',
      postalCode: '30308',
      receiptId: expect.stringMatching(/^\d+$/),
    })
    expect(Object.fromEntries(returned)).toEqual({
      session: '7+1',
      ORDERID: orderId,
      RESPONSECODE: '000',
      RESPONSEDESCRIPTION: 'APPROVAL',
      TRANSACTIONID: result.transactionId,
      APPROVEDAMOUNT: '139.00',
      CARDBRAND: cardBrand,
      MASKEDCARDNUMBER: maskedCardNumber,
      EXPMONTH: '12',
      EXPYEAR: '39',
      CUSTOMERNAME: result.customerName,
      ADDRESS1: result.address,
      BILLINGPOSTALCODE: '30308',
      RECEIPTID: result.receiptId,
    })
    expect((await loadLedgerOrder(orderId)).charges).toHaveLength(1)
  })

  it.each([
    ['declined', '001', 'DECLINED'],
    ['expired', '033', 'EXPIRED CARD'],
    ['callIssuer', '217', 'The card issuer wants a call: please ring the number on the back of your card.'],
    ['duplicate', '004', 'DUPLICATE TRANSACTION'],
  ] as const)('%s is declined with %s and nothing is charged', async (card, code, description) => {
    const { orderId, returned } = await payWith(card, { createAlias: true })
    expect(returned.get('RESPONSECODE')).toBe(code)
    expect(returned.get('RESPONSEDESCRIPTION')).toBe(description)
    expect(await provider.queryPayment(orderId)).toMatchObject({
      state: 'DECLINED',
      responseCode: code,
      responseDescription: description,
      approvedAmount: 0,
      alias: '',
    })
    expect((await loadLedgerOrder(orderId)).charges).toEqual([])
  })

  it('a slow card keeps the order pending, then is charged once however often it is submitted', async () => {
    const { orderId, payPageUrl } = await openPage()
    const sent = [payAtHostedPage(payPageUrl, 'slow'), payAtHostedPage(payPageUrl, 'slow')]
    expect((await provider.queryPayment(orderId)).state).toBe('PENDING')
    const [first, second] = await Promise.all(sent)
    expect(second).toEqual(first)
    expect((await provider.queryPayment(orderId)).state).toBe('APPROVED')
    expect((await loadLedgerOrder(orderId)).charges).toHaveLength(1)
  })

  it('a charge whose connection was cut is pending at first and approved later', async () => {
    const { orderId, payPageUrl } = await openPage()
    await expect(payAtHostedPage(payPageUrl, 'late')).rejects.toThrow(TypeError)
    expect((await loadLedgerOrder(orderId)).charges).toHaveLength(1)
    const states = []
    for (let i = 0; i < 4; i++) states.push((await provider.queryPayment(orderId)).state)
    expect(states).toEqual(['PENDING', 'PENDING', 'APPROVED', 'APPROVED'])
    const again = await fetch(payPageUrl, { redirect: 'manual' })
    expect(new URL(again.headers.get('location')!).searchParams.get('RESPONSECODE')).toBe('000')
  })

  it('a connection cut before the charge leaves the order open', async () => {
    const { orderId, payPageUrl } = await openPage()
    await expect(payAtHostedPage(payPageUrl, 'lost')).rejects.toThrow(TypeError)
    expect(await provider.queryPayment(orderId)).toMatchObject({ state: 'PENDING', responseCode: '814' })
    expect((await loadLedgerOrder(orderId)).charges).toEqual([])
    await payAtHostedPage(payPageUrl, 'visa')
    expect((await provider.queryPayment(orderId)).state).toBe('APPROVED')
  })

  it('reports responses that are no XML as garbage, and a repeated query succeeds', async () => {
    const { orderId } = await payWith('garbled')
    expect((await unavailable(provider.queryPayment(orderId))).reason).toBe('garbage')
    expect((await unavailable(provider.queryPayment(orderId))).reason).toBe('garbage')
    expect((await provider.queryPayment(orderId)).state).toBe('APPROVED')
  })

  it('an approved amount that differs from the requested one is reported as it is', async () => {
    const { orderId, returned } = await payWith('differs')
    expect(returned.get('APPROVEDAMOUNT')).toBe('138.00')
    expect(await provider.queryPayment(orderId)).toMatchObject({ state: 'APPROVED', approvedAmount: 13_800 })
  })

  it('cancelling charges nothing and closes the page', async () => {
    const { orderId, payPageUrl } = await openPage()
    const { returnUrl } = await cancelAtHostedPage(payPageUrl)
    const returned = new URL(returnUrl).searchParams
    expect(returned.get('action')).toBe('cancel')
    expect(returned.get('ORDERID')).toBe(orderId)
    expect(returned.get('session')).toBe('7+1')
    expect(await provider.queryPayment(orderId)).toMatchObject({ state: 'CANCELLED', responseCode: '106' })
    await expect(payAtHostedPage(payPageUrl, 'visa')).rejects.toThrow('303')
    expect((await loadLedgerOrder(orderId)).charges).toEqual([])
  })

  it('a page left open for an hour cannot be paid any more', async () => {
    const { orderId, payPageUrl } = await openPage()
    now += 60 * 60 * 1000
    await expect(payAtHostedPage(payPageUrl, 'visa')).rejects.toThrow('410')
    expect((await provider.queryPayment(orderId)).state).toBe('PENDING')
    expect((await loadLedgerOrder(orderId)).charges).toEqual([])
  })

  it('an unknown order is pending', async () => {
    expect(await provider.queryPayment(randomUUID())).toMatchObject({ state: 'PENDING', responseCode: '814' })
  })
})

describe('stored cards', () => {
  it('an amount of 0 stores the card and charges nothing', async () => {
    const { orderId } = await payWith('visa', { amount: 0 })
    const result = await provider.queryPayment(orderId)
    expect(result).toMatchObject({ state: 'APPROVED', approvedAmount: 0, cardBrand: 'Visa' })
    expect(result.alias).not.toBe('')
    expect((await loadLedgerOrder(orderId)).charges).toEqual([])
  })

  it('a payment stores the card if requested', async () => {
    const { orderId } = await payWith('mastercard', { createAlias: true })
    expect((await provider.queryPayment(orderId)).alias).not.toBe('')
  })

  it('a sale by alias charges once, also when repeated or sent concurrently', async () => {
    const { alias } = await provider.queryPayment((await payWith('amex', { amount: 0 })).orderId)
    const sale = { orderId: randomUUID(), alias, amount: 14_112 }
    const together = await Promise.all([provider.saleByAlias(sale), provider.saleByAlias(sale)])
    const results = [...together, await provider.saleByAlias(sale)]
    expect(results[0]).toMatchObject({
      state: 'APPROVED',
      orderId: sale.orderId,
      approvedAmount: 14_112,
      alias,
      cardBrand: 'American Express',
      maskedCardNumber: '***********0005',
      address: '675 North Ave NE',
    })
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
    expect(await provider.queryPayment(sale.orderId)).toEqual(results[0])
    expect((await loadLedgerOrder(sale.orderId)).charges).toMatchObject([{ cents: 14_112 }])
  })

  it('a sale whose response was lost is approved when repeated, and charges once', async () => {
    const { alias } = await provider.queryPayment((await payWith('visa', { amount: 0 })).orderId)
    const sale = { orderId: randomUUID(), alias, amount: 5_000 }
    await addFault({ orderId: sale.orderId, kind: 'lost', on: 'sale' })
    expect((await unavailable(provider.saleByAlias(sale))).reason).toBe('unreachable')
    expect((await provider.saleByAlias(sale)).state).toBe('APPROVED')
    expect((await loadLedgerOrder(sale.orderId)).charges).toHaveLength(1)
  })

  it('a stored card can be declined later, and an unknown alias is declined', async () => {
    const { alias } = await provider.queryPayment((await payWith('declinedLater', { amount: 0 })).orderId)
    const declined = await provider.saleByAlias({ orderId: randomUUID(), alias, amount: 5_000 })
    expect(declined).toMatchObject({ state: 'DECLINED', responseCode: '001', approvedAmount: 0 })
    const unknown = await provider.saleByAlias({ orderId: randomUUID(), alias: 'nobody', amount: 5_000 })
    expect(unknown).toMatchObject({ state: 'DECLINED', responseCode: '020' })
  })
})

describe('refunds', () => {
  it('voids an order on the same day, once', async () => {
    const { orderId } = await payWith('visa')
    const request = { orderId }
    const together = await Promise.all([provider.refund(request), provider.refund(request)])
    for (const answer of [...together, await provider.refund(request)])
      expect(answer).toMatchObject({ done: true, responseCode: '000' })
    expect((await loadLedgerOrder(orderId)).returns).toMatchObject([{ kind: 'void', cents: 13_900 }])
  })

  it('returns a settled order, once', async () => {
    const { orderId } = await payWith('visa')
    now += 25 * 60 * 60 * 1000
    const request = { orderId }
    expect((await provider.refund(request)).done).toBe(true)
    expect((await provider.refund(request)).done).toBe(true)
    expect((await loadLedgerOrder(orderId)).returns).toMatchObject([{ kind: 'return', cents: 13_900 }])
  })

  it('refunds an order once, even if requested before and after settlement', async () => {
    const { orderId } = await payWith('visa')
    const request = { orderId }
    await addFault({ orderId, kind: 'lost', on: 'void' })
    await unavailable(provider.refund(request))
    now += 25 * 60 * 60 * 1000
    expect((await provider.refund(request)).done).toBe(true)
    expect((await loadLedgerOrder(orderId)).returns).toHaveLength(1)
  })

  it('refunds the captured amount, even if it differs from the requested one', async () => {
    const { orderId } = await payWith('differs')
    expect((await provider.refund({ orderId })).done).toBe(true)
    expect((await loadLedgerOrder(orderId)).returns).toMatchObject([{ cents: 13_800 }])
  })

  it('refunds nothing for an order without a charge', async () => {
    const declined = await payWith('declined')
    expect(await provider.refund({ orderId: declined.orderId })).toMatchObject({
      done: false,
      responseCode: '001',
    })
    const stored = await payWith('visa', { amount: 0 })
    expect((await provider.refund({ orderId: stored.orderId })).done).toBe(true)
    expect((await loadLedgerOrder(stored.orderId)).returns).toEqual([])
  })
})

describe('when the provider is unavailable', () => {
  it.each([
    ['down', 'unreachable'],
    ['500', 'status'],
    ['garbage', 'garbage'],
    ['lost', 'unreachable'],
  ] as const)('%s is %s for a page, query, sale and refund, and the next call is answered', async (kind, why) => {
    const request = order()
    await addFault({ orderId: request.orderId, kind, times: 4 })
    expect((await unavailable(provider.createHostedPage(request))).reason).toBe(why)
    expect((await unavailable(provider.queryPayment(request.orderId))).reason).toBe(why)
    const sale = { orderId: request.orderId, alias: 'any', amount: 1 }
    expect((await unavailable(provider.saleByAlias(sale))).reason).toBe(why)
    expect((await unavailable(provider.refund({ orderId: request.orderId }))).reason).toBe(why)
    expect((await provider.queryPayment(request.orderId)).state).toBe('PENDING')
  })

  it('times out', async () => {
    const impatient = edgeExpress({ baseUrl: sandbox.url, credentials: SANDBOX_CREDENTIALS, timeoutMs: SLOW_MS / 5 })
    const { orderId } = await payWith('visa')
    await addFault({ orderId, kind: 'slow' })
    expect((await unavailable(impatient.queryPayment(orderId))).reason).toBe('timeout')
    expect((await provider.queryPayment(orderId)).state).toBe('APPROVED')
  })

  it('treats wrong credentials as a refused request, never as a declined order', async () => {
    const stranger = edgeExpress({
      baseUrl: sandbox.url,
      credentials: { ...SANDBOX_CREDENTIALS, authKey: 'a-wrong-secret' },
    })
    const { orderId } = await payWith('visa')
    const error = await unavailable(stranger.queryPayment(orderId))
    expect(error.reason).toBe('refused')
    expect(error.message).not.toContain('a-wrong-secret')
    expect((await unavailable(stranger.refund({ orderId }))).reason).toBe('refused')
  })

  it('is reported as unreachable if no connection can be made', async () => {
    const nobody = edgeExpress({ baseUrl: 'http://127.0.0.1:1', credentials: SANDBOX_CREDENTIALS })
    expect((await unavailable(nobody.queryPayment('x'))).reason).toBe('unreachable')
  })
})

describe('invalid responses', () => {
  let server: Server
  let answer = ''
  let status = 200
  const requests: string[] = []
  let invalidProvider: CardProvider

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.on('data', (part) => requests.push(String(part)))
      request.on('end', () => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    invalidProvider = edgeExpress({ baseUrl, credentials: SANDBOX_CREDENTIALS })
  })
  afterEach(() => {
    status = 200
    requests.length = 0
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it.each([
    ['nothing at all', ''],
    ['another root', '<ANSWER><RESPONSECODE>000</RESPONSECODE></ANSWER>'],
    ['no code', '<RESULT><ORDERID>o1</ORDERID></RESULT>'],
    ['a code of the wrong length', '<RESULT><RESPONSECODE>0</RESPONSECODE></RESULT>'],
    ['two codes', '<RESULT><RESPONSECODE>000</RESPONSECODE><RESPONSECODE>001</RESPONSECODE></RESULT>'],
    ['an approval without amount', '<RESULT><RESPONSECODE>000</RESPONSECODE><TRANSACTIONID>7</TRANSACTIONID></RESULT>'],
    [
      'an approval without transaction',
      '<RESULT><RESPONSECODE>000</RESPONSECODE><APPROVEDAMOUNT>139.00</APPROVEDAMOUNT></RESULT>',
    ],
    ['another order', '<RESULT><RESPONSECODE>001</RESPONSECODE><ORDERID>o2</ORDERID></RESULT>'],
    ['an entity of its own', '<!DOCTYPE R [<!ENTITY c "000">]><RESULT><RESPONSECODE>&c;</RESPONSECODE></RESULT>'],
    ['an unfinished document', '<RESULT><RESPONSECODE>000</RESPONSECODE>'],
    ['unfinished CDATA', '<RESULT><RESPONSECODE>001</RESPONSECODE><X><![CDATA[cut</X></RESULT>'],
    ['CDATA beside the fields', '<RESULT><![CDATA[001]]><RESPONSECODE>001</RESPONSECODE></RESULT>'],
    ['tags that cross', '<RESULT><RESPONSECODE>001</RESULT></RESPONSECODE>'],
    ['a flood', `<RESULT><RESPONSECODE>001</RESPONSECODE><X>${'x'.repeat(300_000)}</X></RESULT>`],
  ])('%s is garbage', async (_, text) => {
    answer = text
    expect((await unavailable(invalidProvider.queryPayment('o1'))).reason).toBe('garbage')
  })

  it('reads references, CDATA, comments, white space and unknown elements', async () => {
    answer = `\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<!-- sandbox -->
      <RESULT version='1'>
        <RESPONSECODE> 000 </RESPONSECODE><STATE/>
        <RESPONSEDESCRIPTION><![CDATA[AT&T <approved> ]]>&amp; &#x2014; &#233;</RESPONSEDESCRIPTION>
        <!-- a list nobody asked for --><EXTRA><ITEM>1</ITEM><ITEM>2</ITEM></EXTRA>
        <ORDERID>o1</ORDERID><TRANSACTIONID>7</TRANSACTIONID><APPROVEDAMOUNT>139.00</APPROVEDAMOUNT>
        <CUSTOMERNAME>O&apos;Neill &quot;&lt;Al&gt;&quot;</CUSTOMERNAME>
      </RESULT>`
    expect(await invalidProvider.queryPayment('o1')).toMatchObject({
      state: 'APPROVED',
      responseDescription: 'AT&T <approved> & \u2014 \u00e9',
      transactionId: '7',
      approvedAmount: 13_900,
      customerName: `O'Neill "<Al>"`,
    })
  })

  it('rejects a list that is refused, leads to itself, or lacks order, amount or time', async () => {
    const list = (after: string) => invalidProvider.listCharges({ since: 0, after })
    answer = '<RESULT><RESPONSECODE>803</RESPONSECODE><RESPONSEDESCRIPTION>INVALID</RESPONSEDESCRIPTION></RESULT>'
    expect((await unavailable(list(''))).reason).toBe('refused')
    answer = '<RESULT><RESPONSECODE>000</RESPONSECODE><NEXT>7</NEXT></RESULT>'
    expect(await list('6')).toEqual({ charges: [], next: '7' })
    expect((await unavailable(list('7'))).reason).toBe('garbage')
    const amounts = '<APPROVEDAMOUNT>1.00</APPROVEDAMOUNT><RETURNEDAMOUNT>0.00</RETURNEDAMOUNT>'
    const charge = `<ORDERID>o</ORDERID><TRANSACTIONTIME>2026-11-20T17:00:00Z</TRANSACTIONTIME>${amounts}`
    for (const part of [/<ORDERID>.*<\/ORDERID>/, /2026/, /1\.00/, /0\.00/]) {
      answer = `<RESULT><RESPONSECODE>000</RESPONSECODE><TRANSACTION>${charge.replace(part, '')}</TRANSACTION></RESULT>`
      expect((await unavailable(list(''))).reason).toBe('garbage')
    }
  })

  it('does not follow a redirect', async () => {
    status = 302
    expect((await unavailable(invalidProvider.queryPayment('o1'))).reason).toBe('status')
  })

  it('rejects a card page on another origin', async () => {
    answer =
      '<RESULT><RESPONSECODE>100</RESPONSECODE><SESSIONTOKEN>t</SESSIONTOKEN><PAYPAGEURL>https://elsewhere.example/pay</PAYPAGEURL></RESULT>'
    expect((await unavailable(invalidProvider.createHostedPage(order({ orderId: 'o1' })))).reason).toBe('garbage')
  })

  it('sends names as text, without characters that XML cannot carry', async () => {
    answer = '<RESULT><RESPONSECODE>814</RESPONSECODE></RESULT>'
    const customer = { ...order().customer, name: 'A</CUSTOMERNAME><AMOUNT>0.01</AMOUNT>\u0000\r\nB' }
    await unavailable(invalidProvider.createHostedPage(order({ orderId: 'o1', customer })))
    const sent = requests.join('')
    expect(sent.match(/<AMOUNT>/g)).toHaveLength(1)
    expect(sent).toContain('<AMOUNT>139.00</AMOUNT>')
    expect(sent).toContain('&lt;AMOUNT&gt;')
    expect(sent).not.toContain('\u0000')
  })
})

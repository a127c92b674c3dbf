import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_KINDS, FAULT_PLACES } from './faults.ts'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from './server.ts'
import { cancelAtHostedPage, payAtHostedPage } from './submit-card-page-in-tests.ts'
import { BRANDS, brandOf, checkEntry, ENTRY_MESSAGES, luhn, TEST_CARDS, type TestCardName } from './test-cards.ts'

const { xwebId, terminalId, authKey } = SANDBOX_CREDENTIALS

function requestXml(fields: string): string {
  return `<REQUEST><XWEBID>${xwebId}</XWEBID><XWEBTERMINALID>${terminalId}</XWEBTERMINALID><XWEBAUTHKEY>${authKey}</XWEBAUTHKEY>${fields}</REQUEST>`
}

async function post(url: string, body: string): Promise<{ status: number; field: (name: string) => string }> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/xml' }, body })
  const text = await response.text()
  return { status: response.status, field: (name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '' }
}

interface PageOptions {
  amount?: string
  returnUrl?: string
  more?: string
  target?: string
  settings?: string
}

async function newPage(base: string, orderId: string, options: PageOptions = {}): Promise<string> {
  const amount = options.amount ?? '139.00'
  const answer = await post(
    `${base}/HostPayService/v1/hostpay/transactions/`,
    requestXml(
      `<TRANSACTIONTYPE>${amount === '0.00' ? 'ALIASCREATE' : 'CREDITSALE'}</TRANSACTIONTYPE><ORDERID>${orderId}</ORDERID><AMOUNT>${amount}</AMOUNT>${options.more ?? ''}` +
        `<HOSTPAYSETTING><RETURNOPTION><RETURNURL>${options.returnUrl ?? 'http://localhost:3000/back'}</RETURNURL><RETURNTARGET>${options.target ?? '_self'}</RETURNTARGET></RETURNOPTION>${options.settings ?? ''}</HOSTPAYSETTING>`,
    ),
  )
  return answer.field('PAYPAGEURL')
}

async function ledger(base: string): Promise<{ orders: { orderId: string; state: string; charges: unknown[] }[] }> {
  return (await fetch(`${base}/sandbox/ledger`)).json() as never
}

describe('the card table', () => {
  it('has valid numbers, each once, and one or more of each accepted brand', () => {
    const numbers = Object.values(TEST_CARDS).map((card) => card.number)
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const number of numbers) {
      expect(luhn(number)).toBe(true)
      expect(brandOf(number)?.lengths).toContain(number.length)
      expect(luhn(number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10))).toBe(false)
    }
    expect(new Set(numbers.map((number) => brandOf(number)?.name))).toEqual(new Set(BRANDS.map(({ name }) => name)))
  })

  const now = Date.UTC(2026, 5, 30, 23)
  const entry = { number: TEST_CARDS.visa.number, expiry: '06/26', cvv: '123', name: ' Pat  Payer ', zip: '30308-1234' }

  it('accepts an entry with spaces and separators', () => {
    expect(checkEntry({ ...entry, number: '4111-1111 1111 1111', expiry: '6 / 2026' }, now)).toEqual({
      payer: {
        card: 'visa',
        brand: 'Visa',
        masked_card_number: '************1111',
        exp_month: '06',
        exp_year: '26',
        name: 'Pat Payer',
        zip: '30308',
      },
    })
  })

  it.each([
    ['number', '', ENTRY_MESSAGES.numberMissing],
    ['number', '4111 1111 1111 1112', ENTRY_MESSAGES.numberWrong],
    ['number', '4111 1111', ENTRY_MESSAGES.numberWrong],
    ['number', '3530 1113 3330 0000', ENTRY_MESSAGES.numberWrong],
    // This number has a valid check digit and is not in TEST_CARDS, so it could be a real card.
    ['number', '4242 4242 4242 4242', ENTRY_MESSAGES.numberReal],
    ['expiry', '13/30', ENTRY_MESSAGES.expiryWrong],
    ['expiry', '2030', ENTRY_MESSAGES.expiryWrong],
    ['expiry', '05/26', ENTRY_MESSAGES.expiryPast],
    ['cvv', '1234', ENTRY_MESSAGES.cvvWrong],
    ['cvv', '12a', ENTRY_MESSAGES.cvvWrong],
    ['name', '  ', ENTRY_MESSAGES.nameMissing],
    ['zip', '3030', ENTRY_MESSAGES.zipWrong],
  ])('refuses %s %j', (field, value, message) => {
    expect(checkEntry({ ...entry, [field]: value }, now)).toEqual({ errors: { [field]: message } })
  })

  it('requires a security code of four digits for American Express', () => {
    const amex = { ...entry, number: TEST_CARDS.amex.number }
    expect(checkEntry(amex, now)).toEqual({ errors: { cvv: ENTRY_MESSAGES.cvvWrong } })
    expect(checkEntry({ ...amex, cvv: '1234' }, now)).toHaveProperty('payer')
  })
})

describe('the sandbox', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, dataDir, slowMs: 0, faultKey: 'key' })
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })

  it('refuses a wrong entry, and shows the typed values again, except card number and security code', async () => {
    const url = await newPage(sandbox.url, 'entry')
    await expect(payAtHostedPage(url, { number: '4111111111111112', zip: '1' })).rejects.toThrow(
      `${ENTRY_MESSAGES.numberWrong}; ${ENTRY_MESSAGES.zipWrong}`,
    )
    const body = new URLSearchParams({ number: '4111111111111112', expiry: '11/39', cvv: '987', name: 'Ann "A" <i>' })
    const page = await (await fetch(url, { method: 'POST', body })).text()
    expect(page).toContain('<title>Error: Card payment</title>')
    expect(page).toContain('value="11/39"')
    expect(page).toContain('value="Ann &quot;A&quot; &lt;i&gt;"')
    expect(page).not.toContain('4111111111111112')
    expect(page).not.toContain('987')
  })

  it('escapes the texts of an order', async () => {
    const more = '<CUSTOMERNAME>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#x41;</CUSTOMERNAME>'
    const page = await (await fetch(await newPage(sandbox.url, '&lt;img src=x&gt;', { more }))).text()
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;/script&gt;A')
  })

  it('may be framed unless the order forbids it, posts only to itself and the return address, is never cached', async () => {
    const url = await newPage(sandbox.url, 'headers', { returnUrl: 'https://shop.example/back?a=1' })
    const { headers } = await fetch(url)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self' https://shop.example;")
    expect(policy).toContain('frame-ancestors *')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const alone = await newPage(sandbox.url, 'alone', { settings: '<DISABLEFRAMING>TRUE</DISABLEFRAMING>' })
    expect((await fetch(alone)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('leaves the frame if the order does not name the frame as target', async () => {
    const page = await (await fetch(await newPage(sandbox.url, 'top', { target: '' }))).text()
    expect(page).toMatch(/<form[^>]* target="_top"/)
  })

  it('shows the amount on the button, and states when the card is only saved', async () => {
    expect(await (await fetch(await newPage(sandbox.url, 'a1', { amount: '1139.05' }))).text()).toContain(
      'Pay $1,139.05',
    )
    const free = await (await fetch(await newPage(sandbox.url, 'a2', { amount: '0.00' }))).text()
    expect(free).toContain('Save card')
    expect(free).toContain('Nothing is charged today')
  })

  it.each([
    ['no XML', 'hello', '801'],
    ['a document type', `<!DOCTYPE R [<!ENTITY x "y">]>${requestXml('')}`, '801'],
    ['another root', '<QUERY/>', '801'],
    ['no credentials', '<REQUEST><TRANSACTIONTYPE>QUERYPAYMENT</TRANSACTIONTYPE></REQUEST>', '803'],
    ['another type', requestXml('<TRANSACTIONTYPE>DEBITSALE</TRANSACTIONTYPE>'), '801'],
    [
      'a broken amount',
      requestXml(
        '<TRANSACTIONTYPE>CREDITSALE</TRANSACTIONTYPE><ORDERID>x</ORDERID><ALIAS>a</ALIAS><AMOUNT>-1.00</AMOUNT>',
      ),
      '801',
    ],
    ['__proto__', requestXml('<__proto__><ORDERID>x</ORDERID></__proto__>'), '801'],
  ])('answers %s with a code', async (_, body, code) => {
    const answer = await post(`${sandbox.url}/HostPayService/v1/directpay/express`, body)
    expect([answer.status, answer.field('RESPONSECODE')]).toEqual([200, code])
  })

  it.each(['javascript:alert(1)', '/back', 'https://user@shop.example/', 'ftp://shop.example/'])(
    'refuses %s as return address',
    async (returnUrl) => {
      expect(await newPage(sandbox.url, `to ${returnUrl}`, { returnUrl })).toBe('')
    },
  )

  it('refuses a request body that is too long', async () => {
    const response = await fetch(`${sandbox.url}/HostPayService/v1/directpay/express`, {
      method: 'POST',
      body: 'x'.repeat(65 * 1024),
    })
    expect(response.status).toBe(413)
  })

  it('documents every card', async () => {
    const guide = await (await fetch(sandbox.url)).text()
    for (const name of Object.keys(TEST_CARDS) as TestCardName[]) {
      expect(guide.replace(/ /g, '')).toContain(TEST_CARDS[name].number)
      expect(guide).toContain(TEST_CARDS[name].does)
    }
  })

  it('documents every kind and place of a fault', async () => {
    const guide = (await (await fetch(sandbox.url)).text()).replaceAll('&quot;', '"')
    for (const name of [...FAULT_KINDS, ...FAULT_PLACES]) expect(guide).toMatch(`"${name}"`)
  })

  it('sets faults only with the key and within bounds, and charges although the response is lost', async () => {
    const order = (body: unknown, key = 'key') =>
      fetch(`${sandbox.url}/sandbox/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      }).then((response) => response.status)
    expect(await order({ orderId: '*', kind: '500' }, 'wrong')).toBe(401)
    expect(await order({ orderId: '*', kind: 'fire' })).toBe(400)
    expect(await order({ orderId: '*', kind: '500', times: 1001 })).toBe(400)
    expect(await order(null)).toBe(400)
    expect(await order({ orderId: 'f1', kind: 'lost', on: 'page' })).toBe(201)
    const url = await newPage(sandbox.url, 'f1')
    await expect(payAtHostedPage(url, 'visa')).rejects.toThrow(TypeError)
    const faultedOrder = (await ledger(sandbox.url)).orders.find(({ orderId }) => orderId === 'f1')
    expect(faultedOrder?.charges).toHaveLength(1)
  })

  it('offers no faults if it was started without a key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const plain = await startSandbox({ port: 0, dataDir: folder })
    const response = await fetch(`${plain.url}/sandbox/faults`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(404)
    await plain.close()
    rmSync(folder, { recursive: true })
  })

  it('can be closed while a slow card is being charged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const slow = await startSandbox({ port: 0, dataDir: folder, slowMs: 3_600_000 })
    const url = await newPage(slow.url, 's1')
    const paying = expect(payAtHostedPage(url, 'slow')).rejects.toThrow(TypeError)
    await fetch(slow.url)
    await slow.close()
    await paying
    rmSync(folder, { recursive: true })
  })
})

describe('the sandbox as a process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-process-'))
  const running: ChildProcess[] = []

  async function start(): Promise<{ url: string; process: ChildProcess }> {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./start-provider-sandbox.ts', import.meta.url))], {
      env: { PATH: process.env.PATH, SANDBOX_PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.push(child)
    let output = ''
    for await (const part of child.stdout!) {
      output += part
      const url = /listening on (\S+)\n/.exec(output)?.[1]
      if (url) return { url, process: child }
    }
    throw new Error(`The sandbox did not start: ${output}`)
  }

  function exitCodeOf(child: ChildProcess): Promise<number | null> {
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
    })
  }

  afterAll(() => {
    for (const child of running) if (child.exitCode === null) child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true })
  })

  it('accepts only an instant as the start of its clock', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./start-provider-sandbox.ts', import.meta.url))], {
      env: { PATH: process.env.PATH, SANDBOX_PORT: '0', DATA_DIR: dataDir, CLOCK: 'in three days' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.push(child)
    const code = exitCodeOf(child)
    let output = ''
    for await (const part of child.stderr!) output += part
    expect(output).toMatch(/^CLOCK must be an instant/)
    expect(await code).toBe(1)
  })

  it('has all orders and charges after it was killed, and never stored a card number', async () => {
    const first = await start()
    const open = await newPage(first.url, 'open')
    await payAtHostedPage(await newPage(first.url, 'paid', { more: '<CREATEALIAS>TRUE</CREATEALIAS>' }), 'visa')
    await cancelAtHostedPage(await newPage(first.url, 'cancelled'))
    await payAtHostedPage(await newPage(first.url, 'late'), 'late').catch(() => null)
    const before = await ledger(first.url)
    const death = exitCodeOf(first.process)
    first.process.kill('SIGKILL')
    await death

    const second = await start()
    expect(await ledger(second.url)).toEqual(before)
    expect(before.orders.map(({ orderId, state, charges }) => [orderId, state, charges.length])).toEqual([
      ['open', 'open', 0],
      ['paid', 'approved', 1],
      ['cancelled', 'cancelled', 0],
      ['late', 'approved', 1],
    ])
    const { returnUrl } = await payAtHostedPage(open.replace(first.url, second.url), 'mastercard')
    expect(new URL(returnUrl).searchParams.get('RESPONSECODE')).toBe('000')

    const stopped = exitCodeOf(second.process)
    second.process.kill('SIGTERM')
    expect(await stopped).toBe(0)

    const folder = join(dataDir, 'sandbox')
    const storedText = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('')
    expect(storedText).toContain('************1111')
    for (const { number } of Object.values(TEST_CARDS)) expect(storedText).not.toContain(number)
  })
})

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { httpSms, noSms } from './http.ts'
import { smsContract } from './sms.contract.ts'

/** A provider: takes both forms, knows a message by its idempotency key. */
async function provider() {
  const received: { messageId: string; to: string; text: string; from: string }[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    headers.push(request.headers)
    if (request.url === '/slow') return
    const right = ['Bearer sms-key', `Basic ${btoa('ACme:token')}`].includes(request.headers.authorization ?? '')
    if (!right) return void response.writeHead(401).end()
    const form = new URLSearchParams(body)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const sent = isForm
      ? { from: form.get('From') ?? '', to: form.get('To') ?? '', text: form.get('Body') ?? '' }
      : (JSON.parse(body) as { from: string; to: string; text: string })
    const messageId = String(request.headers[isForm ? 'i-twilio-idempotency-token' : 'idempotency-key'])
    if (sent.to.endsWith('0404')) return void response.writeHead(400).end('{"code":21211}')
    if (sent.to.endsWith('0503')) return void response.writeHead(503).end()
    if (sent.to.endsWith('0429')) return void response.writeHead(429).end()
    if (!received.some((one) => one.messageId === messageId))
      received.push({ messageId, to: sent.to.replace('+1', ''), text: sent.text, from: sent.from })
    response.writeHead(201).end('{"sid":"SM1"}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, received, headers, close }
}

const opened: { close(): void }[] = []
afterAll(() => {
  for (const one of opened) one.close()
})

async function open(form: 'json' | 'twilio', more: { path?: string; key?: string } = {}) {
  const far = await provider()
  opened.push(far)
  const key = more.key ?? (form === 'json' ? 'sms-key' : 'ACme:token')
  const sms = httpSms({ url: far.url + (more.path ?? '/messages'), key, from: '+14045550100', form, timeoutMs: 1000 })
  return { sms, far, received: async () => far.received.map(({ messageId, to, text }) => ({ messageId, to, text })) }
}

for (const form of ['json', 'twilio'] as const) smsContract(`HTTP, ${form}`, () => open(form))

const message = { messageId: 'gate.7', to: '4045550134', text: 'Your gate code is 4821' }

describe('over HTTP', () => {
  test('a message goes from our number, in JSON', async () => {
    const { sms, far } = await open('json')
    await sms.send(message)
    expect(far.received[0]?.from).toBe('+14045550100')
    expect(far.headers[0]?.['content-type']).toBe('application/json')
  })

  test('a wrong key is for good, too many is for now', async () => {
    const { sms } = await open('json', { key: 'wrong' })
    await expect(sms.send(message)).rejects.toMatchObject({ permanent: true })
    const { sms: busy } = await open('json')
    await expect(busy.send({ ...message, to: '4045550429' })).rejects.toMatchObject({ permanent: false })
  })

  test('case 24: a provider that is slow or gone is for now, and the key is in no message', async () => {
    const { far } = await open('json')
    for (const url of [`${far.url}/slow`, 'http://127.0.0.1:1/']) {
      const sms = httpSms({ url, key: 'sms-key', from: '1', form: 'json', timeoutMs: 50 })
      const failure = await sms.send(message).catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'SmsNotDelivered', permanent: false })
      expect(String(failure)).not.toContain('sms-key')
    }
  })

  test('an unreachable provider is named in the log, by its host alone', async () => {
    const far = await provider()
    far.close()
    const gone = new URL(far.url).port
    for (const [url, says] of [
      [
        `http://127.0.0.1:${gone}/v1/secret-part`,
        /^The SMS provider cannot be reached: 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/,
      ],
      ['http://127.0.0.1:1/v1/secret-part', /reached: 127\.0\.0\.1:1 \(bad port\)$/],
      ['https://sms.invalid/v1/secret-part', /reached: sms\.invalid \((ENOTFOUND|EAI_AGAIN)\)$/],
    ] as const) {
      const sms = httpSms({ url, key: 'sms-key', from: '1', form: 'json', timeoutMs: 5000 })
      await expect(sms.send(message)).rejects.toThrow(says)
    }
  })

  test('without a provider a message is given up at once', async () => {
    await expect(noSms.send(message)).rejects.toMatchObject({ name: 'SmsNotDelivered', permanent: true })
  })
})

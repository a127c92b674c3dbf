import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { serverForTests } from '../testing-server.ts'
import { httpSms, unconfiguredSms } from './http.ts'
import { smsContract } from './sms.contract.ts'

const received: { messageId: string; to: string; text: string; from: string }[] = []
const headers: IncomingHttpHeaders[] = []

const origin = await serverForTests(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  headers.push(request.headers)
  if (request.url === '/slow') return
  const isAuthorized = ['Bearer sms-key', `Basic ${btoa('ACme:token')}`].includes(request.headers.authorization ?? '')
  if (!isAuthorized) return void response.writeHead(401).end()
  const form = new URLSearchParams(body)
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  const payload = isForm
    ? { from: form.get('From') ?? '', to: form.get('To') ?? '', text: form.get('Body') ?? '' }
    : (JSON.parse(body) as { from: string; to: string; text: string })
  const messageId = String(request.headers[isForm ? 'i-twilio-idempotency-token' : 'idempotency-key'])
  if (payload.to.endsWith('0404')) return void response.writeHead(400).end('{"code":21211}')
  if (payload.to.endsWith('0503')) return void response.writeHead(503).end()
  if (payload.to.endsWith('0429')) return void response.writeHead(429).end()
  if (!received.some((entry) => entry.messageId === messageId))
    received.push({ messageId, to: payload.to.replace('+1', ''), text: payload.text, from: payload.from })
  response.writeHead(201).end('{"sid":"SM1"}')
})

function open(form: 'json' | 'twilio', key = form === 'json' ? 'sms-key' : 'ACme:token') {
  received.length = 0
  headers.length = 0
  const sms = httpSms({ url: `${origin}/messages`, key, from: '+14045550100', form, timeoutMs: 1000 })
  return { sms, received: async () => received.map(({ messageId, to, text }) => ({ messageId, to, text })) }
}

for (const form of ['json', 'twilio'] as const) smsContract(`HTTP, ${form}`, async () => open(form))

const message = { messageId: 'gate.7', to: '4045550134', text: 'Your gate code is 4821' }

describe('replies', () => {
  const post = (body: string, headers: Record<string, string>) => ({
    url: 'https://rent.example.com/texts/reply',
    body,
    header: (name: string) => headers[name],
  })

  test('accept Twilio’s signature of the URL and the fields, and no other', () => {
    const body = new URLSearchParams({ MessageSid: 'SM7', From: '+14045550134', To: '+14045550100', Body: 'Stop' })
    const { sms } = open('twilio', 'ACme:12345')
    const text = `https://rent.example.com/texts/replyBodyStopFrom+14045550134MessageSidSM7To+14045550100`
    const signature = createHmac('sha1', '12345').update(text).digest('base64')
    const signed = post(String(body), { 'x-twilio-signature': signature })
    expect(sms.readReply(signed)).toEqual({ id: 'SM7', from: '4045550134', text: 'Stop' })
    expect(sms.readReply({ ...signed, url: 'https://evil.example/texts/reply' })).toBeNull()
    expect(sms.readReply({ ...signed, body: signed.body.replace('Stop', 'Start') })).toBeNull()
    expect(sms.readReply(post(String(body), {}))).toBeNull()
  })

  test('a signed request without a message is ignored', () => {
    const { sms } = open('json')
    for (const body of ['', '{', '[]', '{"id":1}', '{"id":"a","from":"911","text":"STOP"}']) {
      const signature = createHmac('sha256', 'sms-key').update(body).digest('hex')
      expect(sms.readReply(post(body, { 'x-signature': `sha256=${signature}` }))).toBeNull()
    }
    expect(unconfiguredSms.readReply(post('{}', {}))).toBeNull()
  })
})

describe('over HTTP', () => {
  test('sends a message from our number, in JSON', async () => {
    await open('json').sms.send(message)
    expect(received[0]?.from).toBe('+14045550100')
    expect(headers[0]?.['content-type']).toBe('application/json')
  })

  test('a wrong key is a permanent failure, too many requests a temporary one', async () => {
    await expect(open('json', 'wrong').sms.send(message)).rejects.toMatchObject({ permanent: true })
    await expect(open('json').sms.send({ ...message, to: '4045550429' })).rejects.toMatchObject({ permanent: false })
  })

  test('a slow or missing provider is a temporary failure, and the key is in no message', async () => {
    for (const url of [`${origin}/slow`, 'http://127.0.0.1:1/']) {
      const sms = httpSms({ url, key: 'sms-key', from: '1', form: 'json', timeoutMs: 50 })
      const failure = await sms.send(message).catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'SmsNotDelivered', permanent: false })
      expect(String(failure)).not.toContain('sms-key')
    }
  })

  test('an unreachable provider is named in the error, by its host alone', async () => {
    const gone = await serverForTests(
      () => {},
      (close) => close(),
    )
    for (const [url, expected] of [
      [`${gone}/v1/secret-part`, /^The SMS provider cannot be reached: 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/],
      ['http://127.0.0.1:1/v1/secret-part', /reached: 127\.0\.0\.1:1 \(bad port\)$/],
      ['https://sms.invalid/v1/secret-part', /reached: sms\.invalid \((ENOTFOUND|EAI_AGAIN)\)$/],
    ] as const) {
      const sms = httpSms({ url, key: 'sms-key', from: '1', form: 'json', timeoutMs: 5000 })
      await expect(sms.send(message)).rejects.toThrow(expected)
    }
  })

  test('without a provider a message fails permanently', async () => {
    await expect(unconfiguredSms.send(message)).rejects.toMatchObject({ name: 'SmsNotDelivered', permanent: true })
  })
})

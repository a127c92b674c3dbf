import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { type MailBench, mailContract, message, type Received } from './mail.contract.ts'
import { smtpMail } from './smtp.ts'

interface Envelope {
  to: string[]
  raw: Buffer
}

async function open(): Promise<MailBench & { envelopes: Envelope[] }> {
  const envelopes: Envelope[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (address.endsWith('@refused.test')) done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      else if (address.endsWith('@busy.test')) done(Object.assign(new Error('Try later'), { responseCode: 451 }))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        envelopes.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mail = smtpMail({ url: `smtp://127.0.0.1:${port}` })
  return {
    mail,
    envelopes,
    received: async () => envelopes.map(read),
    async close() {
      mail.close()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

// ── Reading a message as a mail program would ─────────────────────────────────────────────────────────────────────────

interface Part {
  headers: Map<string, string>
  body: string
}

function split(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string>()
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: raw.slice(end + 4) }
}

const parameter = (header: string, name: string) => new RegExp(`${name}="?([^";]+)"?`).exec(header)?.[1]

function leaves(part: Part): Part[] {
  const boundary = parameter(part.headers.get('content-type') ?? '', 'boundary')
  if (!boundary) return [part]
  const pieces = part.body.split(`--${boundary}`).slice(1, -1)
  return pieces.flatMap((piece) => leaves(split(piece.replace(/^\r\n/, '').replace(/\r\n$/, ''))))
}

function bytesOf({ headers, body }: Part): Buffer {
  const encoding = headers.get('content-transfer-encoding') ?? '7bit'
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  const plain = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** RFC 2047: '=?UTF-8?B?…?=' and '=?UTF-8?Q?…?='. */
const decoded = (header: string) =>
  header.replace(/\?=\s+=\?/g, '?==?').replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : bytesOf({
          headers: new Map([['content-transfer-encoding', 'quoted-printable']]),
          body: text.replaceAll('_', ' '),
        }).toString(),
  )

/** RFC 2231: filename*0*=utf-8''…; else filename="…". */
function filename(disposition: string): string {
  const pieces = [...disposition.matchAll(/filename\*(?:\d+\*)?=(?:utf-8'')?([^;\s]+)/gi)].map(([, piece]) => piece)
  if (pieces.length > 0) return decodeURIComponent(pieces.join(''))
  return decoded(/filename="((?:[^"\\]|\\.)*)"|filename=([^;\s]+)/.exec(disposition)?.slice(1).find(Boolean) ?? '')
}

function read({ to, raw }: Envelope): Received {
  const whole = split(raw.toString('latin1'))
  const parts = leaves(whole)
  const type = (part: Part) => (part.headers.get('content-type') ?? '').split(';')[0]!
  const inline = (wanted: string) => {
    const part = parts.find((one) => type(one) === wanted && !one.headers.has('content-disposition'))
    return part ? bytesOf(part).toString().replaceAll('\r\n', '\n') : ''
  }
  return {
    messageId: whole.headers.get('message-id')!.replace(/^<|>$/g, ''),
    to,
    subject: decoded(whole.headers.get('subject') ?? ''),
    text: inline('text/plain'),
    html: inline('text/html'),
    attachments: parts
      .filter((part) => part.headers.get('content-disposition')?.startsWith('attachment'))
      .map((part) => ({
        filename: filename(part.headers.get('content-disposition')!),
        contentType: type(part),
        content: bytesOf(part),
      })),
  }
}

mailContract('SMTP', open)

test('no header of a typed name’s own reaches the wire', async () => {
  const bench = await open()
  await bench.mail.send(
    message({
      from: 'Eve\r\nBcc: eve@evil.test <no-reply@latchkey.example>',
      subject: 'Hi\r\nX-Evil: 1',
      attachments: [
        { filename: 'x\r\nX-Evil: 1', contentType: 'text/plain\r\nX-Evil: 1', content: new Uint8Array([65]) },
      ],
    }),
  )
  const [envelope] = bench.envelopes
  expect(envelope!.to).toEqual(['maya.okafor@example.com'])
  expect(envelope!.raw.toString('latin1')).not.toMatch(/^(?:bcc|x-evil):/im)
  await bench.close()
})

test('a server that is not there is a failure for now', async () => {
  const bench = await open()
  await bench.mail.send(message())
  await bench.close()
  await expect(bench.mail.send(message())).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
})

test('a refused log-in is a failure for now: the message is not at fault', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('Bad log-in'), { responseCode: 535 })),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mail = smtpMail({ url: `smtp://site:p%40ss@127.0.0.1:${port}` })
  await expect(mail.send(message())).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
  await expect(mail.check()).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
  mail.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

test('a server that lets the site in is asked without a mail', async () => {
  const bench = await open()
  await bench.mail.check?.()
  expect(bench.envelopes).toEqual([])
  await bench.close()
})

test('a server that says nothing is given up on', async () => {
  const { createServer } = await import('node:net')
  const sockets: import('node:net').Socket[] = []
  const server = createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const mail = smtpMail({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, timeout: 50 })
  await expect(mail.send(message())).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
  mail.close()
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('no mail goes to another machine in the open', async () => {
  const arrived: string[] = []
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] },
    onData(stream, _session, done) {
      arrived.push('a message')
      stream.resume().once('end', () => done())
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  // This machine by a name that does not say so.
  const mail = smtpMail({ url: `smtp://[::ffff:127.0.0.1]:${port}`, timeout: 2_000 })
  await expect(mail.send(message())).rejects.toThrow()
  expect(arrived).toEqual([])
  mail.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

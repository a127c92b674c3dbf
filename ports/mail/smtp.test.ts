import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { type MailBench, mailContract, message, type Received } from './mail.contract.ts'
import { smtpMail } from './smtp.ts'

interface Envelope {
  to: string[]
  raw: Buffer
}

type Bench = MailBench & { mail: ReturnType<typeof smtpMail>; envelopes: Envelope[] }

const loopback = (port: number) => `smtp://127.0.0.1:${port}`

async function open(options: SMTPServerOptions = {}, urlOf = loopback, timeout?: number): Promise<Bench> {
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
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mail = smtpMail({ url: urlOf(port), ...(timeout && { timeout }) })
  return {
    mail,
    envelopes,
    received: () => Promise.all(envelopes.map(read)),
    async close() {
      mail.close()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

async function read({ to, raw }: Envelope): Promise<Received> {
  const mail = await PostalMime.parse(raw)
  return {
    messageId: mail.messageId?.replace(/^<|>$/g, '') ?? '',
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? '',
      contentType: mimeType,
      content: new Uint8Array(content as ArrayBuffer),
    })),
  }
}

mailContract('SMTP', open)

test('a typed name adds no header', async () => {
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

test('a missing server is a temporary failure', async () => {
  const bench = await open()
  await bench.mail.send(message())
  await bench.close()
  await expect(bench.mail.send(message())).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
})

test('a refused log-in is a temporary failure, since the message is valid', async () => {
  const refusing: SMTPServerOptions = {
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('Bad log-in'), { responseCode: 535 })),
  }
  const { mail, close } = await open(refusing, (port) => `smtp://site:p%40ss@127.0.0.1:${port}`)
  await expect(mail.send(message())).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
  await expect(mail.check()).rejects.toMatchObject({ name: 'MailNotDelivered', permanent: false })
  await close()
})

test('checks a server without sending a mail', async () => {
  const bench = await open()
  await bench.mail.check?.()
  expect(bench.envelopes).toEqual([])
  await bench.close()
})

test('times out on a silent server', async () => {
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

test('sends no mail unencrypted to another machine', async () => {
  // `smtpMail` does not recognize this form of the loopback address, so it treats the server as another machine.
  const { mail, envelopes, close } = await open({}, (port) => `smtp://[::ffff:127.0.0.1]:${port}`, 2_000)
  await expect(mail.send(message())).rejects.toThrow()
  expect(envelopes).toEqual([])
  await close()
})

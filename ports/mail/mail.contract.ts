import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mail, MailMessage } from './mail.ts'

export interface Received {
  messageId: string
  to: string[]
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Uint8Array }[]
}

export interface MailBench {
  mail: Mail
  received(): Promise<Received[]>
  close(): Promise<void>
}

export const message = (change: Partial<MailMessage> = {}): MailMessage => ({
  messageId: 'notice.1@latchkey.example',
  to: 'maya.okafor@example.com',
  from: 'Latchkey <no-reply@latchkey.example>',
  subject: 'Your reservation',
  text: 'Unit 214 is held for you.',
  html: '<p>Unit <b>214</b> is held for you.</p>',
  attachments: [],
  ...change,
})

/**
 * Tests the contract of mail adapters. The receiving server refuses recipients at `refused.test` permanently and those
 * at `busy.test` temporarily.
 */
export function mailContract(name: string, open: () => Promise<MailBench>): void {
  describe(`mail contract: ${name}`, () => {
    let bench: MailBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())
    const last = async () => (await bench.received()).at(-1)!
    const failure = (change: Partial<MailMessage>) =>
      bench.mail.send(message(change)).then(
        () => 'sent',
        (error) => error,
      )

    test('a message arrives whole, in any script', async () => {
      const text = 'Grüße aus Atlanta — こんにちは 🗝️\nsecond line\n.\nline after a lone dot'
      await bench.mail.send(
        message({ messageId: 'whole@latchkey.example', subject: 'Schlüssel für Zoë 🗝️', text, html: `<p>${text}</p>` }),
      )
      const received = await last()
      expect(received).toMatchObject({
        messageId: 'whole@latchkey.example',
        to: ['maya.okafor@example.com'],
        subject: 'Schlüssel für Zoë 🗝️',
      })
      expect(received.text.trim()).toBe(text)
      expect(received.html.trim()).toBe(`<p>${text}</p>`)
    })

    test('attachments arrive byte by byte, under their names', async () => {
      const pdf = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7) % 256)
      await bench.mail.send(
        message({
          messageId: 'attached@latchkey.example',
          attachments: [
            { filename: 'Lease – Zoë Núñez.pdf', contentType: 'application/pdf', content: pdf },
            { filename: 'note.txt', contentType: 'text/plain', content: new TextEncoder().encode('Gate 4821') },
          ],
        }),
      )
      const { attachments } = await last()
      expect(attachments.map((a) => [a.filename, a.contentType])).toEqual([
        ['Lease – Zoë Núñez.pdf', 'application/pdf'],
        ['note.txt', 'text/plain'],
      ])
      expect(Buffer.from(attachments[0]!.content).equals(Buffer.from(pdf))).toBe(true)
      expect(Buffer.from(attachments[1]!.content).toString()).toBe('Gate 4821')
    })

    test('line breaks in typed names begin no header and add no recipient', async () => {
      await bench.mail.send(
        message({
          messageId: 'broken@latchkey.example',
          from: 'Eve\r\nBcc: eve@evil.test <no-reply@latchkey.example>',
          subject: 'Hello Eve\r\nBcc: eve@evil.test\r\n\r\nnew body\u2028X: 1',
          attachments: [
            {
              filename: 'a"\r\nX-Evil: 1\r\n/../b.pdf',
              contentType: 'application/pdf\r\nX-Evil: 1',
              content: new Uint8Array([1]),
            },
          ],
        }),
      )
      const received = await last()
      expect(received.to).toEqual(['maya.okafor@example.com'])
      expect(received.subject).toBe('Hello Eve Bcc: eve@evil.test new body X: 1')
      expect(received.text.trim()).toBe('Unit 214 is held for you.')
      expect(received.attachments).toHaveLength(1)
      expect(received.attachments[0]!.filename).not.toMatch(/[\r\n/\\]/)
      expect(received.attachments[0]!.contentType).toBe('application/octet-stream')
    })

    test.each([
      'a@example.com, eve@evil.test',
      'a@example.com\r\nRCPT TO:<eve@evil.test>',
      'Maya <a@example.com>',
      'a@example.com;eve@evil.test',
      'a b@example.com',
      '@example.com',
      'a@',
      '',
    ])('refuses the recipient %j permanently and sends nothing', async (to) => {
      const before = (await bench.received()).length
      expect(await failure({ to })).toMatchObject({ name: 'MailNotDelivered', permanent: true })
      expect(await bench.received()).toHaveLength(before)
    })

    test('permanent and temporary refusals are distinguished', async () => {
      expect(await failure({ to: 'nobody@refused.test' })).toMatchObject({ name: 'MailNotDelivered', permanent: true })
      expect(await failure({ to: 'anybody@busy.test' })).toMatchObject({ name: 'MailNotDelivered', permanent: false })
    })

    test('after a failure the next message goes out', async () => {
      await bench.mail.send(message({ messageId: 'after@latchkey.example' }))
      expect((await last()).messageId).toBe('after@latchkey.example')
    })
  })
}

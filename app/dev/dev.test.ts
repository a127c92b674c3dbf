import { RouterContextProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createMailbox } from '../../modules/messages/development-mailbox.ts'
import { mailSamples } from '../../modules/messages/views/message-samples.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { type RequestContext, requestContext } from '../request/context.ts'
import * as gallery from './gallery.tsx'
import * as mailbox from './mailbox.tsx'
import * as message from './message.tsx'

describeOnBothEngines('the development pages', (open) => {
  let services: TestServices

  beforeAll(async () => {
    services = await openTestServices(await open())
  })

  beforeEach(async () => {
    services.files = {
      put: async () => {},
      delete: async () => {},
      get: async (key) =>
        key === 'mailbox/1/1' ? { content: new Uint8Array([37, 80, 68, 70]), contentType: 'text/html' } : null,
    }
    await createMailbox(services.db).keep({
      message_id: 'm1@storage.example',
      channel: 'mail',
      recipient: 'ada@example.com',
      subject: 'Your lease',
      text: 'Attached.',
      html: '<html><head></head><body><script>alert(1)</script>Attached.</body></html>',
      attachments: JSON.stringify([
        { filename: 'lease "1".html', file_key: 'mailbox/1/1', content_type: 'text/html' },
        { filename: 'lost.pdf', file_key: 'mailbox/1/2', content_type: 'application/pdf' },
      ]),
      created_at: services.clock.now(),
    })
  })

  const args = (path: string, options: { demo?: boolean; mailbox?: boolean; messageId?: string } = {}) => {
    const { demo = true, mailbox: hasMailbox = demo, messageId = 'm1@storage.example' } = options
    const context = new RouterContextProvider()
    context.set(requestContext, {
      services,
      demo,
      mailbox: hasMailbox,
      brand: { name: 'Storage' },
    } as unknown as RequestContext)
    return { request: new Request(`https://rent.example${path}`), params: { messageId }, context } as never
  }
  const answer = async (path: string, options?: Parameters<typeof args>[1]) =>
    (await message.middleware[0]?.(args(path, options), (async () => new Response('the page')) as never)) as Response

  it.each([
    ['outside a demo', { demo: false }],
    ['where mail goes out for good (MAILBOX=off)', { mailbox: false }],
  ])('show no mail %s', async (_, off) => {
    await expect(mailbox.loader(args('/dev/mailbox', off))).rejects.toMatchObject({ init: { status: 404 } })
    await expect(message.loader(args('/dev/mailbox/m1', off))).rejects.toMatchObject({ init: { status: 404 } })
    expect((await answer('/?part=html', off)).status).toBe(404)
    expect((await answer('/?attachment=1', off)).status).toBe(404)
  })

  it('show the gallery only in demo mode', () =>
    expect(() => gallery.loader(args('/dev/gallery', { demo: false }))).toThrow(
      expect.objectContaining({ init: { status: 404 } }),
    ))

  it('list the stored mails and a sample of each notice', async () => {
    const { messages, samples } = await mailbox.loader(args('/dev/mailbox'))
    expect(messages).toEqual([
      expect.objectContaining({ to: 'ada@example.com', attachments: 2, at: '11/20/2026 5:00 PM UTC' }),
    ])
    expect(samples.length).toBeGreaterThan(mailSamples.length)
    for (const { id } of samples) {
      const { message: sample } = await message.loader(args('/', { messageId: id }))
      expect(sample.text).not.toBe('')
    }
  })

  it('show a mail without running its scripts', async () => {
    const mail = await answer('/?part=html')
    expect(mail.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*sandbox/)
    expect(await mail.text()).toContain('<head><base target="_top">')
  })

  it('offer an attachment as a download and never display it', async () => {
    const file = await answer('/?attachment=1')
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="lease-1-.html"')
    expect(file.headers.get('Content-Type')).toBe('application/octet-stream')
    expect((await file.arrayBuffer()).byteLength).toBe(4)
    for (const number of ['2', '3', '0', '-1', 'x']) expect((await answer(`/?attachment=${number}`)).status).toBe(404)
    expect((await answer('/?attachment=1', { messageId: 'unknown' })).status).toBe(404)
    expect(await (await answer('/')).text()).toBe('the page')
  })
})

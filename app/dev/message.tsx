import { data, redirect } from 'react-router'
import { formatLong } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { simulateTextMessageReply } from '../../modules/messages/operations/simulate-text-message-reply.ts'
import { loadMailboxMessage, loadMailboxMessagePage } from '../../modules/messages/views/development-mailbox.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/message'

/**
 * Serves parts of a message. `?part=html` returns the mail's HTML for the frame on the message's page, in a sandbox
 * without scripts and origin; `?attachment=1` downloads the first attachment.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, params, context }, next) => {
    const site = contextOf(context)
    const query = new URL(request.url).searchParams
    const part = query.get('part')
    const attachment = query.get('attachment')
    if (part === null && attachment === null) return next()
    const notFound = () => new Response('There is no such message.', { status: 404 })
    const message = site.mailbox ? await loadMailboxMessage(site.services, params.messageId ?? '') : null
    if (!message) return notFound()
    if (part === 'html') {
      return new Response(message.html.replace(/<head[^>]*>/i, '$&<base target="_top">'), {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
          'Content-Security-Policy':
            "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
        },
      })
    }
    const stored = message.attachments[Number(attachment) - 1]
    const file = stored && (await site.services.files.get(stored.file_key))
    if (!file) return notFound()
    return new Response(new Uint8Array(file.content), {
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${stored.filename.replace(/[^\w.-]+/g, '-')}"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'no-store',
      },
    })
  },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const page = site.mailbox ? await loadMailboxMessagePage(site.services, params.messageId) : null
  if (!page) throw data(null, { status: 404 })
  const { sms, to, subject, text, html, attachments, at } = page.message
  return {
    brand: site.brand.name,
    message: { sms, to, subject, text, at: at === null ? '' : formatWritten(at), hasHtml: html !== '' },
    replies: page.replies,
    attachments: attachments.map((attachment) => attachment.filename),
  }
}

const formatWritten = (at: Instant) => `${formatLong(todayIn('UTC', at))}, ${formatInstantIn('UTC', at)} UTC`

/** Stores a reply by text message in the demo, as if the phone's owner had sent it. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const message = site.mailbox ? await loadMailboxMessage(site.services, params.messageId) : null
  const { reply = '' } = await readForm(request)
  if (!message?.sms || message.at === null) throw data(null, { status: 404 })
  await simulateTextMessageReply(site.services, message, reply)
  return redirect(`/dev/mailbox/${params.messageId}`)
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData?.message.subject ?? 'Message', loaderData?.brand ?? '') },
  { name: 'robots', content: 'noindex' },
]

export default function MessagePage({ loaderData }: Route.ComponentProps) {
  const { message, attachments, replies } = loaderData
  return (
    <PageFrame>
      <p className="mb-4">
        <a href="/dev/mailbox">All messages</a>
      </p>
      <h1>{message.subject}</h1>
      <div className="mt-6 mb-8 max-w-text">
        <DataList
          facts={[
            { label: 'To', value: message.to },
            { label: 'Kind', value: message.sms ? 'Text message' : 'Mail' },
            ...(message.at ? [{ label: 'Written', value: message.at }] : []),
            ...attachments.map((name, index) => ({
              label: attachments.length > 1 ? `Attachment ${index + 1}` : 'Attachment',
              value: (
                <a href={`?attachment=${index + 1}`} download={name}>
                  {name}
                </a>
              ),
            })),
          ]}
        />
      </div>
      {message.hasHtml && (
        <iframe
          className="h-224 w-full rounded-card border border-line bg-white"
          title={`Mail: ${message.subject}`}
          src="?part=html"
          sandbox="allow-top-navigation-by-user-activation"
        />
      )}
      {message.hasHtml ? (
        <details className="mt-6">
          <summary>As plain text</summary>
          <pre className="[font-family:inherit] whitespace-pre-wrap wrap-anywhere">{message.text}</pre>
        </details>
      ) : (
        <Card className="max-w-text">
          <p className="whitespace-pre-wrap wrap-anywhere">{message.text}</p>
        </Card>
      )}
      {replies && (
        <form method="post" className="mt-6">
          <p>
            {replies.hasConsent
              ? 'This number gets text messages.'
              : 'This number has said STOP: it gets no text messages.'}
          </p>
          <input type="hidden" name="reply" value={replies.hasConsent ? 'STOP' : 'START'} />
          <ButtonRow>
            <Button kind="secondary">{replies.hasConsent ? 'Reply STOP' : 'Reply START'}</Button>
          </ButtonRow>
        </form>
      )}
    </PageFrame>
  )
}

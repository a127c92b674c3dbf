import { data } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { attachmentsOf, mailboxMessages } from '../../modules/messages/development-mailbox.ts'
import { noticeSamples, smsSamples } from '../../modules/messages/views/message-samples.ts'
import { contextOf } from '../request/context.ts'
import { Table } from '../ui/data-tables.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { Tag } from '../ui/surfaces.tsx'
import type { Route } from './+types/mailbox'

const zone = 'UTC'

export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!site.mailbox) throw data(null, { status: 404 })
  const messages = await mailboxMessages(site.services.db)
  return {
    brand: site.brand.name,
    messages: messages.map((message) => ({
      id: message.message_id,
      sms: message.channel === 'sms',
      to: message.recipient,
      subject: message.subject || 'Text message',
      attachments: attachmentsOf(message.attachments).length,
      at: `${formatUs(todayIn(zone, message.created_at))} ${formatInstantIn(zone, message.created_at)} UTC`,
    })),
    samples: [
      ...noticeSamples.map(({ name, title }) => ({ id: `sample:${name}`, title, sms: false })),
      ...smsSamples.map(({ name, title }) => ({ id: `sample:${name}`, title, sms: true })),
    ],
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle('Mailbox', loaderData?.brand ?? '') },
  { name: 'robots', content: 'noindex' },
]

const href = (id: string) => `/dev/mailbox/${encodeURIComponent(id)}`

export default function Mailbox({ loaderData }: Route.ComponentProps) {
  const { messages, samples } = loaderData
  return (
    <PageFrame>
      <h1>Mailbox</h1>
      <p className="lead mt-3 mb-8">
        A demo sends nothing. What would have gone out by mail or text message is kept here, the newest first.
      </p>
      {messages.length > 0 ? (
        <Table
          caption="Messages"
          captionHidden
          rows={messages}
          rowKey={(row) => row.id}
          columns={[
            { label: 'Subject', cell: (row) => <a href={href(row.id)}>{row.subject}</a> },
            { label: 'To', cell: (row) => row.to },
            {
              label: 'Kind',
              cell: (row) =>
                row.sms ? 'Text message' : row.attachments > 0 ? `Mail, ${row.attachments} attached` : 'Mail',
            },
            { label: 'Written', cell: (row) => row.at },
          ]}
        />
      ) : (
        <EmptyState title="Nothing has been sent yet">
          <p>Reserve a unit, and the confirmation appears here.</p>
        </EmptyState>
      )}
      <h2 className="mt-12 mb-2">A sample of each</h2>
      <ul className="grid md:grid-cols-2">
        {samples.map((sample) => (
          <li key={sample.id} className="py-2">
            <a href={href(sample.id)}>{sample.title}</a> {sample.sms && <Tag>text message</Tag>}
          </li>
        ))}
      </ul>
    </PageFrame>
  )
}

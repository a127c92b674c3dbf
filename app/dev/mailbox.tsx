import { data } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { loadMailbox } from '../../modules/messages/views/development-mailbox.ts'
import { contextOf } from '../request/context.ts'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import { Table } from '../ui/data-tables.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/mailbox'

const zone = 'UTC'

export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!site.mailbox) throw data(null, { status: 404 })
  const { messages, samples } = await loadMailbox(site.services)
  return {
    brand: site.brand.name,
    messages: messages.map((message) => ({
      ...message,
      at: `${formatUs(todayIn(zone, message.at))} ${formatInstantIn(zone, message.at)} UTC`,
    })),
    samples,
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

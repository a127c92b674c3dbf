import { Form } from 'react-router'
import { OfficeList } from '../list.tsx'
import { Section } from '../page.tsx'
import type { loadWaitlistRows } from './waitlist-rows.ts'

type Shown = Awaited<ReturnType<typeof loadWaitlistRows>>[number]

/** Waitlist by size, in the order in which the mails are sent. */
export const WaitlistTable = ({ waits }: { waits: Shown[] }) => (
  <Section title="Waiting for a free unit" count={waits.length}>
    <OfficeList
      caption="Waiting for a free unit"
      rows={waits}
      rowKey={(one) => one.id}
      empty="No address waits for a unit here."
      columns={[
        { label: 'Size', cell: (one) => one.size },
        { label: 'Who', cell: (one) => <span className="wrap-anywhere">{one.email}</span> },
        { label: 'Since', wide: true, cell: (one) => one.since },
        { label: 'Mail about a unit', wide: true, cell: (one) => one.told || 'not yet' },
      ]}
      actions={(one) =>
        one.key !== '' && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="key" value={one.key} />
            <input type="hidden" name="waitlist_id" value={one.id} />
            <button type="submit" className="btn btn-short btn-quiet">
              Take off<span className="sr">: {one.email}</span>
            </button>
          </Form>
        )
      }
    />
  </Section>
)

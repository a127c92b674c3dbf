import { Form } from 'react-router'
import { Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import type { loadWaitlistRows } from './load-waitlist-rows.ts'

type WaitlistRow = Awaited<ReturnType<typeof loadWaitlistRows>>[number]

/** Waitlist by unit type, within a type in the order in which the mails are sent. */
export const WaitlistTable = ({ waits }: { waits: WaitlistRow[] }) => (
  <Section title="Waiting for a free unit" count={waits.length}>
    <OfficeTable
      caption="Waiting for a free unit"
      rows={waits}
      rowKey={(row) => row.id}
      empty="No address waits for a unit here."
      columns={[
        { label: 'Size', cell: (row) => row.size },
        { label: 'Who', cell: (row) => <span className="wrap-anywhere">{row.email}</span> },
        { label: 'Since', wide: true, cell: (row) => row.since },
        { label: 'Mail about a unit', wide: true, cell: (row) => row.told || 'not yet' },
      ]}
      actions={(row) =>
        row.key !== '' && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="key" value={row.key} />
            <input type="hidden" name="waitlist_id" value={row.id} />
            <button type="submit" className="btn btn-short btn-quiet">
              Take off<span className="sr">: {row.email}</span>
            </button>
          </Form>
        )
      }
    />
  </Section>
)

import { Link } from 'react-router'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import type { MovesTodayView } from './moves-today.ts'
import { Section } from './office-page-heading-and-sections.tsx'
import { OfficeTable } from './office-table.tsx'

/**
 * Counts of the move-ins and move-outs that are due, of holds that end within a day, and of field work.
 * @param query `?at=…` of the facilities in view; '' for all
 */
export function MoveCounts({ counts, query }: { counts: MovesTodayView['counts']; query: string }) {
  const { field } = counts
  return (
    <ul className="mt-[0.4rem] flex flex-wrap gap-x-6 gap-y-1 text-soft [&_strong]:text-ink">
      <li>
        Move-ins <strong className="num">{counts.in}</strong>
      </li>
      <li>
        Move-outs <strong className="num">{counts.out}</strong>
      </li>
      <li>
        Holds ending <strong className="num">{counts.holds}</strong>
      </li>
      {field && (
        <li>
          <Link to={`/office/field${query}`}>Overlocks</Link> to set <strong className="num">{field.set}</strong>, to
          take off <strong className="num">{field.lift}</strong>
        </li>
      )}
      {field && field.verify > 0 && (
        <li>
          Units to look at <strong className="num">{field.verify}</strong>
        </li>
      )}
    </ul>
  )
}

export function MovesTodayPanel({ counts, rows }: MovesTodayView) {
  const more = counts.in + counts.out - rows.length
  return (
    <Section title="Moving" count={counts.in + counts.out}>
      <OfficeTable
        caption="Who comes and who goes today"
        rows={rows}
        rowKey={(row) => `${row.way} ${row.where}`}
        open={(row) => row.href}
        empty="No tenant moves in or out today."
        columns={[
          { label: 'Unit', cell: (row) => <span className="whitespace-nowrap">{row.where}</span> },
          { label: 'Way', cell: (row) => <Tag tone={row.way === 'in' ? 'good' : 'plain'}>{row.way}</Tag> },
          { label: 'Size', wide: true, cell: (row) => row.size },
          // Tenants' names are not shown to all roles.
          ...(rows.some((row) => row.tenant)
            ? [{ label: 'Tenant', wide: true, cell: (row: MovesTodayView['rows'][number]) => row.tenant }]
            : []),
          {
            label: 'What',
            cell: (row) => (
              <>
                {row.state}
                {row.note && <span className={row.owes ? 'text-brick' : 'soft'}>, {row.note}</span>}
              </>
            ),
          },
        ]}
      />
      {more > 0 && <p className="soft small">And {more} more.</p>}
    </Section>
  )
}

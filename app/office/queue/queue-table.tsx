import { useEffect, useRef } from 'react'
import { Form, Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { waitsForDay } from '../../../modules/staff/rules/queue-item-and-query.ts'
import { formatCents } from '../../ui/money.tsx'
import { OfficeTable } from '../office-table.tsx'
import { tenantPath } from '../tenant-paths.ts'
import type { QueueRow } from './work-queue-items.ts'

/** Formats an age: '12 min', '5 h', '3 d'. */
export function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

export type QueueRowView = Pick<
  QueueRow,
  | 'id'
  | 'kind'
  | 'href'
  | 'acts'
  | 'due'
  | 'what'
  | 'why'
  | 'locationCode'
  | 'tenantId'
  | 'leaseNumber'
  | 'unit'
  | 'tenant'
  | 'cents'
  | 'taskId'
> & { age: string; owner: string }

export const toQueueRowView = (row: QueueRow, now: number): QueueRowView => ({
  id: row.id,
  kind: row.kind,
  href: row.href,
  acts: row.acts,
  due: row.due,
  what: row.what,
  why: row.why,
  locationCode: row.locationCode,
  tenantId: row.tenantId,
  leaseNumber: row.leaseNumber,
  unit: row.unit,
  tenant: row.tenant,
  cents: row.cents,
  ...(row.taskId !== undefined && { taskId: row.taskId }),
  age: waitsForDay(row) && row.at > now ? '' : formatAge(now - row.at),
  owner: row.owner?.name ?? '',
})

/**
 * Moves the focus, after an operation, to the row that has taken the finished row's place. Returns a function that
 * remembers the index of the row whose button was pressed.
 */
function useFocusOnNextRow(rows: readonly QueueRowView[]) {
  const pressedIndex = useRef(-1)
  const previousRows = useRef(rows)
  useEffect(() => {
    if (previousRows.current === rows) return
    previousRows.current = rows
    if (pressedIndex.current < 0) return
    const all = [...document.querySelectorAll<HTMLElement>('[data-row] a[data-open]')]
    all[Math.min(pressedIndex.current, all.length - 1)]?.focus()
    pressedIndex.current = -1
  }, [rows])
  return (index: number) => {
    pressedIndex.current = index
  }
}

/** Table of work queue items, each with its operations. */
export function QueueTable({ rows, empty }: { rows: QueueRowView[]; empty: string }) {
  const rememberRow = useFocusOnNextRow(rows)
  return (
    <div className="office-blocks">
      <OfficeTable
        caption="What waits for you, the oldest first"
        rows={rows}
        rowKey={(row) => `${row.kind} ${row.id}`}
        open={(row) => row.href}
        empty={empty}
        columns={[
          {
            label: 'What',
            cell: (row) => row.what,
          },
          { label: 'Why', wide: true, cell: (row) => <span className="soft small">{row.why}</span> },
          { label: 'About', cell: (row) => <QueueItemSubject row={row} /> },
          { label: 'Amount', right: true, cell: (row) => (row.cents === null ? '' : formatCents(row.cents)) },
          {
            label: 'Due',
            cell: (row) => <span className="whitespace-nowrap">{row.due === null ? 'now' : formatShort(row.due)}</span>,
          },
          { label: 'Age', right: true, wide: true, cell: (row) => row.age },
          { label: 'Owner', wide: true, cell: (row) => row.owner },
        ]}
        actions={(row) => (
          <Form method="post" preventScrollReset onSubmit={() => rememberRow(rows.indexOf(row))}>
            <QueueItemFields row={row} />
            {row.acts.map(({ intent, label, key, quiet }) => (
              <button
                key={intent}
                type="submit"
                name="intent"
                value={intent}
                data-key={key}
                className={`btn btn-short ${quiet ? 'btn-quiet' : 'btn-secondary'}`}
              >
                {label}
                <span className="sr">: {row.what}</span>
              </button>
            ))}
          </Form>
        )}
      />
    </div>
  )
}

/** Hidden fields with the record that an operation is about. */
export const QueueItemFields = ({
  row,
}: {
  row: Pick<QueueRowView, 'kind' | 'id' | 'locationCode' | 'tenantId' | 'leaseNumber' | 'taskId'>
}) => (
  <>
    <input type="hidden" name="kind" value={row.kind} />
    <input type="hidden" name="id" value={row.id} />
    <input type="hidden" name="location" value={row.locationCode ?? ''} />
    <input type="hidden" name="tenant" value={row.tenantId ?? ''} />
    <input type="hidden" name="lease" value={row.leaseNumber ?? ''} />
    <input type="hidden" name="task" value={row.taskId ?? ''} />
  </>
)

export function QueueItemSubject({
  row,
}: {
  row: Pick<QueueRowView, 'locationCode' | 'tenantId' | 'unit' | 'tenant'>
}) {
  const unitText = [row.locationCode, row.unit].filter(Boolean).join(' ')
  if (row.locationCode === null || row.tenantId === null) return unitText
  return (
    <Link to={tenantPath({ location: row.locationCode, tenant: row.tenantId })}>
      {row.tenant && `${row.tenant}, `}
      <span className="whitespace-nowrap">{unitText}</span>
    </Link>
  )
}

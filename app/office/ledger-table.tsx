import { Link } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import { isCounterReceipt } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import type { EntryNote } from '../../modules/ledger/views/fees-and-periods-to-correct.ts'
import type { LedgerEntry, LedgerPage } from '../../modules/ledger/views/ledger-page.ts'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { MoreRows, OfficeTable } from './office-table.tsx'

/** Order of the entries that were written at one moment, oldest first. */
const kindOrder: readonly LedgerEntry['kind'][] = [
  'rent',
  'discount',
  'insurance',
  'fee',
  'tax',
  'credit',
  'payment',
  'reversal',
  'refund',
]

/**
 * Prepares a lease's entries for the page, in the loader, since an entry holds more than a browser needs.
 * @param mayOpenReceipts true when the staff member may open counter receipts
 */
export function ledgerRows(
  { entries, notes }: Pick<LedgerPage, 'entries'> & { notes: Map<string, EntryNote> },
  mayOpenReceipts: boolean,
) {
  // The entries come newest first; only those written at one moment are reordered.
  const compareNewestFirst = (entry: LedgerEntry, other: LedgerEntry) =>
    entry.posted_on === other.posted_on && entry.created_at === other.created_at
      ? kindOrder.indexOf(other.kind) - kindOrder.indexOf(entry.kind)
      : 0
  const year = entries[0]?.posted_on.slice(0, 4)
  // Reordered entries have other balances after them than those in `entries`.
  let balance = entries[0]?.balance ?? 0
  return [...entries].sort(compareNewestFirst).map((entry) => {
    const row = {
      // The reason is shown once per operation, so not at the tax entry too.
      why: (entry.kind !== 'tax' && notes.get(entry.entry_id)?.why) || null,
      waivable: notes.get(entry.entry_id)?.waivable ?? false,
      id: entry.entry_id,
      /** Id of the counter receipt that the entry belongs to; null without one or when it may not be opened. */
      receipt: mayOpenReceipts && entry.order_id !== null && isCounterReceipt(entry.order_id) ? entry.order_id : null,
      on: entry.posted_on,
      /** Date, with the year when it differs from that of the newest entry shown. */
      day: entry.posted_on.startsWith(`${year}`) ? formatShort(entry.posted_on) : formatShortDay(entry.posted_on),
      what: entry.description,
      kind: entry.kind,
      cents: entry.cents,
      balance,
      period: entry.period_start && entry.period_end ? ([entry.period_start, entry.period_end] as const) : null,
    }
    balance -= entry.cents
    return row
  })
}

type LedgerRow = ReturnType<typeof ledgerRows>[number]

/** Ledger of a lease, newest entry first, with the balance after each. */
export function Ledger({
  unit,
  rows,
  older,
  waive,
}: {
  unit: string
  rows: LedgerRow[]
  older: string | null
  /** Address of the page that waives a fee; null without the permission. */
  waive: string | null
}) {
  return (
    <>
      <OfficeTable
        caption={`Ledger of ${unit}, the newest entry first`}
        rows={rows}
        rowKey={(row) => row.id}
        empty="No entry yet."
        columns={[
          {
            label: 'Date',
            cell: (row) => (
              <time dateTime={row.on} className="whitespace-nowrap">
                {withNoBreakSpaces(row.day)}
              </time>
            ),
          },
          {
            label: 'What',
            cell: (row) => (
              <>
                {row.receipt ? <Link to={`/office/receipts/${row.receipt}`}>{row.what}</Link> : row.what}
                {row.period && (
                  <span className="soft">
                    {' '}
                    {withNoBreakSpaces(`${formatShort(row.period[0])} to ${formatShort(row.period[1])}`)}
                  </span>
                )}
                {row.waivable && waive && (
                  <>
                    {' '}
                    <Link to={`${waive}?entry=${row.id}`} className="ml-2">
                      Waive<span className="sr"> {row.what}</span>
                    </Link>
                  </>
                )}
                {row.why && (
                  <span className="soft small block">
                    {row.why.text} · {row.why.by}
                  </span>
                )}
              </>
            ),
          },
          { label: 'Amount', right: true, cell: (row) => formatCents(row.cents) },
          { label: 'Balance', right: true, cell: (row) => formatCents(row.balance) },
        ]}
      />
      <MoreRows next={older} label="Older entries" />
    </>
  )
}

/** Formats a date: 'Nov 11, 2026'. */
export const formatShortDay = (date: string): string => `${formatShort(date)}, ${date.slice(0, 4)}`

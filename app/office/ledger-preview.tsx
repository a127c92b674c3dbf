import { formatShort } from '../../domain/plain-date.ts'
import type { LeaseStanding, WrittenEntries } from '../../modules/standing/rules/written-entries.ts'
import { formatCents } from '../ui/money.tsx'

/** Returns the changes of a lease besides its ledger entries, as phrases: status, paid-through date, overlock. */
function changePhrases(before: LeaseStanding, after: LeaseStanding): string[] {
  return [
    before.status === after.status ? '' : `${before.status} → ${after.status}`,
    before.paidThrough === after.paidThrough
      ? ''
      : `paid through ${formatShort(before.paidThrough)} → ${formatShort(after.paidThrough)}`,
    before.overlocked === after.overlocked ? '' : after.overlocked ? 'will be overlocked' : 'overlock is lifted',
  ].filter(Boolean)
}

/** Preview table of the entries that an operation would write, with the balance before and after. */
export function LedgerPreview({ leases }: { leases: WrittenEntries[] }) {
  return (
    <table className="office-table office-will-write">
      <caption className="sr">Entries that this will write</caption>
      <thead>
        <tr>
          <th scope="col">Unit</th>
          <th scope="col">Entry</th>
          <th scope="col" className="right">
            Amount
          </th>
        </tr>
      </thead>
      {leases.map(({ leaseNumber, unitNumber, entries, before, after }) => (
        <tbody key={leaseNumber}>
          {entries.map((entry) => (
            <tr key={entry.description + entry.cents}>
              <th scope="row">{unitNumber}</th>
              <td>
                {entry.description}
                {entry.periodStart && (
                  <span className="soft">
                    {' '}
                    {entry.periodEnd ? '' : 'of '}
                    {formatShort(entry.periodStart)}
                    {entry.periodEnd && ` to ${formatShort(entry.periodEnd)}`}
                  </span>
                )}
              </td>
              <td className="right num">{formatCents(entry.cents)}</td>
            </tr>
          ))}
          <tr className="office-after">
            <th scope="row">
              <span className="sr">{unitNumber}, </span>Balance
            </th>
            <td>{changePhrases(before, after).join(' · ')}</td>
            <td className="right num">
              {formatCents(before.balance)} → <strong>{formatCents(after.balance)}</strong>
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  )
}

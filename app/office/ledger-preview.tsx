import { formatShort } from '../../domain/plain-date.ts'
import type { LeaseStanding, WrittenEntries } from '../../modules/standing/rules/ledger-operation-result-types.ts'
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
    <table className="office-table max-w-[48rem]">
      <caption className="sr">Entries that this will write</caption>
      <thead>
        <tr>
          <th scope="col" className="w-24 pl-2">
            Unit
          </th>
          <th scope="col">Entry</th>
          <th scope="col" className="right min-[48rem]:pr-2">
            Amount
          </th>
        </tr>
      </thead>
      {leases.map(({ leaseNumber, unitNumber, entries, before, after }) => (
        <tbody key={leaseNumber}>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries of two periods may have equal text and amount
            <tr key={index}>
              <th scope="row" className="w-24 pl-2">
                {unitNumber}
              </th>
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
              <td className="right num min-[48rem]:pr-2">{formatCents(entry.cents)}</td>
            </tr>
          ))}
          <tr className="office-after">
            <th scope="row" className="w-24 pl-2">
              <span className="sr">{unitNumber}, </span>Balance
            </th>
            <td>{changePhrases(before, after).join(' · ')}</td>
            <td className="right num whitespace-normal *:whitespace-nowrap min-[48rem]:pr-2">
              {formatCents(before.balance)} → <strong>{formatCents(after.balance)}</strong>
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  )
}

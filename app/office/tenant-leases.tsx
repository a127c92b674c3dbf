import { Link } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { TenantViewLease } from '../../modules/tenant-view/tenant-page-data.ts'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { LeaseStatus } from './lease-status.tsx'
import { shortDay } from './ledger-table.tsx'
import { MoreRows } from './office-list.tsx'
import { leasePath, type TenantPageKey, tenantPath } from './tenant-paths.ts'

/**
 * Table of a tenant's leases: balance, since when, and why the gate does not open. On a phone each lease is a block.
 */
export function TenantLeases({
  tenantKey,
  leases,
  count,
  next,
  lookedAt,
  showsAll,
}: {
  tenantKey: TenantPageKey
  leases: TenantViewLease[]
  /** Number of leases on file. */
  count: number
  /** Key of the last lease shown, for the next page; null on the last page. */
  next: number | null
  lookedAt: number | null
  /** True when all leases are shown, not only the first few. */
  showsAll: boolean
}) {
  if (count === 0) return null
  return (
    <>
      <table className="office-table office-leases">
        <caption className="sr">Leases</caption>
        <thead>
          <tr>
            {['Unit', 'Status', 'Balance', 'Paid through', 'Gate', 'Autopay', 'Insurance'].map((label) => (
              <th key={label} scope="col" className={label === 'Balance' ? 'right' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {leases.map((lease) => (
            <tr key={lease.number} data-row aria-current={lease.number === lookedAt ? 'true' : undefined}>
              <th scope="row">
                <Link to={leasePath(tenantKey, lease.number)} data-open>
                  {lease.unit}
                </Link>{' '}
                <span className="soft">{lease.size}</span>
              </th>
              <td data-label="Status">
                <LeaseStatus status={lease.status} />
              </td>
              <td data-label="Balance" className="right num">
                <LeaseBalance lease={lease} />
              </td>
              <td data-label="Paid through">
                <PaidThrough lease={lease} />
              </td>
              <td data-label="Gate">
                <GateStateText gate={lease.gate} />
              </td>
              <td data-label="Autopay">{lease.autopay.text}</td>
              <td data-label="Insurance" className={lease.insurance.bad ? 'office-bad' : undefined}>
                {withNoBreakSpaces(lease.insurance.text)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!showsAll && leases.length < count && (
        <p>
          <Link to={`${tenantPath(tenantKey)}?all=1`}>All {count} leases</Link>
        </p>
      )}
      <MoreRows next={next} name="leases" />
    </>
  )
}

/** Balance of a lease, with the amount due by period. */
export function LeaseBalance({ lease }: { lease: Pick<TenantViewLease, 'balance' | 'owed' | 'next'> }) {
  const { balance, owed, next } = lease
  return (
    <>
      <strong className={balance > 0 ? 'office-bad' : undefined}>{formatCents(balance)}</strong>
      {owed.length > 0 && (
        <ul className="office-owed">
          {owed.map((period) => (
            <li key={`${period.start} ${period.end}`}>
              {formatShort(period.start)}
              {period.end ? ` to ${formatShort(period.end)}` : ' fees'} {formatCents(period.owed)}
            </li>
          ))}
        </ul>
      )}
      {next && next.cents > 0 && (
        <span className="office-under">
          next {formatCents(next.cents)} on {formatShort(next.on)}
        </span>
      )}
    </>
  )
}

function PaidThrough({ lease }: { lease: TenantViewLease }) {
  if (lease.closedOn) return <>Closed {shortDay(lease.closedOn)}</>
  return (
    <>
      {shortDay(lease.paidThrough)}
      {lease.moveOut && <span className="office-under">moves out {shortDay(lease.moveOut)}</span>}
    </>
  )
}

/** Gate state as a sentence; the code is behind a click, since others may see the screen. */
export function GateStateText({ gate }: { gate: TenantViewLease['gate'] }) {
  return (
    <>
      <span className={gate.opens ? undefined : 'office-bad'}>{withNoBreakSpaces(gate.sentence)}</span>
      {gate.code && (
        <details className="office-reveal">
          <summary>Code</summary>
          <span className="num">{gate.code}</span>
        </details>
      )}
    </>
  )
}

/** Links by which a staff member chooses the lease whose ledger is shown; nothing for a single lease. */
export function LedgerSwitch({
  tenantKey,
  leases,
  lookedAt,
}: {
  tenantKey: TenantPageKey
  leases: Pick<TenantViewLease, 'number' | 'unit'>[]
  lookedAt: number | null
}) {
  if (leases.length < 2) return null
  return (
    <nav className="office-switch" aria-label="Ledger of">
      {leases.map((lease) => (
        <Link
          key={lease.number}
          to={`${tenantPath(tenantKey)}?lease=${lease.number}`}
          preventScrollReset
          aria-current={lease.number === lookedAt ? 'true' : undefined}
        >
          {lease.unit}
        </Link>
      ))}
    </nav>
  )
}

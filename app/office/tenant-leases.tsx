import { Link } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { TenantViewLease } from '../../modules/tenant-view/views/tenant-page.ts'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { LeaseStatus } from './lease-status.tsx'
import { formatShortDay } from './ledger-table.tsx'
import { MoreRows } from './office-table.tsx'
import { leasePath, type TenantPageKey, tenantPath } from './tenant-paths.ts'

/**
 * Table of a tenant's leases: status, balance by period, gate, autopay and insurance. On a narrow screen each lease is
 * a block.
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
  /** Number of all leases of the tenant, including those not shown. */
  count: number
  /** Number of the last lease shown, after which the next page begins; null without a next page. */
  next: number | null
  /** Number of the lease whose ledger the page shows; null without a lease. */
  lookedAt: number | null
  /** True when the table pages through all leases, false when it shows the first few. */
  showsAll: boolean
}) {
  if (count === 0) return null
  return (
    <>
      <table className="office-table office-leases mt-3 max-lg:block">
        <caption className="sr">Leases</caption>
        <thead className="max-lg:sr-only">
          <tr>
            {['Unit', 'Status', 'Balance', 'Paid through', 'Gate', 'Autopay', 'Insurance'].map((label) => (
              <th key={label} scope="col" className={label === 'Balance' ? 'right pr-6' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {leases.map((lease) => (
            <tr
              key={lease.number}
              className="max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-4 max-lg:border-b max-lg:border-line max-lg:py-2 max-[20.01rem]:grid-cols-[minmax(0,1fr)]"
              data-row
              aria-current={lease.number === lookedAt ? 'true' : undefined}
            >
              <th scope="row" className="whitespace-nowrap">
                <Link to={leasePath(tenantKey, lease.number)} className="text-[1.0625rem] font-semibold" data-open>
                  {lease.unit}
                </Link>{' '}
                <span className="soft">{lease.size}</span>
              </th>
              <td data-label="Status">
                <LeaseStatus status={lease.status} />
              </td>
              <td
                data-label="Balance"
                className="right num pr-6 max-lg:col-start-1 max-lg:row-start-2 max-lg:pr-0 max-lg:text-left max-[20.01rem]:row-start-auto"
              >
                <LeaseBalance lease={lease} />
              </td>
              <td data-label="Paid through" className="max-lg:text-right max-[20.01rem]:text-left">
                <PaidThrough lease={lease} />
              </td>
              <td data-label="Gate" className="max-lg:col-span-full">
                <GateStateText gate={lease.gate} />
              </td>
              <td data-label="Autopay" className="max-lg:col-span-full">
                {lease.autopay.text}
              </td>
              <td data-label="Insurance" className={`max-lg:col-span-full ${lease.insurance.bad ? 'text-brick' : ''}`}>
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

/** Balance of a lease, with the amounts due by period and the next amount due. */
export function LeaseBalance({ lease }: { lease: Pick<TenantViewLease, 'balance' | 'owed' | 'next'> }) {
  const { balance, owed, next } = lease
  return (
    <>
      <strong className={balance > 0 ? 'text-brick' : undefined}>{formatCents(balance)}</strong>
      {owed.length > 0 && (
        <ul className="office-under">
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
  if (lease.closedOn) return <>Closed {formatShortDay(lease.closedOn)}</>
  return (
    <>
      {formatShortDay(lease.paidThrough)}
      {lease.moveOut && <span className="office-under">moves out {formatShortDay(lease.moveOut)}</span>}
    </>
  )
}

/** Gate state as a sentence; the code is behind a click, since others may see the screen. */
export function GateStateText({ gate }: { gate: TenantViewLease['gate'] }) {
  return (
    <>
      <span className={gate.opens ? undefined : 'text-brick'}>{withNoBreakSpaces(gate.sentence)}</span>
      {gate.code && (
        <details className="group ml-2 inline-block">
          <summary className="inline-block text-link underline group-open:hidden after:content-none pointer-coarse:min-w-11 pointer-coarse:leading-11">
            Code
          </summary>
          <span className="num font-semibold tracking-[0.04em]">{gate.code}</span>
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

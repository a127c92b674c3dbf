import { Link } from 'react-router'
import { firstPeriodFrom } from '../../domain/office/rent-change.ts'
import { chargedThrough } from '../../modules/leases/ledger/totals.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/lease'
import { actLinks, tenantPath, waivePath } from './file-acts.ts'
import { FileBar } from './file-bar.tsx'
import { LeaseStatus } from './lease-status.tsx'
import { Ledger, ledgerRows, shortDay } from './ledger.tsx'
import { type OpenLeaseFile, openLeaseFile } from './open-file.ts'
import { OfficePageFrame, Section } from './page.tsx'

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeaseFile(args)
  const { page, tenant, location, lease } = file
  const key = { location: location.location_code, tenant: tenant.tenant_id }
  return {
    brand: page.site.brand.name,
    key,
    name: `${tenant.first} ${tenant.last}`,
    facility: location.name,
    lease: {
      number: lease.lease_number,
      unit: lease.unit_number,
      status: lease.status,
      balance: lease.balance,
      paidThrough: lease.paid_through,
      rent: lease.rent,
      coming: await comingRent(file),
      movedIn: lease.move_in_date,
    },
    rows: ledgerRows(file),
    waive: waivePath(page.staff, key, lease.lease_number),
    older: file.older,
    acts: actLinks(page.staff, key, {
      number: lease.lease_number,
      status: lease.status,
      balance: lease.balance,
      others: file.leases.length - 1,
    }),
  }
}

/** The rent to come with the first period that it applies to; null where none is announced. */
async function comingRent({ services, lease }: OpenLeaseFile) {
  const { next_rent: rent, next_rent_from: from } = lease
  if (rent === null || from === null) return null
  return { rent, from: firstPeriodFrom(await chargedThrough(services.db.read, lease), from) }
}

/** One lease: its terms, and the whole ledger. */
export default function LeaseFile({ loaderData }: Route.ComponentProps) {
  const { brand, key, name, facility, lease, rows, older, acts, waive } = loaderData
  return (
    <OfficePageFrame
      title={`Lease ${lease.number}, unit ${lease.unit}`}
      brand={brand}
      lead={
        <>
          <Link to={tenantPath(key)}>{name}</Link> · {facility}
        </>
      }
    >
      <p>
        <LeaseStatus status={lease.status} /> {formatCents(lease.balance)} · paid through {shortDay(lease.paidThrough)}{' '}
        · rent {formatCents(lease.rent)}
        {lease.coming && `, ${formatCents(lease.coming.rent)} from ${shortDay(lease.coming.from)}`} · moved in{' '}
        {shortDay(lease.movedIn)}
      </p>
      <FileBar acts={acts} />
      <Section title="Ledger">
        <Ledger unit={lease.unit} rows={rows} older={older} waive={waive} />
      </Section>
    </OfficePageFrame>
  )
}

import { Link } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/tenant'
import { actLinks, leasePath, tenantPath, waivePath } from './file-acts.ts'
import { FileBar } from './file-bar.tsx'
import { LeaseStatus } from './lease-status.tsx'
import { Ledger, ledgerRows, shortDay } from './ledger.tsx'
import { OfficeList } from './list.tsx'
import { ledgerOf, openFile } from './open-file.ts'
import { OfficePageFrame, Section } from './page.tsx'

export async function loader(args: Route.LoaderArgs) {
  const file = await openFile(args)
  const { page, tenant, location, leases } = file
  const key = { location: location.location_code, tenant: tenant.tenant_id }
  const asked = Number(page.url.searchParams.get('lease'))
  const looked = leases.find((one) => one.lease_number === asked) ?? leases[0]
  const ledger = looked && (await ledgerOf(file, looked))
  return {
    brand: page.site.brand.name,
    key,
    facility: location.name,
    name: `${tenant.first} ${tenant.last}`,
    company: tenant.company,
    phone: tenant.cell_phone,
    email: tenant.email,
    leases: leases.map((one) => ({
      number: one.lease_number,
      unit: one.unit_number,
      status: one.status,
      balance: one.balance,
      paidThrough: one.paid_through,
    })),
    ledger:
      looked && ledger
        ? {
            ...{ lease: looked.lease_number, unit: looked.unit_number, rows: ledgerRows(ledger), older: ledger.older },
            waive: waivePath(page.staff, key, looked.lease_number),
          }
        : null,
    acts: actLinks(
      page.staff,
      key,
      looked
        ? {
            ...{ number: looked.lease_number, status: looked.status, balance: looked.balance },
            others: leases.length - 1,
          }
        : null,
    ),
  }
}

/** The tenant's file: who, what do they owe, why does the gate not open. */
export default function TenantFile({ loaderData }: Route.ComponentProps) {
  const { brand, key, facility, name, company, phone, email, leases, ledger, acts } = loaderData
  return (
    <OfficePageFrame
      title={name}
      brand={brand}
      lead={[company, phone && formatPhone(phone), email, facility].filter(Boolean).join(' · ')}
    >
      <OfficeList
        caption="Leases"
        rows={leases}
        rowKey={(one) => String(one.number)}
        open={(one) => leasePath(key, one.number)}
        empty="No lease."
        columns={[
          { label: 'Unit', cell: (one) => one.unit },
          { label: 'Status', cell: (one) => <LeaseStatus status={one.status} /> },
          { label: 'Balance', right: true, cell: (one) => formatCents(one.balance) },
          { label: 'Paid through', cell: (one) => shortDay(one.paidThrough) },
        ]}
      />
      <FileBar acts={acts} />
      {ledger && (
        <Section title={`Ledger ${ledger.unit}`}>
          {leases.length > 1 && (
            <p className="office-switch">
              {leases.map((one) => (
                <Link
                  key={one.number}
                  to={`${tenantPath(key)}?lease=${one.number}`}
                  aria-current={one.number === ledger.lease ? 'true' : undefined}
                >
                  {one.unit}
                </Link>
              ))}
            </p>
          )}
          <Ledger unit={ledger.unit} rows={ledger.rows} older={ledger.older} waive={ledger.waive} />
        </Section>
      )}
    </OfficePageFrame>
  )
}

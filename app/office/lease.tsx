import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { maySeeAnyDrawer } from '../../modules/cash-drawers/views/drawers-visible-to-staff.ts'
import { loadUnitPhotos } from '../../modules/facilities/views/unit-photographs.ts'
import { stepNames } from '../../modules/liens/rules/next-lien-step.ts'
import { GetLeaseFile } from '../../modules/tenant-view/operations/get-lease-for-office-page.ts'
import { type LeasePage, loadLeasePage } from '../../modules/tenant-view/views/scheduled-rent-and-lien-case.ts'
import { grantAt } from '../../platform/operations/facilities-of-staff.ts'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/lease'
import { LeaseStatus } from './lease-status.tsx'
import { formatShortDay, Ledger, ledgerRows } from './ledger-table.tsx'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { formatShortTime } from './office-time.ts'
import { openOfficePage } from './open-office-page.ts'
import { loadLedger } from './open-tenant-or-lease-page.ts'
import { OperationShortcutLinks } from './operation-shortcut-links.tsx'
import { Documents, FactList } from './tenant-contacts-documents-and-sealed-data.tsx'
import { GateStateText, LeaseBalance } from './tenant-leases.tsx'
import { listOperationLinks, waivePath } from './tenant-operation-links.ts'
import { leasePath, tenantPath } from './tenant-paths.ts'
import { TransferOut, toTransferView } from './transfers-on-lease-page.tsx'
import { UnitPhotos } from './units/unit-photo-gallery.tsx'
import { toUnitPhotoView } from './units/unit-photo-view.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { params } = args
  const leaseKey = { location_code: params.location, tenant_id: params.tenant, lease_number: params.lease }
  const outcome = await page.site.call(GetLeaseFile, leaseKey)
  if (!outcome.ok) throw new Response(officeNotFound, { status: 404 })
  const { facts, tenant, lease, shown, documents, transfers } = outcome.value
  const key = { location: facts.location.location_code, tenant: tenant.tenant_id }
  const ledger = await loadLedger({ services: page.site.services, page }, lease)
  const { announcedRent, lien } = await loadLeasePage(page.site.services, lease)
  return {
    brand: page.site.brand.name,
    key,
    facility: facts.location.name,
    lease: shown,
    announcedRent,
    lien: lien && { href: `/office/liens/${lien.caseId}`, text: lienText(lien) },
    transfer: toTransferView(
      transfers,
      (number) => leasePath(key, number),
      grantAt(page.staff, 'unit.transfer', key.location) !== undefined,
      page.site.services.clock.now(),
    ),
    name: `${tenant.first} ${tenant.last}`,
    rows: ledgerRows(ledger, maySeeAnyDrawer(page.staff)),
    older: ledger.older,
    waive: waivePath(page.staff, key, tenant, shown.number),
    photos: (
      await loadUnitPhotos(page.site.services.db.read, {
        locationCode: key.location,
        unitId: lease.unit_id,
        leaseNumber: lease.lease_number,
      })
    ).map((photo) => toUnitPhotoView(photo, facts)),
    documents: documents
      .filter(({ kind }) => kind === 'lease')
      .map((entry) => ({ ...entry, at: formatShortTime(entry.at, facts.location.time_zone, facts.today) })),
    acts: listOperationLinks(page.staff, key, tenant, {
      number: shown.number,
      status: shown.status,
      balance: shown.balance,
      others: outcome.value.others,
    }),
  }
}

/** Returns the state of a lien case with its next step, such as 'open, notice from Nov 30, 2026'. */
const lienText = ({ state, next }: NonNullable<LeasePage['lien']>): string =>
  state + (next ? `, ${stepNames[next.step].toLowerCase()} from ${formatShortDay(next.earliest)}` : '')

/** Page of a lease: terms, gate, documents and ledger. */
export default function LeaseFile({ loaderData }: Route.ComponentProps) {
  const { brand, key, name, facility, lease, announcedRent, lien, transfer, rows, older, waive, acts, documents } =
    loaderData
  const facts: [string, ReactNode][] = [
    ['Rent', `${formatCents(lease.rent)} each 30 days`],
    ['Rent to come', announcedRent && `${formatCents(announcedRent.rent)} from ${formatShortDay(announcedRent.from)}`],
    ['Paid through', formatShortDay(lease.paidThrough)],
    ['Gate', <GateStateText key="gate" gate={lease.gate} />],
    ['Autopay', lease.autopay.text],
    [
      'Insurance',
      <span key="insurance" className={lease.insurance.bad ? 'text-brick' : undefined}>
        {withNoBreakSpaces(lease.insurance.text)}
      </span>,
    ],
    ['Moved in', formatShortDay(lease.movedIn)],
    ['Came from', transfer.into && <Link to={transfer.into.href}>{transfer.into.text}</Link>],
    ['Transfer', transfer.out && <TransferOut {...transfer.out} />],
    ['Moves out', lease.moveOut && !lease.closedOn && formatShortDay(lease.moveOut)],
    ['Closed', lease.closedOn && formatShortDay(lease.closedOn)],
    ['Lien case', lien && <Link to={lien.href}>{lien.text}</Link>],
    ['Terms', lease.termsRequired && 'New terms wait to be accepted'],
  ]
  return (
    <OfficePageFrame
      title={`Lease ${lease.number}, unit ${lease.unit}`}
      brand={brand}
      lead={
        <>
          <Link to={`${tenantPath(key)}?lease=${lease.number}`}>{name}</Link> · {facility} ·{' '}
          {withNoBreakSpaces(lease.size)}
        </>
      }
    >
      <div className="mt-1 flex items-baseline gap-3 text-[1.125rem]">
        <LeaseStatus status={lease.status} />
        <div>
          <LeaseBalance lease={lease} />
        </div>
      </div>
      <OperationShortcutLinks acts={acts} />
      <div className="office-file lg:grid-cols-[2fr_1fr]">
        <Section title="Ledger">
          <Ledger unit={lease.unit} rows={rows} older={older} waive={waive} />
        </Section>
        <aside>
          <Section title="Terms">
            <FactList facts={facts} />
          </Section>
          <Documents tenantKey={key} documents={documents} />
        </aside>
      </div>
      <UnitPhotos location={key.location} unit={lease.unit} photos={loaderData.photos} />
    </OfficePageFrame>
  )
}

import { auditPage } from '../../modules/staff/audit-log.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/audit'
import { OfficeList } from './list.tsx'
import { openOfficePage } from './open-office-page.ts'
import { OfficePageFrame } from './page.tsx'
import { officeTime } from './time.ts'

export async function loader(args: Route.LoaderArgs) {
  const { site, staff, url } = await openOfficePage(args, 'audit.read')
  const page = await auditPage(site.services, staff, {
    before: url.searchParams.get('before'),
    person: url.searchParams.get('person'),
  })
  return {
    brand: site.brand.name,
    events: page.events.map((one) => ({ ...one, at: officeTime(one.at) })),
    next: page.next,
    person: url.searchParams.get('person') ?? '',
  }
}

/** What was done by whom; nothing here can be changed. */
export default function Audit({ loaderData }: Route.ComponentProps) {
  const { brand, events, next, person } = loaderData
  const of = person ? `&person=${encodeURIComponent(person)}` : ''
  return (
    <OfficePageFrame title="Audit" brand={brand}>
      <OfficeList
        caption="Audit events, the newest first"
        rows={events}
        rowKey={(one) => one.id}
        open={(one) => (one.tenantId === null ? null : `/office/tenants/${one.locationCode}/${one.tenantId}`)}
        empty="Nothing yet."
        columns={[
          { label: 'When', cell: (one) => one.at },
          {
            label: 'Who',
            cell: (one) => (one.staffId ? <a href={`?person=${one.staffId}`}>{one.actor}</a> : one.actor),
          },
          { label: 'What', cell: (one) => one.sentence },
          { label: 'Amount', right: true, cell: (one) => (one.cents === null ? '' : formatCents(one.cents)) },
          { label: 'Reason', wide: true, cell: (one) => one.reason },
          { label: 'From', wide: true, cell: (one) => one.address },
        ]}
      />
      {next && (
        <p>
          <a href={`?before=${encodeURIComponent(next)}${of}`}>Older</a>
        </p>
      )}
    </OfficePageFrame>
  )
}

import { useLocation } from 'react-router'
import { openApprovals } from '../../modules/staff/approvals.ts'
import { openTasks } from '../../modules/staff/tasks.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/today'
import { facilitiesInView } from './facilities-in-view.ts'
import { OfficeList } from './list.tsx'
import { openOfficePage } from './open-office-page.ts'
import { OfficePageFrame, Section } from './page.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { site, staff } = page
  const { chosen, codes } = await facilitiesInView(page)
  const [tasks, approvals] = await Promise.all([
    openTasks(site.services, staff, codes === 'all' ? {} : { facilities: codes }),
    openApprovals(site.services, staff),
  ])
  return {
    brand: site.brand.name,
    tasks: tasks.map((one) => ({
      id: one.task_id,
      kind: one.kind,
      note: one.note,
      due: one.due_on,
      location: one.location_code ?? '',
      tenant: one.tenant_id,
      cents: one.cents,
    })),
    approvals: approvals
      .filter(({ locationCode }) => chosen.length === 0 || chosen.includes(locationCode))
      .map(({ approvalId, summary, cents, askedByName, locationCode, askedBy }) => ({
        id: approvalId,
        ...{ summary, cents, askedByName, locationCode },
        own: askedBy === staff.staffId,
      })),
  }
}

/** What waits for the person. The queue is the same list at an address of its own. */
export default function Today({ loaderData }: Route.ComponentProps) {
  const { brand, tasks, approvals } = loaderData
  const title = useLocation().pathname === '/office' ? 'Today' : 'Queue'
  return (
    <OfficePageFrame title={title} brand={brand}>
      <Section title="Approvals" count={approvals.length}>
        <OfficeList
          caption="Requests that wait for a second person"
          rows={approvals}
          rowKey={(one) => one.id}
          open={(one) => `/office/queue/${one.id}`}
          empty="Nothing waits for approval."
          columns={[
            { label: 'What', cell: (one) => one.summary },
            { label: 'Amount', right: true, cell: (one) => formatCents(one.cents) },
            { label: 'Asked by', cell: (one) => (one.own ? 'You' : one.askedByName) },
            { label: 'Facility', wide: true, cell: (one) => one.locationCode },
          ]}
        />
      </Section>
      <Section title="Tasks" count={tasks.length}>
        <OfficeList
          caption="Tasks for you and your facilities"
          rows={tasks}
          rowKey={(one) => one.id}
          open={(one) => (one.tenant === null ? null : `/office/tenants/${one.location}/${one.tenant}`)}
          empty="No task is open."
          columns={[
            { label: 'What', cell: (one) => one.note || one.kind },
            { label: 'Due', cell: (one) => one.due },
            { label: 'Facility', wide: true, cell: (one) => one.location },
          ]}
        />
      </Section>
    </OfficePageFrame>
  )
}

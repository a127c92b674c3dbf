import { Link } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { listOpenableReports } from '../../../modules/reports/views/openable-reports.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/report-list'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const reports = listOpenableReports(page.staff).map(({ name, title, about, group }) => ({
    name,
    title,
    about,
    group,
  }))
  if (reports.length === 0) throw new Response(officeNotFound, { status: 404 })
  const { query } = await loadFacilitiesInView(page)
  return { brand: page.site.brand.name, query, groups: [...Map.groupBy(reports, ({ group }) => group)] }
}

/** Page of all reports that the staff member may open. */
export default function Reports({ loaderData }: Route.ComponentProps) {
  const { brand, query, groups } = loaderData
  return (
    <OfficePageFrame title="Reports" brand={brand}>
      <div className="office-halves">
        {groups.map(([group, reports]) => (
          <Section key={group} title={group}>
            <ul>
              {reports.map(({ name, title, about }) => (
                <li key={name} data-row className="flex flex-col border-b border-line py-[0.45rem]">
                  <Link className="min-h-6 self-start font-semibold" to={`/office/reports/${name}${query}`} data-open>
                    {title}
                  </Link>
                  <span className="soft small">{about}</span>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </OfficePageFrame>
  )
}

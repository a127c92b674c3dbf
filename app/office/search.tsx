import { data, Link, redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { SearchOffice } from '../../modules/tenant-view/operations/search-office.ts'
import { matchHeadings } from '../../modules/tenant-view/rules/tenant-search-match-headings.ts'
import type { SearchHit } from '../../modules/tenant-view/views/search-tenants.ts'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/search'
import { loadFacilitiesInView } from './facilities-in-view.ts'
import { LeaseStatus } from './lease-status.tsx'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { OfficeTable } from './office-table.tsx'
import { openOfficePage } from './open-office-page.ts'
import { tenantPath } from './tenant-paths.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const q = page.url.searchParams.get('q') ?? ''
  const { chosen, query } = await loadFacilitiesInView(page)
  const common = { brand: page.site.brand.name, q: q.slice(0, 100), query }
  const outcome = await page.site.call(SearchOffice, { q, facilities: chosen })
  if (!outcome.ok) {
    const refused = outcome.fields?.q ?? outcome.message
    return data({ ...common, refused, hits: [], more: false, vacant: [] }, { status: outcome.status })
  }
  const { hits, more, vacant } = outcome.value
  const [only] = hits
  if (only && hits.length === 1 && !more && vacant.length === 0) throw redirect(fileOf(only) + query)
  return { ...common, refused: '', hits, more, vacant }
}

const fileOf = ({ locationCode, tenantId }: SearchHit) => tenantPath({ location: locationCode, tenant: tenantId })

/** Search results. A single match, if it is a tenant, opens at once. */
export default function Find({ loaderData }: Route.ComponentProps) {
  const { brand, q, query, refused, hits, more, vacant } = loaderData
  const count = hits.length + vacant.length
  const title = count === 0 ? `Nothing found for “${q}”` : `${more ? 'More than ' : ''}${count} found for “${q}”`
  return (
    <OfficePageFrame title={refused ? 'Find' : title} brand={brand} failed={refused !== ''}>
      {refused && (
        <Callout tone="error" live>
          <p>{refused}</p>
        </Callout>
      )}
      {Object.entries(matchHeadings)
        .map(([by, heading]) => ({ by, heading, rows: hits.filter((hit) => hit.by === by) }))
        .filter(({ rows }) => rows.length > 0)
        .map(({ by, heading, rows }) => (
          <Section key={by} title={heading} count={rows.length}>
            <OfficeTable
              caption={`Found ${heading.toLowerCase()}`}
              rows={rows}
              rowKey={(row) => `${row.locationCode} ${row.tenantId}`}
              open={(row) => fileOf(row) + query}
              empty=""
              columns={[
                {
                  label: 'Tenant',
                  cell: (row) => (
                    <>
                      {row.name}
                      {row.company && <span className="soft"> {row.company}</span>}
                    </>
                  ),
                },
                { label: 'Units', cell: (row) => row.units.join(', ') },
                { label: 'Status', cell: (row) => row.status && <LeaseStatus status={row.status} /> },
                { label: 'Balance', right: true, cell: (row) => formatCents(row.balance) },
                { label: 'Phone', wide: true, cell: (row) => <span className="num">{formatPhone(row.phone)}</span> },
                { label: 'Facility', cell: (row) => row.locationCode },
              ]}
            />
          </Section>
        ))}
      {vacant.length > 0 && (
        <Section title="Units without a tenant" count={vacant.length}>
          <p>{vacant.map((unit) => `${unit.unit} at ${unit.locationCode}`).join(', ')}</p>
        </Section>
      )}
      {more && <p className="soft">Only the first 20 are shown. Add a first name, or choose a facility.</p>}
      {count === 0 && (
        <div>
          <p>You can look for</p>
          <ul className="list-disc pl-[1.2rem]">
            <li>a phone number, from its area code on: 404 555 01…</li>
            <li>a last name from its beginning, with the first name or without: til, marcus til, tilley marcus</li>
            <li>a unit, a gate code or a lease number, with the facility before it where there are many: ATL01 A112</li>
            <li>an e-mail address, a receipt, an order or a reservation</li>
          </ul>
          {query && (
            <p>
              <Link to={`/office/find?q=${encodeURIComponent(q)}`}>Look at all your facilities</Link>
            </p>
          )}
        </div>
      )}
    </OfficePageFrame>
  )
}

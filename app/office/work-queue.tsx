import { Link } from 'react-router'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { Route } from './+types/work-queue'
import { OfficePageFrame } from './office-page-heading-and-sections.tsx'
import { MoreRows } from './office-table.tsx'
import { openOfficePage } from './open-office-page.ts'
import { nextPage } from './page-after-sign-in.ts'
import { QueueTable, toQueueRowView } from './queue/queue-table.tsx'
import { loadQueuePage, parseQueueListQuery, runQueueItemOperation } from './queue/work-queue-items.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const listQuery = parseQueueListQuery(page.url)
  const { rows, next, kinds } = await loadQueuePage(page, { ...listQuery, others: true })
  const now = page.site.services.clock.now()
  return {
    brand: page.site.brand.name,
    rows: rows.map((row) => toQueueRowView(row, now)),
    next,
    kinds,
    kind: listQuery.kind,
    owner: listQuery.owner,
    at: page.url.searchParams.get('at') ?? '',
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  return runQueueItemOperation(page, args.request, nextPage(page.url.pathname + page.url.search))
}

/** Page of all waiting work. Operations without a text field run from the list. */
export default function Queue({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, rows, next, kinds, kind, owner, at } = loaderData
  const fields = actionData?.fields ?? {}
  const hrefWith = (change: { kind?: string | null; owner?: string | null; after?: string }) => {
    const query = new URLSearchParams()
    const all = { at, kind, owner, ...change }
    for (const [name, value] of Object.entries(all)) if (value) query.set(name, value)
    return `?${query}`
  }
  return (
    <OfficePageFrame title="Queue" brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form', 'text']} />
      <nav className="office-filters" aria-label="Filters">
        <ul>
          {[{ name: null, label: 'All' }, ...kinds].map((filter) => (
            <li key={filter.label}>
              <Link to={hrefWith({ kind: filter.name })} aria-current={kind === filter.name ? 'true' : undefined}>
                {filter.label}
              </Link>
            </li>
          ))}
        </ul>
        <ul>
          {[
            { name: null, label: 'All staff' },
            { name: 'me', label: 'Mine' },
            { name: 'none', label: 'Unassigned' },
          ].map((filter) => (
            <li key={filter.label}>
              <Link to={hrefWith({ owner: filter.name })} aria-current={owner === filter.name ? 'true' : undefined}>
                {filter.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <QueueTable rows={rows} empty="Nothing waits here." />
      <MoreRows next={next} />
    </OfficePageFrame>
  )
}

import { Link } from 'react-router'
import { countBilledToday } from '../../modules/billing/views/count-facilities-billed-today.ts'
import { loadOpenDrawers } from '../../modules/cash-drawers/views/drawer-lists.ts'
import { loadGateHealthRow } from '../../modules/gate/views/gate-health-summary.ts'
import { loadFailedJobItems } from '../../modules/messages/views/failed-job-queue-items.ts'
import {
  countFailingRefunds,
  countRefusedAutopay,
} from '../../modules/payments/views/count-refused-autopay-and-refunds.ts'
import { facilitiesFor } from '../../platform/operations/facilities-of-staff.ts'
import type { ProviderHealth } from '../../ports/card-provider/provider-health.ts'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/today'
import { type FacilitiesInView, loadFacilitiesInView } from './facilities-in-view.ts'
import { loadMovesTodayView } from './moves-today.ts'
import { MoveCounts, MovesTodayPanel } from './moves-today-panel.tsx'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { loadTimeFormatter } from './office-time.ts'
import { hasPermission, type OfficePage, openOfficePage } from './open-office-page.ts'
import { nextPage } from './page-after-sign-in.ts'
import { formatAge, QueueTable, toQueueRowView } from './queue/queue-table.tsx'
import { loadQueuePage, runQueueItemOperation } from './queue/work-queue-items.ts'

/** Maximum number of queue items on Today, oldest first. */
const MAX_ITEMS = 12

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const view = await loadFacilitiesInView(page)
  const [{ rows, next, query }, movesToday, health] = await Promise.all([
    loadQueuePage(page, { kind: null, owner: null, after: null }, MAX_ITEMS),
    loadMovesTodayView(page, view),
    loadHealthRows(page, view),
  ])
  const now = page.site.services.clock.now()
  return {
    brand: page.site.brand.name,
    rows: rows.map((row) => toQueueRowView(row, now)),
    more: next !== null,
    query,
    movesToday,
    health,
  }
}

/** Loads the rows of the Health section: billing, autopay, card provider, drawers, gates, refunds and mail. */
async function loadHealthRows(page: OfficePage, { codes, options }: FacilitiesInView) {
  const { services } = page.site
  const facilities = codes === 'all' ? options : options.filter(({ code }) => codes.includes(code))
  const [billing, refusedAutopays, failingRefunds, failedDeliveries, drawers, gateRow] = await Promise.all([
    countBilledToday(
      services,
      facilities.filter(({ comingSoon }) => !comingSoon),
    ),
    countRefusedAutopay(services, codes),
    countFailingRefunds(services, codes),
    loadFailedJobItems(services, { codes, after: null, limit: 100 }, true),
    loadDrawersRow(page, codes),
    loadGateHealthRow(services, codes),
  ])
  const now = services.clock.now()
  const [only, ...others] = facilities
  const timeAt = await loadTimeFormatter(page)
  const lastBilled =
    billing.lastAt === null ? '' : `, ${timeAt(billing.lastAt, others.length === 0 ? only?.code : null)}`
  return [
    {
      label: 'Billing today',
      value: `${billing.done} of ${billing.of} done${lastBilled}`,
      bad: billing.late > 0,
    },
    { label: 'Autopay refused', value: String(refusedAutopays), bad: false },
    cardProviderRow(services.providerHealth?.() ?? { answeredAt: null, failing: null }, now),
    ...drawers,
    ...(gateRow ? [gateRow] : []),
    ...(failingRefunds > 0 ? [{ label: 'Refunds being tried again', value: String(failingRefunds), bad: true }] : []),
    ...(facilitiesFor(page.staff, 'job.revive') === 'all' || failedDeliveries.length > 0
      ? [
          {
            label: 'Mail not delivered',
            value: failedDeliveries.length >= 100 ? '100 or more' : String(failedDeliveries.length),
            bad: failedDeliveries.length > 0,
          },
        ]
      : []),
  ]
}

function cardProviderRow({ answeredAt, failing }: ProviderHealth, now: number) {
  const label = 'Card provider'
  if (failing === null) return { label, value: answeredAt === null ? 'not asked yet' : 'answering', bad: false }
  const failure = failing.how === 'refused' ? 'refusing calls' : 'not answering'
  return { label, value: `${failure} for ${formatAge(now - failing.since)}`, bad: true }
}

/**
 * Returns the health row of open drawers; an empty list for staff members who may not receive payments. Shows no
 * amounts, because staff count a drawer's cash before they see how much it should hold.
 */
async function loadDrawersRow({ site, staff }: OfficePage, codes: 'all' | string[]) {
  if (!hasPermission(staff, 'payment.receive')) return []
  const open = await loadOpenDrawers(site.services.db.read, staff, { chosen: codes })
  return [{ label: 'Drawers open', value: open.length === 0 ? 'none' : String(open.length), bad: false }]
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  return runQueueItemOperation(page, args.request, nextPage(page.url.pathname + page.url.search))
}

/** Start page: the oldest queue items, today's moves and the health rows. */
export default function Today({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, rows, more, query, movesToday, health } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame title="Today" brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form', 'text']} />
      {movesToday && <MoveCounts counts={movesToday.counts} query={query} />}
      <Section title="Waiting for you" count={more ? undefined : rows.length}>
        <QueueTable rows={rows} empty="Nothing waits for you." />
        {more && (
          <p>
            <Link to={`/office/queue${query}`}>All of the queue</Link>
          </p>
        )}
      </Section>
      <div className="office-halves">
        {movesToday && <MovesTodayPanel {...movesToday} />}
        <Section title="Health">
          <dl className="mt-[0.6rem] flex flex-wrap gap-x-8 gap-y-1">
            {health.map(({ label, value, bad }) => (
              <div key={label} className="flex gap-2">
                <dt className="text-soft">{label}</dt>
                <dd>{bad ? <strong className="text-brick">{value}</strong> : withNoBreakSpaces(value)}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
    </OfficePageFrame>
  )
}

import { formatRentChange } from '../../../modules/rent-changes/rules/rent-change.ts'
import {
  loadDecidedBatches,
  loadUndecidedBatches,
  type RentBatch,
} from '../../../modules/rent-changes/views/rent-change-batches.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { formatCents } from '../../ui/money.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from '../office-table.tsx'
import { loadTimeFormatter } from '../office-time.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/rent-change-batches'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { site, staff, url } = page
  const { codes, query, options, chosen } = await loadFacilitiesInView(page, 'rent.propose')
  const before = url.searchParams.get('before')
  const [waiting, decided] = await Promise.all([
    before === null ? loadUndecidedBatches(site.services, codes) : [],
    loadDecidedBatches(site.services, codes, before),
  ])
  const timeAt = await loadTimeFormatter(page)
  const [onlyFacility] = chosen.length === 1 ? options.filter(({ code }) => code === chosen[0]) : []
  const toBatchView = (batch: RentBatch) => ({
    ...batch,
    at: timeAt(batch.proposedAt, onlyFacility?.code),
    isOwn: batch.byId === staff.staffId,
  })
  return {
    brand: site.brand.name,
    query,
    waiting: waiting.map(toBatchView),
    decided: decided.batches.map(toBatchView),
    next: decided.next,
  }
}

type BatchView = Route.ComponentProps['loaderData']['waiting'][number]

const rentDifferenceText = ({ before, after }: BatchView) => {
  const difference = after - before
  return `${difference > 0 ? '+' : ''}${formatCents(difference)} (${formatRentChange(before, after)})`
}

const leasesText = ({ leases, facilities }: BatchView) =>
  `${leases} ${leases === 1 ? 'lease' : 'leases'}${facilities > 1 ? ` at ${facilities} facilities` : ''}`

const statesText = ({ states }: BatchView) =>
  [
    states.announced > 0 && `${states.announced} to come`,
    states.applied > 0 && `${states.applied} in force`,
    states.ended > 0 && `${states.ended} not made`,
  ]
    .filter(Boolean)
    .join(', ')

/** Page of rent-change batches: those waiting for approval, and decided ones. */
export default function RentChanges({ loaderData }: Route.ComponentProps) {
  const { brand, query, waiting, decided, next } = loaderData
  const columns = [
    { label: 'Proposed', cell: (row: BatchView) => row.at },
    { label: 'By', wide: true, cell: (row: BatchView) => (row.isOwn ? 'You' : row.by) },
    { label: 'Leases', cell: leasesText },
    { label: 'Each 30 days', right: true, cell: rentDifferenceText },
    { label: 'Why', wide: true, cell: (row: BatchView) => row.reason },
  ]
  const batchPath = (batch: BatchView) => `/office/rent-changes/${batch.batchId}${query}`
  return (
    <OfficePageFrame
      title="Rent changes"
      brand={brand}
      actions={
        <LinkButton to={`/office/rent-changes/new${query}`} data-key="n">
          Propose changes
        </LinkButton>
      }
    >
      <Section title="Waiting for approval" count={waiting.length}>
        <div className="office-blocks">
          <OfficeTable
            caption="Proposals that wait for a second person, the oldest first"
            rows={waiting}
            rowKey={(row) => row.batchId}
            open={batchPath}
            empty="Nothing waits for approval."
            columns={columns}
          />
        </div>
      </Section>
      <Section title="Decided">
        <div className="office-blocks">
          <OfficeTable
            caption="Decided changes, the newest first"
            rows={decided}
            rowKey={(row) => row.batchId}
            open={batchPath}
            empty="No rent has been changed here yet."
            columns={[...columns, { label: 'Standing', cell: statesText }]}
          />
        </div>
        <MoreRows next={next} name="before" label="Older" />
      </Section>
    </OfficePageFrame>
  )
}

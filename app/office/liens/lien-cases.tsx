import { Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { lienSteps, stepNames } from '../../../modules/liens/rules/next-lien-step.ts'
import { type ListedLienCase, loadLienCaseList } from '../../../modules/liens/views/lien-case-list.ts'
import { Tag } from '../../ui/card-tag-and-callout.tsx'
import { formatCents } from '../../ui/money.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import { listPermissions, openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/lien-cases'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'file.read')
  const { codes, query } = await loadFacilitiesInView(page)
  const cases = await loadLienCaseList(page.site.services, codes)
  return {
    brand: page.site.brand.name,
    query,
    mayReadRules: listPermissions(page.staff).includes('lien.step'),
    cases: cases.map((lienCase) => ({
      id: lienCase.caseId,
      unit: lienCase.unit,
      place: lienCase.locationCode,
      tenant: lienCase.tenant,
      owed: lienCase.owed,
      opened: formatShort(lienCase.openedOn),
      blocks: lienCase.blocks,
      group: groupOf(lienCase),
      next: nextOf(lienCase),
      due: lienCase.due,
    })),
  }
}

const groups = [
  'Waits for a second person',
  ...lienSteps.map((step) => stepNames[step]),
  'Sold, winner to pay',
  'Surplus held',
] as const

const groupOf = ({ state, waiting, next }: ListedLienCase): (typeof groups)[number] => {
  if (state === 'surplus') return 'Surplus held'
  if (state === 'sold') return 'Sold, winner to pay'
  if (waiting) return 'Waits for a second person'
  // An open case has a next step: the sale that ends its steps also changes its state to 'sold'.
  return next ? stepNames[next.step] : 'Sold, winner to pay'
}

function nextOf({ state, surplusUntil, next, waiting, leaseStatus }: ListedLienCase): string {
  if (state === 'surplus') return `until ${formatShort(surplusUntil ?? '')}`
  if (waiting) return stepNames[waiting]
  return next ? formatShort(next.earliest) : leaseStatus
}

/** Page of the lien cases that are not over, by next step. */
export default function LienCases({ loaderData }: Route.ComponentProps) {
  const { brand, cases, query, mayReadRules } = loaderData
  return (
    <OfficePageFrame
      title="Lien cases"
      brand={brand}
      actions={
        <>
          <Link to={`/office/past-due${query}`}>Past due</Link>
          {mayReadRules && <Link to="/office/liens/rules">Rules</Link>}
        </>
      }
    >
      {cases.length === 0 && (
        <p className="soft">No lien case is open. One is opened from the list of what is past due.</p>
      )}
      <div className="lg:[&_table]:table-fixed">
        {groups.map((group) => {
          const rows = cases.filter((lienCase) => lienCase.group === group)
          if (rows.length === 0) return null
          return (
            <Section key={group} title={group} count={rows.length}>
              <OfficeTable
                caption={`Lien cases: ${group}`}
                rows={rows}
                rowKey={(row) => row.id}
                open={(row) => `/office/liens/${row.id}`}
                empty=""
                columns={[
                  {
                    label: 'Unit',
                    cell: (row) => (
                      <>
                        {row.unit} <span className="soft small">{row.place}</span>
                      </>
                    ),
                  },
                  { label: 'Tenant', cell: (row) => row.tenant },
                  { label: 'Owed', right: true, cell: (row) => formatCents(row.owed) },
                  { label: 'Opened', wide: true, cell: (row) => row.opened },
                  {
                    label: 'Earliest next',
                    cell: (row) =>
                      row.blocks.length > 0 ? (
                        <strong className="text-brick">Blocked: {row.blocks.join(', ')}</strong>
                      ) : (
                        <>
                          {row.next} {row.due && <Tag tone="door">due</Tag>}
                        </>
                      ),
                  },
                ]}
              />
            </Section>
          )
        })}
      </div>
    </OfficePageFrame>
  )
}

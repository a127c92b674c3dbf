import { Link } from 'react-router'
import { loadOfferList } from '../../../modules/facilities/views/fees-plans-discounts.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import type { Route } from './+types/fees-plans-discounts'
import { openSetup } from './open-setup.ts'
import { OfferedOrRetiredTag, SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about } = await openSetup(args)
  return { about, offers: await loadOfferList(page.site.services.db.read, about.code, facts.unitTypes) }
}

const sections = [
  ['fee', 'Fees', 'No fee.', 'New fee'],
  ['plan', 'Insurance plans', 'No plan.', 'New plan'],
  ['discount', 'Discounts', 'No discount.', 'New discount'],
] as const

/** Page of a facility's fees, insurance plans and discounts. */
export default function Offers({ loaderData }: Route.ComponentProps) {
  const { about, offers } = loaderData
  return (
    <SetupPage about={about} at="/offers" title="Fees, plans, discounts">
      <div className="lg:[&_table]:table-fixed">
        {sections.map(([kind, title, empty, addLabel]) => {
          const rows = offers.filter((offer) => offer.kind === kind)
          return (
            <Section key={kind} title={title} count={rows.length}>
              <OfficeTable
                caption={title}
                rows={rows}
                rowKey={(row) => String(row.id)}
                open={(row) => `/office/setup/${about.code}/offers/${row.kind}/${row.id}`}
                empty={empty}
                columns={[
                  { label: 'Name', cell: (row) => row.name },
                  { label: 'Amount', right: true, cell: (row) => row.costs },
                  { label: 'When', cell: (row) => row.when },
                  { label: 'For', wide: true, cell: (row) => row.appliesTo },
                  { label: 'Offered', cell: (row) => <OfferedOrRetiredTag retiredOn={row.retiredOn} /> },
                ]}
              />
              <p className="mt-2">
                <Link to={`/office/setup/${about.code}/offers/${kind}/new`}>{addLabel}</Link>
              </p>
            </Section>
          )
        })}
      </div>
    </SetupPage>
  )
}

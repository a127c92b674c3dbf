import { Link } from 'react-router'
import { loadOffers, offerAmount } from '../../../modules/facilities/fees-plans-discounts.ts'
import { sizeLabel } from '../../../modules/facilities/rules/size-label.ts'
import { OfficeList } from '../office-list.tsx'
import { Section } from '../office-page-frame.tsx'
import type { Route } from './+types/fees-plans-discounts'
import { openSetup } from './open-setup.ts'
import { OfferedTag, SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about } = await openSetup(args)
  const offers = await loadOffers(page.site.services.db.read, about.code)
  const typeOf = (id: number | null) => facts.unitTypes.find((type) => type.unit_type_id === id)
  return {
    about,
    offers: offers.map((offer) => {
      const type = typeOf(offer.unitTypeId)
      return {
        ...offer,
        costs: offerAmount(offer),
        appliesTo: type ? `${sizeLabel(type)} ${type.category_name}` : 'Every unit',
      }
    }),
  }
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
      <div className="office-alike">
        {sections.map(([kind, title, empty, addLabel]) => {
          const rows = offers.filter((offer) => offer.kind === kind)
          return (
            <Section key={kind} title={title} count={rows.length}>
              <OfficeList
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
                  { label: 'Offered', cell: (row) => <OfferedTag retiredOn={row.retiredOn} /> },
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

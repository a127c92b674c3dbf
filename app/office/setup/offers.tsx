import { Link } from 'react-router'
import { type Offer, offerAmount, offersAt } from '../../../modules/facilities/offers.ts'
import { Tag } from '../../ui/surfaces.tsx'
import { shortDay } from '../ledger.tsx'
import { OfficeList } from '../list.tsx'
import { OfficePageFrame, Section } from '../page.tsx'
import type { Route } from './+types/offers'
import { openSetup } from './open-setup.ts'

export async function loader(args: Route.LoaderArgs) {
  const { page, facts } = await openSetup(args)
  const { location } = facts
  const offers = await offersAt(page.site.services.db.read, location.location_code)
  return {
    brand: page.site.brand.name,
    facility: location.name,
    code: location.location_code,
    offers: offers.map((one) => ({ ...one, costs: offerAmount(one) })),
  }
}

const sections = [
  ['fee', 'Fees', 'No fee.'],
  ['plan', 'Insurance plans', 'No plan.'],
  ['discount', 'Discounts', 'No discount.'],
] as const

/** What a facility charges and offers besides its units. */
export default function Offers({ loaderData }: Route.ComponentProps) {
  const { brand, facility, code, offers } = loaderData
  return (
    <OfficePageFrame
      title={`Fees, plans, discounts of ${facility}`}
      brand={brand}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · <Link to={`/office/setup/${code}`}>Street rates</Link>
        </>
      }
    >
      {sections.map(([kind, title, empty]) => {
        const rows = offers.filter((one) => one.kind === kind)
        return (
          <Section key={kind} title={title} count={rows.length}>
            <OfficeList
              caption={title}
              rows={rows}
              rowKey={(one) => String(one.id)}
              open={(one) => `/office/setup/${code}/offers/${one.kind}/${one.id}`}
              empty={empty}
              columns={[
                { label: 'Name', cell: (one) => one.name },
                { label: 'Amount', right: true, cell: (one) => one.costs },
                { label: 'When', cell: (one) => one.when },
                { label: 'Offered', cell: (one) => <Offered retiredOn={one.retiredOn} /> },
              ]}
            />
          </Section>
        )
      })}
    </OfficePageFrame>
  )
}

export function Offered({ retiredOn }: Pick<Offer, 'retiredOn'>) {
  return retiredOn === null ? <Tag tone="good">Offered</Tag> : <Tag>Retired {shortDay(retiredOn)}</Tag>
}

import { data } from 'react-router'
import { stateName } from '../../domain/states.ts'
import { cityFacilities } from '../../modules/facilities/directory.ts'
import { fromPrices } from '../../modules/pricing/from-prices.ts'
import { contextOf } from '../request/context.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/city'
import { facilityCards } from './cards.ts'
import { FacilityCards } from './facility-card.tsx'
import { breadcrumbs, headOf } from './head.ts'
import { drawnMap, spotsOfCards } from './spots/drawn-map.ts'
import { SpotsMap } from './spots/spots-map.tsx'
import { facilityCount } from './states.tsx'

export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const facilities = await cityFacilities(site.services, params.state, params.city)
  const [first] = facilities
  if (!first) throw data(null, { status: 404 })
  const prices = await fromPrices(site.services, facilities)
  const place = `${first.city}, ${first.state}`
  const path = `/storage-units/${first.state.toLowerCase()}/${first.citySlug}`
  const state = stateName(first.state)
  const trail = [
    { label: 'All states', href: '/storage-units' },
    { label: state, href: `/storage-units/${first.state.toLowerCase()}` },
  ]
  const cards = facilityCards(site.brand, facilities, prices)
  return {
    place,
    state,
    trail,
    cards,
    map: drawnMap(spotsOfCards(cards, facilities), { name: `Map of facilities in ${place}` }),
    head: headOf(site, {
      path,
      title: `Storage units in ${place}`,
      description: `${facilityCount(facilities.length)} in ${place}: ${facilities
        .slice(0, 5)
        .map((one) => one.address)
        .join('; ')}. Whole prices, no card to reserve.`,
      data: breadcrumbs(site.services.publicUrl, [...trail, { label: first.city, href: path }]),
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function City({ loaderData }: Route.ComponentProps) {
  const { place, state, trail, cards, map } = loaderData
  return (
    <PageFrame>
      <Breadcrumbs links={trail} />
      <h1 className="mt-2">Storage units in {place}</h1>
      <p className="lead mt-3 mb-8">
        {facilityCount(cards.length)}. <a href={trail[1]?.href}>See all of {state}</a>
      </p>
      <h2 className="sr">Facilities</h2>
      <div className="on-map">
        <SpotsMap map={map} />
        <div>
          <FacilityCards facilities={cards} />
        </div>
      </div>
    </PageFrame>
  )
}

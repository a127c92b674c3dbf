import { data } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { stateFacilities } from '../../modules/facilities/directory.ts'
import { fromPrices } from '../../modules/pricing/from-prices.ts'
import { contextOf } from '../request/context.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { StateMap } from '../ui/state-map.tsx'
import type { Route } from './+types/state'
import { facilityCards } from './cards.ts'
import { FacilityCards } from './facility-card.tsx'
import { breadcrumbs, headOf } from './head.ts'
import { PlaceList } from './place-list.tsx'
import { facilityCount } from './states.tsx'

/** Past this many a state is shown by its cities alone. */
const mostCards = 24
/** Past this many dots the map shows none: they would cover it. */
const mostDots = 200

const trail = [{ label: 'All states', href: '/storage-units' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!/^[a-z]{2}$/i.test(params.state)) throw data(null, { status: 404 })
  const page = await stateFacilities(site.services, params.state)
  if (!page) throw data(null, { status: 404 })
  const { state, cities, facilities } = page
  const prices = await fromPrices(site.services, facilities.length <= mostCards ? facilities : [])
  const path = `/storage-units/${state.shortName.toLowerCase()}`
  return {
    code: state.shortName,
    name: state.fullName,
    phone: formatPhone(state.phone),
    count: facilities.length,
    cities: cities.map((city) => ({ name: city.city, href: city.path, facilities: city.facilities })),
    dots: facilities.length > mostDots ? [] : facilities.map(({ name, lat, lng }) => ({ name, lat, lng })),
    cards: facilities.length > mostCards ? [] : facilityCards(site.brand, facilities, prices),
    head: headOf(site, {
      path,
      title: `Storage units in ${state.fullName}`,
      description: `${facilityCount(facilities.length)} in ${state.fullName}: ${cities
        .slice(0, 8)
        .map((city) => city.city)
        .join(', ')}. Whole prices, no card to reserve.`,
      data: breadcrumbs(site.services.publicUrl, [...trail, { label: state.fullName, href: path }]),
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function State({ loaderData }: Route.ComponentProps) {
  const { code, name, phone, count, cities, dots, cards } = loaderData
  return (
    <PageFrame>
      <Breadcrumbs links={trail} />
      <div className="mt-2 grid items-start gap-x-16 gap-y-8 md:grid-cols-[1fr_minmax(0,26rem)] [&>.art]:max-w-[30rem]">
        <div>
          <h1>Storage units in {name}</h1>
          <p className="lead mt-3">
            {facilityCount(count)} in {cities.length} {cities.length === 1 ? 'city' : 'cities'}.
            {phone && (
              <>
                {' '}
                Questions? Call <PhoneLink phone={phone} />.
              </>
            )}
          </p>
          <h2 className="mt-8">Cities</h2>
          <PlaceList places={cities} />
        </div>
        <StateMap state={code} name={name} facilities={dots} />
      </div>
      {cards.length > 0 && (
        <section className="mt-12" aria-labelledby="facilities">
          <h2 id="facilities" className="mb-4">
            Facilities
          </h2>
          <FacilityCards facilities={cards} />
        </section>
      )}
    </PageFrame>
  )
}

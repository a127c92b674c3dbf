import { data } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { facilitiesByCode, type StateDirectory, stateDirectory } from '../../modules/facilities/directory.ts'
import { fromPrices } from '../../modules/pricing/from-prices.ts'
import { contextOf } from '../request/context.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/state'
import { facilityCards } from './cards.ts'
import { FacilityCards } from './facility-card.tsx'
import { breadcrumbs, headOf } from './head.ts'
import { PlaceList } from './place-list.tsx'
import { drawnMap, spotsOfCards } from './spots/drawn-map.ts'
import { SpotsMap } from './spots/spots-map.tsx'
import { spotsOfCities } from './spots/spots-of-cities.ts'
import { viewOfState } from './spots/view.ts'
import { facilityCount } from './states.tsx'

/** Past this many a state is shown by its cities alone. */
const mostCards = 24

const trail = [{ label: 'All states', href: '/storage-units' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!/^[a-z]{2}$/i.test(params.state)) throw data(null, { status: 404 })
  const page = await stateDirectory(site.services, params.state)
  if (!page) throw data(null, { status: 404 })
  const { state, path, cities, facilities } = page
  const few = facilities.length <= mostCards
  const shown = few ? await facilitiesByCode(site.services, codesOf(facilities)) : []
  const cards = facilityCards(site.brand, shown, await fromPrices(site.services, shown))
  const spots = few ? spotsOfCards(cards, shown) : await spotsOfCities(site.services, page)
  return {
    name: state.fullName,
    phone: formatPhone(state.phone),
    count: facilities.length,
    cities: cities.map((city, at) => ({
      name: city.city,
      href: city.path,
      facilities: city.facilities,
      mark: few ? undefined : spots[at]?.mark,
    })),
    cards,
    map: drawnMap(spots, {
      name: `Map of facilities in ${state.fullName}`,
      state: state.shortName,
      view: viewOfState(state.shortName),
      towns: townsOf(page),
      crowded: few ? 'join' : 'drop',
    }),
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

const codesOf = (facilities: StateDirectory['facilities']) => facilities.map((one) => one.locationCode)

/** A name for each city, where its first facility is; the one with the most facilities first. */
function townsOf({ cities, facilities }: StateDirectory) {
  const first = new Map([...facilities].reverse().map((one) => [one.citySlug, one]))
  return [...cities]
    .sort((a, b) => b.facilities - a.facilities)
    .slice(0, 24)
    .flatMap(({ city, citySlug }) => {
      const at = first.get(citySlug)
      return at ? [{ name: city, lat: at.lat, lng: at.lng }] : []
    })
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function State({ loaderData }: Route.ComponentProps) {
  const { name, phone, count, cities, cards, map } = loaderData
  return (
    <PageFrame>
      <Breadcrumbs links={trail} />
      <h1 className="mt-2">Storage units in {name}</h1>
      <p className="lead mt-3 mb-6">
        {facilityCount(count)} in {cities.length} {cities.length === 1 ? 'city' : 'cities'}.
        {phone && (
          <>
            {' '}
            Questions? Call <PhoneLink phone={phone} />.
          </>
        )}
      </p>
      <div className="on-map">
        <SpotsMap map={map} />
        <div>
          <h2>Cities</h2>
          <PlaceList places={cities} onMap={cards.length === 0} />
          {cards.length > 0 && (
            <section className="mt-8" aria-labelledby="facilities">
              <h2 id="facilities" className="mb-4">
                Facilities
              </h2>
              <FacilityCards facilities={cards} />
            </section>
          )}
        </div>
      </div>
    </PageFrame>
  )
}

import { data } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import {
  loadFacilitiesByCode,
  loadStateDirectory,
  type StateDirectory,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/state'
import { FacilityList } from './facility-list.tsx'
import { listChoices } from './facility-list-links.ts'
import { filterAndSortFacilities, findWaitlist } from './filter-facilities-by-size.ts'
import { spotsOfCities } from './map/city-spots.ts'
import { FacilitiesMap } from './map/facilities-map.tsx'
import { buildFacilityMap, spotsOfCards } from './map/facility-map-data.ts'
import { viewOfState } from './map/map-projection.ts'
import { breadcrumbs, headOf } from './meta-tags.ts'
import { formatFacilityCount } from './states.tsx'
import { PlaceList } from './states-and-cities-list.tsx'

/** Maximum number of facility cards on a state's page; with more facilities it lists only cities. */
const MAX_CARDS = 24

const trail = [{ label: 'All states', href: '/storage-units' }]

export const handle: PageHandle = { sheet: 'lists' }

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!/^[a-z]{2}$/i.test(params.state)) throw data(null, { status: 404 })
  const page = await loadStateDirectory(site.services, params.state)
  if (!page) throw data(null, { status: 404 })
  const { state, path, cities, facilities } = page
  const hasCards = facilities.length <= MAX_CARDS
  const listedFacilities = hasCards ? await loadFacilitiesByCode(site.services, codesOf(facilities)) : []
  const quotes = await quoteFacilities(site.services, hasCards ? codesOf(facilities) : [])
  const choices = listChoices(path, new URL(request.url).searchParams, {}, 'City')
  const list = filterAndSortFacilities(site.brand, listedFacilities, quotes, choices)
  const spots = hasCards ? spotsOfCards(list) : spotsOfCities(page)
  return {
    name: state.fullName,
    phone: formatPhone(state.phone),
    count: facilities.length,
    cities: cities.map((city, index) => ({
      name: city.city,
      href: city.path,
      facilities: city.facilities,
      mark: hasCards ? undefined : spots[index]?.mark,
    })),
    hasCards,
    choices,
    cards: list.map(({ card }) => card),
    waitlist: list.length === 0 ? findWaitlist(listedFacilities, quotes, choices) : null,
    map:
      facilities.length < 2 || spots.length === 0
        ? null
        : buildFacilityMap(spots, {
            name: `Map of facilities in ${state.fullName}`,
            state: state.shortName,
            view: viewOfState(state.shortName),
            towns: townsOf(page),
            crowded: hasCards ? 'join' : 'drop',
          }),
    head: headOf(site, {
      path,
      title: `Storage units in ${state.fullName}`,
      description: `${formatFacilityCount(facilities.length)} in ${state.fullName}: ${cities
        .slice(0, 8)
        .map((city) => city.city)
        .join(', ')}. Whole prices, no card to reserve.`,
      data: breadcrumbs(site.services.publicUrl, [...trail, { label: state.fullName, href: path }]),
    }),
  }
}

const codesOf = (facilities: StateDirectory['facilities']) => facilities.map((facility) => facility.locationCode)

/** Returns the town names on the map: the 24 cities with the most facilities, each at its first facility. */
function townsOf({ cities, facilities }: StateDirectory) {
  const firstFacilities = new Map([...facilities].reverse().map((facility) => [facility.citySlug, facility]))
  return [...cities]
    .sort((a, b) => b.facilities - a.facilities)
    .slice(0, 24)
    .flatMap(({ city, citySlug }) => {
      const facility = firstFacilities.get(citySlug)
      return facility ? [{ name: city, lat: facility.lat, lng: facility.lng }] : []
    })
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function State({ loaderData }: Route.ComponentProps) {
  const { name, phone, count, cities, hasCards, choices, cards, waitlist, map } = loaderData
  return (
    <PageFrame>
      <Breadcrumbs links={trail} />
      <h1 className="max-md:text-[1.625rem]">Storage units in {name}</h1>
      <p className="soft mt-1 mb-3">
        {formatFacilityCount(count)} in {cities.length} {cities.length === 1 ? 'city' : 'cities'}.
        {phone && (
          <>
            {' '}
            Questions? Call <PhoneLink phone={phone} />.
          </>
        )}
      </p>
      {hasCards ? (
        <>
          <section aria-labelledby="facilities">
            <h2 id="facilities" className="sr">
              Facilities
            </h2>
            <FacilityList choices={choices} cards={cards} map={map} near={`in ${name}`} waitlist={waitlist}>
              <p className="small soft my-3">Per month, all in.</p>
            </FacilityList>
          </section>
          <h2 className="mt-10">Cities</h2>
          <PlaceList places={cities} />
        </>
      ) : (
        <div className="on-map">
          <div>
            <h2>Cities</h2>
            <PlaceList places={cities} onMap />
          </div>
          {map && <FacilitiesMap map={map} />}
        </div>
      )}
    </PageFrame>
  )
}

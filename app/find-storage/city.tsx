import { data } from 'react-router'
import { stateName } from '../../domain/states.ts'
import { directionsTo } from '../../modules/facilities/rules/directions-link.ts'
import { bearing, distanceMiles, type Point } from '../../modules/facilities/rules/distance.ts'
import { loadCityFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import { townCenter } from '../../ports/geocoder/load-gazetteer.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/city'
import { spellMiles } from './facility-cards.ts'
import { FacilityList } from './facility-list.tsx'
import { listChoices } from './facility-list-links.ts'
import { filterAndSortFacilities, findWaitlist } from './filter-facilities-by-size.ts'
import { mapOfCards } from './map/facility-map-data.ts'
import { breadcrumbs, headOf } from './meta-tags.ts'
import { formatFacilityCount } from './states.tsx'

export const handle: PageHandle = { sheet: 'lists' }

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const facilities = await loadCityFacilities(site.services, params.state, params.city)
  const [first] = facilities
  if (!first) throw data(null, { status: 404 })
  const codes = facilities.map((facility) => facility.locationCode)
  const quotes = await quoteFacilities(site.services, codes)
  const place = `${first.city}, ${first.state}`
  const path = `/storage-units/${first.state.toLowerCase()}/${first.citySlug}`
  const state = stateName(first.state)
  const trail = [
    { label: 'All states', href: '/storage-units' },
    { label: state, href: `/storage-units/${first.state.toLowerCase()}` },
  ]
  const choices = listChoices(path, new URL(request.url).searchParams, {}, 'Name')
  const center = townCenter(first.city, first.state)
  const list = filterAndSortFacilities(site.brand, facilities, quotes, choices)
  return {
    place,
    state,
    trail,
    count: facilities.length,
    choices,
    cards: list.map(({ card }) => card),
    waitlist: list.length === 0 ? findWaitlist(facilities, quotes, choices) : null,
    map: mapOfCards(list, {
      name: `Map of facilities in ${place}`,
      here: center && { label: first.city, lat: center.lat, lng: center.lng },
    }),
    only:
      facilities.length === 1
        ? { where: center ? fromCenter(center, first) : '', directions: directionsTo(first) }
        : null,
    head: headOf(site, {
      path,
      title: `Storage units in ${place}`,
      description: `${formatFacilityCount(facilities.length)} in ${place}: ${facilities
        .slice(0, 5)
        .map((facility) => facility.address)
        .join('; ')}. Whole prices, no card to reserve.`,
      data: breadcrumbs(site.services.publicUrl, [...trail, { label: first.city, href: path }]),
    }),
  }
}

/** Formats a facility's distance and direction from the town's center: '1.7 miles north-east of the center'. */
const fromCenter = (center: Point, facility: Point) =>
  `${spellMiles(distanceMiles(center, facility))} ${bearing(center, facility)} of the center`

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function City({ loaderData }: Route.ComponentProps) {
  const { place, state, trail, count, choices, cards, waitlist, map, only } = loaderData
  return (
    <PageFrame>
      <Breadcrumbs links={trail} />
      <h1 className="max-md:text-[1.625rem]">Storage units in {place}</h1>
      <p className="soft mt-1 mb-3">
        {formatFacilityCount(count)}
        {only?.where && `, ${only.where}`}. {only && <a href={only.directions}>Directions</a>}{' '}
        <a href={trail[1]?.href} className="whitespace-nowrap">
          See all of {state}
        </a>
      </p>
      <h2 className="sr">Facilities</h2>
      <FacilityList choices={choices} cards={cards} map={map} near={`in ${place}`} waitlist={waitlist}>
        <p className="small soft my-3">Per month, all in.</p>
      </FacilityList>
    </PageFrame>
  )
}

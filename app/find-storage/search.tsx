import {
  DEFAULT_RADIUS,
  FARTHEST_RADIUS,
  parseRadius,
  radiusChoices,
} from '../../modules/facilities/rules/search-radius.ts'
import {
  loadFacilitiesWithin,
  loadNearestFacilities,
  loadStatesWithFacilities,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/search'
import { FacilityList } from './facility-list.tsx'
import { listChoices } from './facility-list-links.ts'
import { filterAndSortFacilities, findWaitlist } from './filter-facilities-by-size.ts'
import { findPlace } from './find-place.ts'
import { mapOfCards } from './map/facility-map-data.ts'
import { headOf } from './meta-tags.ts'
import { SearchBox } from './search-box.tsx'
import { PlaceList } from './states-and-cities-list.tsx'

const MAX_FACILITIES = 20
const MAX_FAR_AWAY = 6

export const handle: PageHandle = { sheet: 'lists' }

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const { searchParams } = new URL(request.url)
  const typedQuery = searchParams.get('q')
  const query = (typedQuery ?? '').trim().slice(0, 120)
  const headFor = (title: string, hasErrors = false) =>
    headOf(site, {
      path: '/search',
      title,
      hasErrors,
      description: `Find self storage near you: ${site.brand.name} facilities by distance, with the whole price.`,
    })
  const withoutPlace = async (error: string, alike: string[] = []) => ({
    head: headFor('Find storage', error !== ''),
    query,
    error,
    alike: alike.map(searchFor),
    place: null,
    states: (await loadStatesWithFacilities(services)).map((state) => ({
      name: state.fullName,
      href: `/storage-units/${state.shortName.toLowerCase()}`,
    })),
  })
  const visitor = visitorAt(searchParams)
  if (!query && !visitor) return withoutPlace(typedQuery === null ? '' : 'Enter a city or a ZIP code.')

  const answer = query || !visitor ? await findPlace(site, query, '/search') : { found: visitor, others: [] }
  if (!answer.found)
    return withoutPlace(
      answer.why === 'down' ? `${answer.complaint} Please choose your state below.` : answer.complaint,
      answer.alike,
    )
  const place = await loadPlace(site, answer.found, query, searchParams)
  return {
    head: headFor(`Storage near ${answer.found.label}`),
    query,
    error: '',
    alike: [],
    place: { ...place, others: answer.others.slice(0, 6).map(({ label }) => searchFor(label)) },
    states: [],
  }
}

const searchFor = (label: string) => ({ label, href: `/search?${new URLSearchParams({ q: label })}` })

/**
 * Loads the facilities near the searched place, with their map and choices.
 * @param query '' if the browser sent the visitor's position
 */
async function loadPlace(
  { services, brand }: RequestContext,
  found: { label: string; lat: number; lng: number },
  query: string,
  searchParams: URLSearchParams,
) {
  const miles = parseRadius(searchParams.get('miles'))
  const requestedMiles = miles ?? DEFAULT_RADIUS
  const within = miles ? await loadFacilitiesWithin(services, found, miles, MAX_FACILITIES) : []
  const nearest =
    miles && within.length > 0
      ? { radius: miles, facilities: within }
      : await loadNearestFacilities(services, found, MAX_FACILITIES)
  const isFar = nearest.radius > FARTHEST_RADIUS
  const facilities = isFar ? nearest.facilities.slice(0, MAX_FAR_AWAY) : nearest.facilities
  const choicesWithin = (within: number | undefined) => {
    const params: Record<string, string> = query ? { q: query } : { lat: `${found.lat}`, lng: `${found.lng}` }
    if (within) params.miles = `${within}`
    return listChoices('/search', searchParams, params, 'Nearest')
  }
  const choices = choicesWithin(miles)
  const codes = facilities.map((facility) => facility.locationCode)
  const quotes = await quoteFacilities(services, codes)
  const list = filterAndSortFacilities(brand, facilities, quotes, choices)
  return {
    label: found.label,
    heading: isFar
      ? 'Our nearest facilities'
      : formatCount(nearest.facilities.length, nearest.facilities.length === MAX_FACILITIES, nearest.radius),
    widened: isFar
      ? `There is no facility within ${FARTHEST_RADIUS}\u00a0miles of ${found.label} yet. These are the nearest.`
      : nearest.radius > requestedMiles
        ? `There is no facility within ${requestedMiles}\u00a0miles of ${found.label} yet, so we looked within ${nearest.radius}.`
        : '',
    found: facilities.length,
    choices,
    facilities: list.map(({ card }) => card),
    waitlist: list.length === 0 ? findWaitlist(facilities, quotes, choices) : null,
    map: isFar
      ? null
      : mapOfCards(list, {
          name: `Map of facilities near ${found.label}`,
          here: { label: query ? found.label : 'Where you are', lat: found.lat, lng: found.lng },
        }),
    radii:
      nearest.radius > Math.max(...radiusChoices)
        ? []
        : radiusChoices.map((radiusChoice) => ({
            label: `${radiusChoice}\u00a0miles`,
            href: choicesWithin(radiusChoice).here,
            current: radiusChoice === nearest.radius,
          })),
  }
}

/** Returns the visitor's position from the query, to two decimals of a degree; null if it is missing or invalid. */
function visitorAt(searchParams: URLSearchParams) {
  const degrees = (name: 'lat' | 'lng') => {
    const text = searchParams.get(name) ?? ''
    return /^-?\d{1,3}(\.\d{1,10})?$/.test(text) ? Math.round(Number(text) * 100) / 100 : Number.NaN
  }
  const lat = degrees('lat')
  const lng = degrees('lng')
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { label: 'you', lat, lng } : null
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

function formatCount(n: number, isLimited: boolean, radius: number): string {
  return `${isLimited ? `The ${n} nearest facilities` : n === 1 ? '1 facility' : `${n} facilities`} within ${radius}\u00a0miles`
}

/**
 * Returns the question above the other places that a visitor may have searched for: 'Another Atlanta?' if all have the
 * same name, else 'Looking for another one?'
 */
function othersQuestion({ label, others }: { label: string; others: { label: string }[] }): string {
  const nameOf = (place: string) => place.replace(/,.*/, '')
  return others.every((other) => nameOf(other.label) === nameOf(label))
    ? `Another ${nameOf(label)}?`
    : 'Looking for another one?'
}

function PlaceLinks({ question, places }: { question: string; places: { label: string; href: string }[] }) {
  if (places.length === 0) return null
  return (
    <p className="small mt-4">
      {question}{' '}
      {places.map((place) => (
        <a key={place.href} href={place.href} className="other">
          {place.label}
        </a>
      ))}
    </p>
  )
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, error, alike, place, states } = loaderData
  return (
    <PageFrame>
      <h1 className="max-md:text-[1.625rem]">{place ? `Storage near ${place.label}` : 'Find storage'}</h1>
      <div className={place ? 'mt-2 max-w-[36rem]' : 'mt-6'}>
        <SearchBox query={query} error={error} compact={place !== null}>
          {place && place.others.length > 0 && (
            <details className="small open:basis-full">
              <summary className="flex min-h-11 items-center text-link">{othersQuestion(place)}</summary>
              <PlaceLinks question="" places={place.others} />
            </details>
          )}
        </SearchBox>
      </div>
      <PlaceLinks question="Search for:" places={alike} />
      {place && place.found > 0 && (
        <section aria-labelledby="found">
          <FacilityList
            choices={place.choices}
            cards={place.facilities}
            map={place.map}
            near={`near ${place.label}`}
            waitlist={place.waitlist}
            distances={place.radii}
          >
            <div className="small soft my-3">
              <h2 id="found" className="inline font-text text-small font-normal tracking-normal">
                {place.heading}
              </h2>
              . Per month, all in.
            </div>
            {place.widened && (
              <div className="mb-4">
                <Callout>{place.widened}</Callout>
              </div>
            )}
          </FacilityList>
        </section>
      )}
      {place && place.found === 0 && (
        <div className="mt-8">
          <Callout tone="warn" title={`Nothing near ${place.label}`}>
            <p>We have no facility anywhere near. Try another city, or call us.</p>
          </Callout>
        </div>
      )}
      {!place && (
        <section className="mt-12" aria-labelledby="states">
          <h2 id="states">Or choose a state</h2>
          <PlaceList places={states} />
        </section>
      )}
    </PageFrame>
  )
}

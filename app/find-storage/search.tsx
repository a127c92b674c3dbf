import { facilitiesWithin, nearestFacilities, statesWithFacilities } from '../../modules/facilities/directory.ts'
import { fromPrices } from '../../modules/pricing/from-prices.ts'
import { contextOf } from '../request/context.ts'
import { PageFrame } from '../ui/page.tsx'
import { Callout, Pills } from '../ui/surfaces.tsx'
import type { Route } from './+types/search'
import { facilityCards } from './cards.ts'
import { FacilityCards } from './facility-card.tsx'
import { findPlace } from './find-place.ts'
import { headOf } from './head.ts'
import { PlaceList } from './place-list.tsx'
import { SearchBox } from './search-box.tsx'

const narrower = [10, 25, 50, 100]
const most = 20
const farthest = 500
const mostFarAway = 6

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const { searchParams } = new URL(request.url)
  const asked = searchParams.get('q')
  const query = (asked ?? '').trim().slice(0, 120)
  const described = (title: string, hasErrors = false) =>
    headOf(site, {
      path: '/search',
      title,
      hasErrors,
      description: `Find self storage near you: ${site.brand.name} facilities by distance, with the whole price.`,
    })
  const nothing = async (error: string) => ({
    head: described('Find storage', error !== ''),
    query,
    error,
    place: null,
    states: (await statesWithFacilities(services)).map((state) => ({
      name: state.fullName,
      href: `/storage-units/${state.shortName.toLowerCase()}`,
    })),
  })
  if (!query) return nothing(asked === null ? '' : 'Enter a city or a ZIP code.')

  const answer = await findPlace(site, query, '/search')
  if (!answer.found)
    return nothing(answer.why === 'down' ? `${answer.complaint} Please choose your state below.` : answer.complaint)
  const { found } = answer
  const miles = narrower.find((one) => String(one) === searchParams.get('miles'))
  const wanted = miles ?? 25
  const within = miles ? await facilitiesWithin(services, found, miles, most) : []
  const nearest =
    within.length > 0 ? { radius: miles as number, facilities: within } : await nearestFacilities(services, found, most)
  const facilities = nearest.radius > farthest ? nearest.facilities.slice(0, mostFarAway) : nearest.facilities
  const prices = await fromPrices(services, facilities)
  const href = (q: string, radius?: number) =>
    `/search?${new URLSearchParams({ q, ...(radius && { miles: `${radius}` }) })}`
  return {
    head: described(`Storage near ${found.label}`),
    query,
    error: '',
    place: {
      label: found.label,
      heading:
        nearest.radius > farthest
          ? 'Our nearest facilities'
          : count(nearest.facilities.length, nearest.facilities.length === most, nearest.radius),
      widened:
        nearest.radius > farthest
          ? `There is no facility within ${farthest} miles of ${found.label} yet. These are the nearest.`
          : nearest.radius > wanted
            ? `There is no facility within ${wanted} miles of ${found.label} yet, so we looked within ${nearest.radius}.`
            : '',
      facilities: facilityCards(site.brand, facilities, prices),
      others: answer.others.slice(0, 6).map((other) => ({ label: other.label, href: href(other.label) })),
      radii:
        nearest.radius > (narrower.at(-1) as number)
          ? []
          : narrower.map((one) => ({ label: `${one} miles`, href: href(query, one), current: one === nearest.radius })),
    },
    states: [],
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

function count(n: number, full: boolean, radius: number): string {
  return `${full ? `The ${n} nearest facilities` : n === 1 ? '1 facility' : `${n} facilities`} within ${radius} miles`
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, error, place, states } = loaderData
  return (
    <PageFrame>
      <h1>{place ? `Storage near ${place.label}` : 'Find storage'}</h1>
      <div className="mt-6">
        <SearchBox query={query} error={error} />
      </div>
      {place && place.others.length > 0 && (
        <p className="small mt-4">
          Looking for another one?{' '}
          {place.others.map((other) => (
            <a key={other.href} href={other.href} className="other">
              {other.label}
            </a>
          ))}
        </p>
      )}
      {place && place.facilities.length > 0 && (
        <section className="mt-8" aria-labelledby="found">
          <div className="mb-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
            <h2 id="found">{place.heading}</h2>
            {place.radii.length > 0 && <Pills label="Distance" links={place.radii} />}
          </div>
          {place.widened && (
            <div className="mb-6">
              <Callout>{place.widened}</Callout>
            </div>
          )}
          <FacilityCards facilities={place.facilities} />
        </section>
      )}
      {place && place.facilities.length === 0 && (
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

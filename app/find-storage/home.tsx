import { loadStatesWithFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import { heroTitle } from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/home'
import { ContinueRentalCallout } from './continue-rental-callout.tsx'
import { FacilityCard } from './facility-card.tsx'
import { facilityCards } from './facility-cards.ts'
import { doorRow } from './facility-front-svg-files.tsx'
import { headOf } from './meta-tags.ts'
import { SearchBox } from './search-box.tsx'
import { formatFacilityCount } from './states.tsx'
import { PlaceList } from './states-and-cities-list.tsx'

const formatCounts = (facilities: number, states: number): string =>
  `${formatFacilityCount(facilities)} in ${states === 1 ? '1 state' : `${states} states`}`

export const handle: PageHandle = { sheet: 'home' }

export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { brand, services } = site
  const near = site.nearby.map((facility) => facility.locationCode)
  const [states, quotes] = await Promise.all([loadStatesWithFacilities(services), quoteFacilities(services, near)])
  const facilities = states.reduce((sum, state) => sum + state.facilities, 0)
  return {
    brand: brand.name,
    rental: site.rental ?? null,
    hero: brand.texts.hero || heroTitle,
    note: brand.texts.heroNote,
    why: brand.texts.why,
    facilities,
    states: states.map((state) => ({
      name: state.fullName,
      href: `/storage-units/${state.shortName.toLowerCase()}`,
      facilities: state.facilities,
    })),
    doors: doorRow,
    nearby: facilityCards(brand, site.nearby, quotes),
    head: headOf(site, {
      path: '/',
      title: 'Self storage, rented online',
      description: `${brand.texts.heroNote || brand.tagline} ${formatCounts(facilities, states.length)}.`,
      data: {
        '@type': 'Organization',
        name: brand.name,
        url: `${services.publicUrl}/`,
        ...(brand.phone ? { telephone: `+1${brand.phone}` } : {}),
      },
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

const steps = [
  {
    title: 'Find your door',
    text: 'Search by city or ZIP code and compare what each size costs today and every 30 days after.',
  },
  {
    title: 'Sign on your phone',
    text: 'Reserve without a card, or rent now: your details, insurance and lease in five steps.',
  },
  { title: 'Drive over', text: 'Your gate code works as soon as you have paid. Bring a lock and open the door.' },
]

const sectionClass = 'mt-[clamp(3rem,7vw,5rem)]'

export default function Home({ loaderData }: Route.ComponentProps) {
  const { brand, doors, rental, hero, note, why, facilities, states, nearby } = loaderData
  return (
    <PageFrame>
      <ContinueRentalCallout rental={rental} />
      <section className="grid items-center gap-x-[clamp(2rem,6vw,5rem)] gap-y-10 pt-[clamp(0.5rem,3vw,2.5rem)] lg:grid-cols-[1.08fr_0.92fr]">
        <div>
          <h1 className="hero">{hero}</h1>
          {note && <p className="lead mt-4">{note}</p>}
          <div className="mt-6">
            <SearchBox />
          </div>
          <p className="small soft mt-4">
            Reserve free, no card needed.{' '}
            <a href="/storage-units" className="num">
              {formatCounts(facilities, states.length)}
            </a>
          </p>
        </div>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing */}
        <div className="contents" dangerouslySetInnerHTML={{ __html: doors }} />
      </section>

      {nearby.length > 0 && (
        <section className={`${sectionClass} hidden lg:block`} aria-labelledby="near">
          <h2 id="near">Near you</h2>
          <div className="mt-5 grid grid-cols-[1fr_1fr] gap-6">
            {nearby.map((facility) => (
              <div key={facility.path} className="card p-0">
                <FacilityCard as="article" facility={facility} />
              </div>
            ))}
          </div>
        </section>
      )}

      {why.length > 0 && (
        <section className={sectionClass} aria-labelledby="why">
          <Card wash>
            <h2 id="why">Why {brand}</h2>
            <dl className="mt-4 grid gap-x-10 gap-y-5 md:grid-cols-[repeat(3,1fr)]">
              {why.map((reason) => (
                <div key={reason.title}>
                  <dt className="font-head text-lead leading-[1.25] font-bold tracking-[-0.01em]">{reason.title}</dt>
                  <dd className="soft mt-1">{withNoBreakSpaces(reason.text)}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </section>
      )}

      <section className={sectionClass} aria-labelledby="how">
        <h2 id="how">How it works</h2>
        <ol className="steps-row mt-5 grid gap-x-10 gap-y-6 md:grid-cols-[repeat(3,1fr)]">
          {steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p className="soft mt-1">{withNoBreakSpaces(step.text)}</p>
            </li>
          ))}
        </ol>
        <p className="mt-6">
          Not sure how much room you need? <a href="/size-guide">See what fits in each size</a>
        </p>
      </section>

      <section className={sectionClass} aria-labelledby="where">
        <h2 id="where">Where we are</h2>
        <PlaceList places={states} />
      </section>
    </PageFrame>
  )
}

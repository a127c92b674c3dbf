import { loadStatesWithFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { contextOf } from '../request/context.ts'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { PageFrame } from '../ui/page.tsx'
import { StateOutline } from '../ui/state-outline.tsx'
import type { Route } from './+types/states'
import { headOf } from './meta-tags.ts'
import { SearchBox } from './search-box.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const states = await loadStatesWithFacilities(site.services)
  return {
    states: states.map((state) => ({ code: state.shortName, name: state.fullName, facilities: state.facilities })),
    head: headOf(site, {
      path: '/storage-units',
      title: 'All storage facilities by state',
      description: `${site.brand.name} self storage in ${states.map((state) => state.fullName).join(', ')}.`,
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export const formatFacilityCount = (n: number) => `${n} ${n === 1 ? 'facility' : 'facilities'}`

export default function States({ loaderData }: Route.ComponentProps) {
  const { states } = loaderData
  return (
    <PageFrame>
      <h1>Find storage by state</h1>
      <div className="mt-6 mb-8">
        <SearchBox />
      </div>
      <h2 className="sr">States</h2>
      <ul className="cards grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))]">
        {states.map((state) => (
          <Card
            key={state.code}
            as="li"
            className="card-link grid grid-cols-[5.5rem_1fr] items-center gap-4 max-[15rem]:grid-cols-1"
          >
            <StateOutline state={state.code} name={state.name} />
            <div>
              <h3>
                <a href={`/storage-units/${state.code.toLowerCase()}`}>{state.name}</a>
              </h3>
              <p className="soft small">{formatFacilityCount(state.facilities)}</p>
            </div>
          </Card>
        ))}
      </ul>
    </PageFrame>
  )
}

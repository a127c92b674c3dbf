import { redirect } from 'react-router'
import { vehicleForSize } from '../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { sizeBand } from '../../modules/facilities/rules/size-band.ts'
import { parseStoredItems, recommendSize, storedItemsQuery } from '../../modules/facilities/rules/size-calculator.ts'
import { storageSizes } from '../../modules/facilities/rules/size-guide-sizes.ts'
import { sizeLabel } from '../../modules/facilities/rules/size-label.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { PageFrame } from '../ui/page.tsx'
import { describeContents } from '../ui/unit-drawing/unit-contents.ts'
import { UnitPicture } from '../ui/unit-drawing/unit-drawing.tsx'
import type { Route } from './+types/size-guide'
import { bandName } from './filter-unit-types.ts'
import { headOf } from './meta-tags.ts'
import { findNearestWithSize } from './nearest-facility-with-size.ts'
import { SearchBox } from './search-box.tsx'
import { DrawingCaption, SizeResult, StoredItemsForm } from './size-guide-form.tsx'

export const handle: PageHandle = { sheet: 'sizeGuide' }

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { searchParams } = new URL(request.url)
  const stored = parseStoredItems(searchParams)
  const recommendation = recommendSize(stored, storageSizes)
  const near = (searchParams.get('near') ?? '').trim().slice(0, 120)
  // A form without scripts sends every count, and the changed one twice; the redirect keeps one value of each above 0.
  if ([...searchParams.values()].some((value) => value === '' || value === '0') || hasRepeatedName(searchParams)) {
    const query = storedItemsQuery(stored, near)
    throw redirect(query ? `/size-guide?${query}` : '/size-guide')
  }
  return {
    stored,
    recommendation,
    near,
    place: recommendation && near !== '' ? await findNearestWithSize(site, near, recommendation.size) : null,
    head: headOf(site, {
      path: '/size-guide',
      title: recommendation
        ? `Your size: ${sizeLabel({ length: recommendation.size.width, breadth: recommendation.size.depth })}`
        : 'Storage unit size guide',
      description: 'What fits in a 5 × 5, a 10 × 10 or a 10 × 30 storage unit, drawn to scale, and how to choose.',
    }),
  }
}

const hasRepeatedName = (params: URLSearchParams) => new Set(params.keys()).size < params.size

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

interface Size {
  width: number
  depth: number
  parking?: boolean
  like: string
  for: string
}

const spaces: Size[] = [
  { width: 10, depth: 18, parking: true, like: 'Parking space', for: 'A car or a pickup.' },
  { width: 10, depth: 25, parking: true, like: 'Parking space', for: 'A boat on its trailer.' },
  { width: 12, depth: 35, parking: true, like: 'Parking space', for: 'A motor home.' },
]

function SizeCard({ size }: { size: Size }) {
  const { width, depth, parking = false } = size
  const parked = parking ? vehicleForSize(width, depth) : null
  const band = sizeBand({ categoryName: parking ? 'parking' : '', length: width, breadth: depth })
  return (
    <Card as="li">
      <div className="mb-4 grid items-end justify-items-center md:min-h-76">
        <UnitPicture length={width} breadth={depth} parked={parked} size="large" />
      </div>
      <h4>
        {width} × {depth} <span className="sr">feet</span> <span className="tag align-[0.15em]">{bandName(band)}</span>
      </h4>
      <p className="mt-1">
        {size.like}, {width * depth}
        {'\u00a0'}sq{'\u00a0'}ft. {size.for}
      </p>
      <p className="soft small mt-2">Drawn: {describeContents(width, depth, parked)}.</p>
    </Card>
  )
}

function Sizes({ title, sizes }: { title: string; sizes: readonly Size[] }) {
  return (
    <>
      <h3 className="mt-8 mb-4">{title}</h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(26rem,100%),1fr))] gap-5">
        {sizes.map((size) => (
          <SizeCard key={`${size.width}x${size.depth}`} size={size} />
        ))}
      </ul>
    </>
  )
}

export default function SizeGuide({ loaderData }: Route.ComponentProps) {
  return (
    <PageFrame>
      <h1 className="mb-3 max-md:text-[1.625rem]">Which size do you need?</h1>
      <div className="sizing">
        <SizeResult {...loaderData} />
        <div>
          <StoredItemsForm {...loaderData} />
          <DrawingCaption {...loaderData} />
        </div>
      </div>
      <h2 className="mt-14">All sizes</h2>
      <p className="mt-2">
        Each picture is true to scale, with things of their usual size in a room 8&nbsp;feet high. Leave an aisle if you
        will come often; stack to the ceiling if you will not.
      </p>
      <Sizes title="Rooms" sizes={storageSizes} />
      <Sizes title="Parking" sizes={spaces} />
      <h2 className="mt-12 mb-4">See what is free near you</h2>
      <SearchBox />
      <p className="small soft mt-4">Between two sizes? Take the smaller one and stack: you can move up any day.</p>
    </PageFrame>
  )
}

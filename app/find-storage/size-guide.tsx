import { sizeBand } from '../../domain/unit-type.ts'
import { contextOf } from '../request/context.ts'
import { PageFrame } from '../ui/page.tsx'
import { Card } from '../ui/surfaces.tsx'
import { UnitDrawing } from '../ui/unit-drawing/draw.tsx'
import { whatFits } from '../ui/unit-drawing/pack.ts'
import type { Route } from './+types/size-guide'
import { headOf } from './head.ts'
import { SearchBox } from './search-box.tsx'
import { bandName } from './unit-list.ts'

export function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  return {
    head: headOf(site, {
      path: '/size-guide',
      title: 'Storage unit size guide',
      description: 'What fits in a 5 × 5, a 10 × 10 or a 10 × 30 storage unit, drawn to scale, and how to choose.',
    }),
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

interface Size {
  width: number
  depth: number
  parking?: boolean
  like: string
  for: string
}

const rooms: Size[] = [
  { width: 5, depth: 5, like: 'A hall closet', for: 'Boxes, sports gear, the papers of an office.' },
  { width: 5, depth: 10, like: 'A walk-in closet', for: 'The contents of one room, or a studio that travels light.' },
  { width: 5, depth: 15, like: 'A long closet', for: 'Two rooms of furniture, stood on end.' },
  { width: 10, depth: 10, like: 'Half a one-car garage', for: 'A one-bedroom home.' },
  { width: 10, depth: 15, like: 'A large bedroom', for: 'A two-bedroom home.' },
  { width: 10, depth: 20, like: 'A one-car garage', for: 'A three-bedroom home, or a car.' },
  { width: 10, depth: 25, like: 'Longer than a one-car garage', for: 'A house with patio furniture and tools.' },
  {
    width: 10,
    depth: 30,
    like: 'A garage for two cars, one behind the other',
    for: 'A four-bedroom house with its garage.',
  },
]
const spaces: Size[] = [
  { width: 10, depth: 18, parking: true, like: 'Parking space', for: 'A car or a pickup.' },
  { width: 10, depth: 25, parking: true, like: 'Parking space', for: 'A boat on its trailer.' },
  { width: 12, depth: 35, parking: true, like: 'Parking space', for: 'A motor home.' },
]

function SizeCard({ size }: { size: Size }) {
  const { width, depth, parking = false } = size
  const band = sizeBand({ categoryName: parking ? 'parking' : '', length: width, breadth: depth })
  return (
    <Card as="li">
      <div className="mb-4 grid items-end justify-items-center md:min-h-76">
        <UnitDrawing length={width} breadth={depth} parking={parking} size="large" label="" />
      </div>
      <h3>
        {width} × {depth} <span className="sr">feet</span> <span className="tag align-[0.15em]">{bandName(band)}</span>
      </h3>
      <p className="mt-1">
        {size.like}, {width * depth} sq ft. {size.for}
      </p>
      <p className="soft small mt-2">Drawn: {whatFits(width, depth, parking)}.</p>
    </Card>
  )
}

function Sizes({ title, sizes }: { title: string; sizes: Size[] }) {
  return (
    <>
      <h2 className="mt-12 mb-4">{title}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(26rem,100%),1fr))] gap-5">
        {sizes.map((size) => (
          <SizeCard key={`${size.width}x${size.depth}`} size={size} />
        ))}
      </ul>
    </>
  )
}

export default function SizeGuide() {
  return (
    <PageFrame>
      <h1>Which size do you need?</h1>
      <p className="lead mt-3">
        Each picture is true to scale, with things of their usual size in a room 8 feet high. Leave an aisle if you will
        come often; stack to the ceiling if you will not.
      </p>
      <Sizes title="Rooms" sizes={rooms} />
      <Sizes title="Parking" sizes={spaces} />
      <h2 className="mt-12 mb-4">See what is free near you</h2>
      <SearchBox />
      <p className="small soft mt-4">Between two sizes? Take the smaller one and stack: you can move up any day.</p>
    </PageFrame>
  )
}

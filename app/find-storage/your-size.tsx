import {
  boxCounts,
  largeThings,
  mostOfOne,
  type RoomNeeded,
  rooms,
  type Stored,
} from '../../modules/facilities/rules/size-calculator.ts'
import type { storageSizes } from '../../modules/facilities/rules/storage-sizes.ts'
import { Button } from '../ui/buttons.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { Money } from '../ui/money.tsx'
import { Card } from '../ui/surfaces.tsx'
import { UnitDrawing } from '../ui/unit-drawing/draw.tsx'
import { whatFits } from '../ui/unit-drawing/pack.ts'
import type { HasSize } from './having-size.ts'
import { loadOf } from './what-is-drawn.ts'

type Size = (typeof storageSizes)[number]

const counts = Array.from({ length: mostOfOne + 1 }, (_, count) => ({
  value: String(count),
  label: count === 0 ? 'None' : String(count),
}))

function Counts({ of, stored }: { of: Record<string, { label: string }>; stored: Stored }) {
  return (
    <div className="sizing-counts">
      {Object.entries(of).map(([name, { label }]) => (
        <SelectField
          key={name}
          name={name}
          label={label}
          options={counts}
          empty={null}
          defaultValue={String(stored[name as keyof Stored] ?? 0)}
        />
      ))}
    </div>
  )
}

/** A plain GET form: the answer is a page of its own, which can be linked to and needs no scripts. */
export function SizeForm({ stored, near, place }: { stored: Stored; near: string; place: { error: string } | null }) {
  return (
    <form action="/size-guide#your-size" className="sizing-form">
      <fieldset>
        <legend>Whole rooms</legend>
        <Counts of={rooms} stored={stored} />
      </fieldset>
      <fieldset>
        <legend>Large things besides</legend>
        <Counts of={largeThings} stored={stored} />
      </fieldset>
      <SelectField
        name="boxes"
        label="More boxes"
        options={boxCounts.map((count) => ({
          value: String(count),
          label: count === 0 ? 'None' : `About ${count}`,
        }))}
        empty={null}
        defaultValue={String(stored.boxes ?? 0)}
      />
      <TextField
        name="near"
        label="City or ZIP code"
        optional
        hint="To see who has it near you."
        error={place?.error || undefined}
        autoComplete="off"
        maxLength={120}
        defaultValue={near}
      />
      <Button>Show my size</Button>
    </form>
  )
}

const named = ({ width, depth }: { width: number; depth: number }) => `${width} × ${depth}`

/** The size, drawn with what was chosen; before anything is chosen, an empty room. */
export function YourSize({
  stored,
  needed,
  near,
  place,
}: {
  stored: Stored
  needed: RoomNeeded<Size> | null
  near: string
  place: { label: string; facilities: HasSize[] } | null
}) {
  if (!needed)
    return (
      <Card as="section" wash className="sizing-answer">
        <h2>Your size</h2>
        <p className="mt-1">Choose what you store, and it is named and drawn here.</p>
        <UnitDrawing length={10} breadth={10} size="large" load={{ things: [], boxes: 0 }} label="" />
      </Card>
    )
  const { size, rest, besides, cubicFeet, smaller } = needed
  const { width, depth } = size
  const load = loadOf(stored, rest)
  return (
    <section className="card sizing-answer" id="your-size" aria-labelledby="your-size-is">
      <h2 id="your-size-is">
        Your size: {besides > 0 && `${besides === 1 ? 'a 10 × 30' : `${besides} times 10 × 30`} and a `}
        {named(size)}
      </h2>
      <p className="mt-1">
        About {cubicFeet.toLocaleString('en-US')} cubic feet, with an aisle left. {size.like}, {width * depth}
        {'\u00a0'}sq{'\u00a0'}ft.
      </p>
      <UnitDrawing length={width} breadth={depth} size="large" load={load} label="" />
      <p className="soft small">Drawn: {whatFits(width, depth, null, load)}.</p>
      {smaller && (
        <p className="mt-3">
          <strong>Next smaller, {named(smaller.size)}:</strong>{' '}
          {smaller.holds
            ? 'enough if you stack to the ceiling and leave no aisle.'
            : 'too small, unless you leave some of it out.'}
        </p>
      )}
      {place && place.facilities.length > 0 && (
        <>
          <h3 className="mt-5">Free near {place.label}</h3>
          <ul className="two-lines">
            {place.facilities.map((one) => (
              <li key={one.path}>
                <a href={`${one.path}#units`}>
                  <strong>{one.name}</strong>
                  <span className="soft small num">{one.distance}</span>
                  <span>
                    {named(size)} from <Money cents={one.from} /> per month, all in
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <p className="soft small mt-2">Billed every 30 days.</p>
        </>
      )}
      {place && place.label !== '' && place.facilities.length === 0 && (
        <p className="mt-3">
          None of our facilities near {place.label} has a {named(size)} free now.{' '}
          <a href={`/search?${new URLSearchParams({ q: near })}`}>See what they have</a>
        </p>
      )}
    </section>
  )
}

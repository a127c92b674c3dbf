import {
  boxCounts,
  largeItems,
  MAX_PER_ITEM,
  packedCubicFeet,
  rooms,
  type SizeRecommendation,
  type StoredItems,
  usableCubicFeet,
} from '../../modules/facilities/rules/size-calculator.ts'
import type { storageSizes } from '../../modules/facilities/rules/size-guide-sizes.ts'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { describeContents, describeOmitted } from '../ui/unit-drawing/unit-contents.ts'
import { UnitDrawing } from '../ui/unit-drawing/unit-drawing.tsx'
import { contentsToDraw } from './furniture-and-boxes-for-counted-items.ts'
import type { FacilityWithSize } from './nearest-facility-with-size.ts'
import { PlaceError } from './search-box.tsx'
import sizing from './size-guide-script.ts?worker&url'

type Size = (typeof storageSizes)[number]
type Place = { label: string; error: string; facility: FacilityWithSize | null }

const counts = Array.from({ length: MAX_PER_ITEM + 1 }, (_, count) => count)

/** Count of one kind of item with a − and a + button. A button's value is the count after pressing it. */
function Tile({
  name,
  label,
  count,
  steps,
  less,
  more,
}: {
  name: string
  label: string
  count: number
  steps: readonly number[]
  less: string
  more: string
}) {
  const index = steps.indexOf(count)
  const step = (by: -1 | 1, verb: string) => {
    const next = steps[index + by]
    return (
      <button
        type="submit"
        name={name}
        value={next ?? count}
        aria-label={`${verb} ${label}`}
        aria-disabled={next === undefined ? true : undefined}
      >
        <span aria-hidden="true">{by < 0 ? '−' : '+'}</span>
      </button>
    )
  }
  return (
    <fieldset className="tile" aria-label={label} data-steps={steps.join(' ')}>
      <p>{label}</p>
      <output>{count}</output>
      {step(-1, less)}
      {step(1, more)}
      {/* This field follows the buttons, because the first value of a name counts. */}
      <input type="hidden" name={name} value={count} />
    </fieldset>
  )
}

function Tiles({
  title,
  items,
  stored,
}: {
  title: string
  items: Record<string, { label: string }>
  stored: StoredItems
}) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="tiles">
        {Object.entries(items).map(([name, { label }]) => (
          <Tile
            key={name}
            name={name}
            label={label}
            count={stored[name as keyof StoredItems] ?? 0}
            steps={counts}
            less="One less:"
            more="One more:"
          />
        ))}
        {items === rooms && (
          <Tile
            name="boxes"
            label="More boxes"
            count={stored.boxes ?? 0}
            steps={boxCounts}
            less="Take from:"
            more="Add to:"
          />
        )}
      </div>
    </fieldset>
  )
}

/**
 * Form of the size guide, in which a visitor counts the things to store. Without scripts each press loads the page;
 * with scripts only the result is replaced.
 */
export function StoredItemsForm({ stored, near, place }: { stored: StoredItems; near: string; place: Place | null }) {
  const error = place?.error
  return (
    <form action="/size-guide" className="sizing-form" data-sizing>
      {/* Enter in the field presses the form's first button. */}
      <button type="submit" className="sr" tabIndex={-1} aria-hidden="true" />
      <Tiles title="Whole rooms" items={rooms} stored={stored} />
      <Tiles title="Large things besides" items={largeItems} stored={stored} />
      <label htmlFor="near" className="mt-6 block font-semibold">
        City or ZIP code <span className="soft font-normal">(optional)</span>
      </label>
      <p className="soft small mb-1" id="near-hint">
        To see who has it near you.
      </p>
      {error && <PlaceError id="near-error">{error}</PlaceError>}
      <div className="search">
        <input
          id="near"
          name="near"
          type="text"
          autoComplete="off"
          maxLength={120}
          defaultValue={near}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'near-error' : 'near-hint'}
        />
        <button type="submit" className="btn btn-quiet">
          Show my size
        </button>
      </div>
      <p role="status" className="sr" />
      <script type="module" src={sizing} />
    </form>
  )
}

const formatSize = ({ width, depth }: { width: number; depth: number }) => `${width} × ${depth}`

/** Returns '10 × 15', or '10 × 30 and 5 × 5' or '2 times 10 × 30 and 5 × 5' where one unit is not enough. */
const formatRecommendation = ({ size, besides }: SizeRecommendation<Size>) =>
  besides === 0 ? formatSize(size) : `${besides === 1 ? '' : `${besides} times `}10 × 30 and ${formatSize(size)}`

/** Gauge of how full the unit is, with a mark for the limit at which it still has an aisle. */
function Fullness({ recommendation: { size, rest } }: { recommendation: SizeRecommendation<Size> }) {
  const share = (cubicFeet: number) => Math.round(Math.min(1, cubicFeet / packedCubicFeet(size)) * 1000) / 10
  return (
    <svg className="fullness" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" fill="var(--color-wash)" />
      <rect width={share(rest)} height="4" fill="var(--color-door)" />
      <rect x={share(usableCubicFeet(size)) - 0.5} width="1" height="4" fill="var(--color-ink)" />
    </svg>
  )
}

/**
 * Link to the size at the nearest facility that has it free; else to the search near the place, or to the place field.
 */
function SizeLink({ size, near, place }: { size: Size; near: string; place: Place | null }) {
  if (place?.facility) {
    const { name, href, today, monthly } = place.facility
    return (
      <a className="btn btn-primary sizing-action" href={href}>
        <span>
          See it at {name} <br />
          <small className="num">
            {formatCents(today)} today, then {formatCents(monthly)}
            {'\u00a0/\u00a0'}month
          </small>
        </span>
      </a>
    )
  }
  if (place && place.label !== '')
    return (
      <a className="btn btn-primary sizing-action" href={`/search?${new URLSearchParams({ q: near })}`}>
        <span>
          See every size near {place.label} <br />
          <small>No {withNoBreakSpaces(formatSize(size))} is free there now</small>
        </span>
      </a>
    )
  return (
    <a className="btn btn-primary sizing-action" href="#near">
      Find a {withNoBreakSpaces(formatSize(size))} near you
    </a>
  )
}

/**
 * Returns the text that screen readers announce after a press of − or +: the size, and the amount due today at the
 * nearest facility that has it free.
 */
const announcementOf = (recommendation: SizeRecommendation<Size>, place: Place | null) =>
  `${formatRecommendation(recommendation)}.${place?.facility ? ` ${formatCents(place.facility.today)} today at ${place.facility.name}.` : ''}`

/** Recommended size, drawn with the chosen items; an empty room before any choice. */
export function SizeResult({
  stored,
  recommendation,
  near,
  place,
}: {
  stored: StoredItems
  recommendation: SizeRecommendation<Size> | null
  near: string
  place: Place | null
}) {
  if (!recommendation)
    return (
      <section className="sizing-answer" id="your-size" aria-labelledby="your-size-is" data-says="">
        <UnitDrawing length={10} breadth={10} size="large" contents={{ furniture: [], boxes: 0 }} label="" />
        <div>
          <h2 id="your-size-is" className="text-lead">
            Your size
          </h2>
          <p className="small mt-1">Choose what you store, and it is named and drawn here.</p>
        </div>
      </section>
    )
  const { size, rest, cubicFeet, smaller } = recommendation
  return (
    <section
      className="sizing-answer"
      id="your-size"
      aria-labelledby="your-size-is"
      data-says={announcementOf(recommendation, place)}
    >
      <UnitDrawing
        length={size.width}
        breadth={size.depth}
        size="large"
        contents={contentsToDraw(stored, rest)}
        label=""
      />
      <div>
        <h2 id="your-size-is">
          <small>
            Your size<span className="sr">:</span>
          </small>{' '}
          {withNoBreakSpaces(formatRecommendation(recommendation))}
        </h2>
        <Fullness recommendation={recommendation} />
        <p className="small leading-[1.35]">
          About {cubicFeet.toLocaleString('en-US')}&nbsp;cu&nbsp;ft, an aisle left.{' '}
          {smaller && (
            <span className="soft">
              {withNoBreakSpaces(formatSize(smaller.size))}{' '}
              {smaller.holds ? 'is enough if you stack.' : 'is too small.'}
            </span>
          )}
        </p>
      </div>
      <SizeLink size={size} near={near} place={place} />
    </section>
  )
}

/** Caption that names the items in the drawing and those for which it has no room. */
export function DrawingCaption({
  stored,
  recommendation,
}: {
  stored: StoredItems
  recommendation: SizeRecommendation<Size> | null
}) {
  if (!recommendation) return <p id="drawn" hidden />
  const { width, depth } = recommendation.size
  const contents = contentsToDraw(stored, recommendation.rest)
  const omitted = describeOmitted(width, depth, contents)
  return (
    <p id="drawn" className="soft small mt-4">
      Drawn: {describeContents(width, depth, null, contents)}
      {omitted && `; not drawn: ${omitted}`}.
    </p>
  )
}

import '../styles/map.css'
import type { ReactNode } from 'react'

/** A unit on the map. Feet from the left and the top of its floor; `rotate` in degrees about its own middle. */
export interface MapUnit {
  unit_id: number
  unit_no: string
  floor_no: number
  left_coordinate: number | null
  top_coordinate: number | null
  length: number
  width: number
  rotate: number
}

/** Gate, Rental Center, Elevator …: drawn and named, not let. */
export interface MapFixture {
  fixture_id: number
  category_name: string
  floor_no: number
  left_coordinate: number
  top_coordinate: number
  length: number
  width: number
  rotate: number
}

type Placed<T> = T & { left_coordinate: number; top_coordinate: number }

/** Units without coordinates are hidden (spec 2 §4). */
function isPlaced<T extends { left_coordinate: number | null; top_coordinate: number | null }>(
  unit: T,
): unit is Placed<T> {
  return unit.left_coordinate !== null && unit.top_coordinate !== null
}

/** Floors that have something to show, lowest first. Empty: 'Map is not available for this location.' */
export function floorsOf(units: MapUnit[]): number[] {
  return [...new Set(units.filter(isPlaced).map((unit) => unit.floor_no))].sort((a, b) => a - b)
}

function turn({
  left_coordinate: x,
  top_coordinate: y,
  length,
  width,
  rotate,
}: Placed<MapUnit> | MapFixture): string | undefined {
  return rotate ? `rotate(${rotate} ${x + length / 2} ${y + width / 2})` : undefined
}

/** A number is never upside down, though its unit is. */
function upright({ left_coordinate: x, top_coordinate: y, length, width, rotate }: Placed<MapUnit>) {
  const angle = ((rotate % 360) + 360) % 360
  return angle > 90 && angle < 270 ? `rotate(180 ${x + length / 2} ${y + width / 2})` : undefined
}

/**
 * One floor of a facility, drawn from its measures; `mine` (unit numbers) are door-yellow with a pin. Beside it the
 * same as a list. On a narrow screen the picture scrolls within its frame.
 *
 * @param floor which floor; the first with units unless given
 * @param tools buttons laid over the picture (zoom)
 */
export function FacilityMap({
  units,
  fixtures = [],
  mine = [],
  floor,
  name,
  tools,
}: {
  units: MapUnit[]
  fixtures?: MapFixture[]
  mine?: string[]
  floor?: number
  name: string
  tools?: ReactNode
}) {
  const shownFloor = floor ?? floorsOf(units)[0]
  const placed = units.filter(isPlaced).filter((unit) => unit.floor_no === shownFloor)
  if (shownFloor === undefined || placed.length === 0) return <p>Map is not available for this location.</p>
  const things = fixtures.filter((fixture) => fixture.floor_no === shownFloor)
  const all = [...placed, ...things]
  // Room for what is turned: a turned oblong reaches at most its longer side from its corner.
  const reach = (thing: (typeof all)[number]) =>
    thing.rotate % 180 === 0 ? 0 : Math.max(thing.length, thing.width) / 2
  const margin = 6
  const left = Math.min(...all.map((thing) => thing.left_coordinate - reach(thing))) - margin
  const top = Math.min(...all.map((thing) => thing.top_coordinate - reach(thing))) - margin - 10
  const right = Math.max(...all.map((thing) => thing.left_coordinate + thing.length + reach(thing))) + margin
  const bottom = Math.max(...all.map((thing) => thing.top_coordinate + thing.width + reach(thing))) + margin
  const owned = new Set(mine)
  const ours = placed.filter((unit) => owned.has(unit.unit_no))
  const pin = Math.max(10, (right - left) / 26)
  return (
    <div className="map">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="map-frame" tabIndex={0} aria-label={`Map of ${name}, floor ${shownFloor}`}>
        {tools}
        <svg viewBox={`${left} ${top} ${right - left} ${bottom - top}`} aria-hidden="true">
          <g className="map-units">
            {placed.map((unit) => (
              <g key={unit.unit_id} transform={turn(unit)} className={owned.has(unit.unit_no) ? 'map-mine' : undefined}>
                <rect
                  x={unit.left_coordinate}
                  y={unit.top_coordinate}
                  width={unit.length}
                  height={unit.width}
                  rx="0.600"
                />
                <path
                  d={`M${unit.left_coordinate + 1} ${unit.top_coordinate + unit.width}h${Math.max(0, unit.length - 2)}`}
                />
                <text
                  x={unit.left_coordinate + unit.length / 2}
                  y={unit.top_coordinate + unit.width / 2}
                  fontSize={Math.min(4.5, (unit.length / Math.max(2, unit.unit_no.length)) * 1.4)}
                  transform={upright(unit)}
                >
                  {unit.unit_no}
                </text>
              </g>
            ))}
          </g>
          <g className="map-fixtures">
            {things.map((thing) => (
              <g key={thing.fixture_id} transform={turn(thing)}>
                <rect
                  x={thing.left_coordinate}
                  y={thing.top_coordinate}
                  width={thing.length}
                  height={thing.width}
                  rx="1"
                />
                <text
                  x={thing.left_coordinate + thing.length / 2}
                  y={thing.top_coordinate + thing.width / 2}
                  fontSize={Math.min(
                    6,
                    thing.width * 0.8,
                    Math.max(2.6, (thing.length / thing.category_name.length) * 1.5),
                  )}
                >
                  {thing.category_name}
                </text>
              </g>
            ))}
          </g>
          {ours.map((unit) => (
            <g
              key={unit.unit_id}
              className="map-pin"
              transform={`translate(${unit.left_coordinate + unit.length / 2} ${unit.top_coordinate + 1}) scale(${pin / 20})`}
            >
              <path d="M0 0C-9-11-13-16-13-24a13 13 0 0 1 26 0C13-16 9-11 0 0z" />
              <path d="M-6-26h12v9h-12zM-6-22h12" className="map-pin-door" />
            </g>
          ))}
        </svg>
      </section>
      {ours.length > 0 && (
        <p className="mt-3">
          <span className="map-key" /> {ours.length === 1 ? 'Your unit' : 'Your units'}:{' '}
          <strong>{ours.map((unit) => unit.unit_no).join(', ')}</strong>
        </p>
      )}
      <details className="mt-2">
        <summary>The map as a list</summary>
        <h3 className="mt-3">Floor {shownFloor}</h3>
        <ul className="map-list">
          {things.map((thing) => (
            <li key={`fixture-${thing.fixture_id}`}>{thing.category_name}</li>
          ))}
          {placed.map((unit) => (
            <li key={unit.unit_id}>
              Unit {unit.unit_no}
              {owned.has(unit.unit_no) && <strong> (yours)</strong>}
              <span className="soft">
                {' '}
                {unit.length} × {unit.width} ft
              </span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

/** Floors as radio buttons (spec 2 §2, /unit-map); without scripts the form sends `floor`. */
export function FloorChoice({
  floors,
  floor,
  onChange,
}: {
  floors: number[]
  floor: number
  onChange?: (floor: number) => void
}) {
  return (
    <fieldset className="map-floors">
      <legend className="sr">Floor</legend>
      {floors.map((number) => (
        <label key={number} className="choice">
          <input
            type="radio"
            name="floor"
            value={number}
            {...(onChange
              ? { checked: number === floor, onChange: () => onChange(number) }
              : { defaultChecked: number === floor })}
          />
          Floor {number}
        </label>
      ))}
    </fieldset>
  )
}

import '../styles/floor-map.css'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { mapNotAvailable } from '../../modules/leases/texts/portal.ts'
import { Button, useHydrated } from './buttons.tsx'
import { type Floor, type FloorBox, fitsBetterTurned, floorPicture, parseFloor } from './floor-plan-svg.ts'
import type { MovableMap } from './movable-map.ts'

/**
 * Map of a floor, to move and zoom, with a list of the same units below.
 * @param mine unit numbers of the tenant
 * @param name name of the facility
 * @param place name of the floor: 'Floor 2'
 */
export function FacilityMap({
  floor: text,
  mine = [],
  name,
  place,
  framed = false,
}: {
  /** Floor as text, written by `serializeFloor`. */
  floor: string
  mine?: string[]
  name: string
  place: string
  /** True to show first the tenant's own units and the way to them, as a phone always does. */
  framed?: boolean
}) {
  const frame = useRef<HTMLElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const floor = useMemo(() => parseFloor(text), [text])
  const { units } = floor
  // The array is new on each render; the joined string compares by value.
  const mineText = mine.join('\n')
  const [quarters, setQuarters] = useState(0)
  const picture = useMemo(
    () => floorPicture(floor, new Set(mineText === '' ? [] : mineText.split('\n')), quarters),
    [floor, mineText, quarters],
  )
  // The frame's size is known only in the browser, so the served page shows the floor unturned.
  useLayoutEffect(() => {
    const frameSize = frame.current?.getBoundingClientRect()
    setQuarters(frameSize && fitsBetterTurned(floor, frameSize) ? 1 : 0)
  }, [floor])
  const map = useMovable(frame, layer, picture, framed)
  const hydrated = useHydrated()
  if (units.length === 0) return <p>{mapNotAvailable}</p>
  const [x, y, width, height] = picture.box
  const ownUnitsOnFloor = units.filter((unit) => mine.includes(unit.unit_no)).map((unit) => unit.unit_no)
  return (
    <div className="map">
      <div className="map-buttons" hidden={!hydrated}>
        <MapButton press={() => map.current?.zoomIn()} label="Zoom in">
          +
        </MapButton>
        <MapButton press={() => map.current?.zoomOut()} label="Zoom out">
          −
        </MapButton>
        <MapButton press={() => setQuarters((quarters + 1) % 4)}>Turn</MapButton>
        {ownUnitsOnFloor.length > 0 && <MapButton press={() => map.current?.showMine()}>My unit</MapButton>}
        <MapButton press={() => map.current?.reset()} kind="quiet">
          Whole floor
        </MapButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it moves by the arrow keys, so the keyboard must reach it */}
      <section ref={frame} className="map-frame" tabIndex={0} aria-label={`Map of ${name}, ${place}`}>
        <div ref={layer} className="map-layer">
          <svg
            viewBox={`${x} ${y} ${width} ${height}`}
            width={picture.readableWidth}
            aria-hidden="true"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: made of numbers and escaped names by floorPicture
            dangerouslySetInnerHTML={{ __html: picture.markup }}
          />
        </div>
      </section>
      {ownUnitsOnFloor.length > 0 && (
        <p className="mt-3">
          <span className="inline-block size-[1em] rounded-[3px] border-2 border-ink bg-door align-[-0.12em]" />{' '}
          {ownUnitsOnFloor.length === 1 ? 'Your unit' : 'Your units'}: <strong>{ownUnitsOnFloor.join(', ')}</strong>
          {floor.way.length > 1 && ', with the way on foot dotted'}
        </p>
      )}
      <FloorList floor={floor} mine={ownUnitsOnFloor} place={place} />
    </div>
  )
}

/** Classes of a button of the map. Below a width of 30rem the text is smaller and the buttons fill their rows. */
const mapButton =
  'min-w-11 px-[0.4rem] max-[30rem]:flex-auto max-[30rem]:text-[length:var(--text-small)] min-[30rem]:px-[clamp(0.75rem,3vw,1.35rem)]'

function MapButton(props: { press: () => void; label?: string; kind?: 'quiet'; children: string }) {
  const { press, label, kind = 'secondary', children } = props
  return (
    <Button type="button" kind={kind} onClick={press} aria-label={label} className={mapButton}>
      {children}
    </Button>
  )
}

function FloorList({ floor: { units, fixtures }, mine, place }: { floor: Floor; mine: string[]; place: string }) {
  const sizes = new Map<string, string[]>()
  for (const { unit_no, length, width } of units) {
    const size = `${Math.min(length, width)} × ${Math.max(length, width)} ft`
    sizes.set(size, [...(sizes.get(size) ?? []), mine.includes(unit_no) ? `${unit_no} (yours)` : unit_no])
  }
  return (
    <details className="mt-2">
      <summary>The map as a list</summary>
      <h3 className="mt-3">{place}</h3>
      {fixtures.length > 0 && <p className="mt-2">{fixtures.map((thing) => thing.name).join(', ')}</p>}
      <dl className="grid gap-x-6 gap-y-2 py-2">
        {[...sizes].map(([size, numbers]) => (
          <div key={size}>
            <dt className="font-semibold">{size}</dt>
            <dd>{numbers.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * Loads the script that pans and zooms the map after the page has loaded. Until then, and without scripts, the map
 * scrolls in its frame.
 */
function useMovable(
  frame: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLElement | null>,
  picture: { own: FloorBox | null },
  framed: boolean,
) {
  const map = useRef<MovableMap>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new picture needs a new movable map
  useEffect(() => {
    let isMounted = true
    import('./movable-map.ts').then(
      ({ movableMap }) => {
        if (isMounted && frame.current && layer.current)
          map.current = movableMap(frame.current, layer.current, { own: picture.own, framed })
      },
      // If the script does not load, the map goes on scrolling in its frame.
      () => {},
    )
    return () => {
      isMounted = false
      map.current?.end()
      map.current = null
    }
  }, [picture])
  return map
}

/** Floor choice as radio buttons (spec 2 §2, /unit-map); without scripts the form sends `floor`. */
export function FloorChoice({
  floors,
  floor,
  onChange,
}: {
  floors: number[]
  floor: number
  onChange?: (floor: number) => void
}) {
  const [chosen, setChosen] = useState(floor)
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
      <legend className="sr">Floor</legend>
      {floors.map((number) => (
        <label key={number} className="choice">
          <input
            type="radio"
            name="floor"
            value={number}
            checked={number === chosen}
            onChange={() => {
              setChosen(number)
              onChange?.(number)
            }}
          />
          Floor {number}
        </label>
      ))}
    </fieldset>
  )
}

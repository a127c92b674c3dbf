import { useEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { FacilityMap, FloorChoice, type MapFixture, type MapUnit } from '../ui/facility-map.tsx'

/** The facility's map with one's own unit marked, its floor first. */
export function UnitMap({
  units,
  fixtures,
  floors,
  floor,
  unit,
  name,
}: {
  units: MapUnit[]
  fixtures: MapFixture[]
  floors: number[]
  floor: number
  unit: string
  name: string
}) {
  const [shown, show] = useState(floor)
  const hydrated = useHydrated()
  const map = useRef<HTMLDivElement>(null)
  // On a phone the picture is wider than its frame: bring the unit into it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another floor is another picture
  useEffect(() => {
    const mine = map.current?.querySelector('.map-mine')?.getBoundingClientRect()
    const frame = map.current?.querySelector('.map-frame')
    if (!mine || !frame) return
    const seen = frame.getBoundingClientRect()
    frame.scrollLeft += mine.left + mine.width / 2 - (seen.left + seen.width / 2)
  }, [shown])
  return (
    <div ref={map} className="unit-map">
      {floors.length > 1 && (
        <Form method="get" className="mb-4">
          <FloorChoice floors={floors} floor={shown} {...(hydrated && { onChange: show })} />
          {!hydrated && (
            <Button kind="secondary" name="map" value="1">
              Show this floor
            </Button>
          )}
        </Form>
      )}
      <FacilityMap units={units} fixtures={fixtures} mine={[unit]} floor={shown} name={name} />
    </div>
  )
}

import { useState } from 'react'
import { Form } from 'react-router'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { FacilityMap, FloorChoice, type MapFixture, type MapUnit } from '../ui/facility-map.tsx'

/** The facility's map with one's own unit marked, its floor first; loaded when somebody asks for it. */
export default function UnitMap({
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
  return (
    <>
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
    </>
  )
}

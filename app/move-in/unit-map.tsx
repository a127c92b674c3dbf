import { Form, useSubmit } from 'react-router'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { FacilityMap, FloorChoice } from '../ui/facility-map.tsx'
import type { FloorPlan } from '../units/floor-plan.ts'

/** The facility's map with one's own unit marked, its floor first. */
export function UnitMap({ plan, unit, name }: { plan: FloorPlan; unit: string; name: string }) {
  const hydrated = useHydrated()
  const submit = useSubmit()
  return (
    <div className="unit-map">
      {plan.floors.length > 1 && (
        <Form method="get" className="mb-4">
          <FloorChoice
            key={plan.shown}
            floors={plan.floors}
            floor={plan.shown}
            {...(hydrated && {
              onChange: (floor: number) =>
                void submit(
                  { map: '1', floor: String(floor) },
                  { method: 'get', preventScrollReset: true, replace: true },
                ),
            })}
          />
          {!hydrated && (
            <Button kind="secondary" name="map" value="1">
              Show this floor
            </Button>
          )}
        </Form>
      )}
      <FacilityMap floor={plan.floor} mine={[unit]} name={name} place={`Floor ${plan.shown}`} />
    </div>
  )
}

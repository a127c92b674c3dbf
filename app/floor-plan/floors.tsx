import { Form, Link, useSubmit } from 'react-router'
import { mapNotAvailable } from '../../modules/leases/texts/portal.ts'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { FacilityMap, FloorChoice } from '../ui/zoomable-floor-map.tsx'
import type { FloorPlan } from './floor-plan-with-way-to-unit.ts'

/**
 * Shows the floor plan with the choice of floors.
 * @param mine the tenant's own unit numbers
 * @param keep query parameters to keep when the floor changes
 */
export function Floors({
  plan,
  mine,
  name,
  phone,
  keep = {},
  framed = false,
}: {
  plan: FloorPlan | null
  mine: string[]
  name: string
  phone: string
  keep?: Record<string, string>
  /** Zooms to the tenant's own unit instead of the whole floor. */
  framed?: boolean
}) {
  const hydrated = useHydrated()
  const submit = useSubmit()
  if (plan === null)
    return (
      <Callout>
        <p>{mapNotAvailable}</p>
      </Callout>
    )
  const showFloor = (floor: number) =>
    void submit({ ...keep, floor: String(floor) }, { method: 'get', preventScrollReset: true, replace: true })
  return (
    <div className="unit-map">
      {plan.floors.length > 1 && (
        <Form method="get" className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
          {Object.entries(keep).map(([field, value]) => (
            <input key={field} type="hidden" name={field} value={value} />
          ))}
          <FloorChoice
            key={plan.shown}
            floors={plan.floors}
            floor={plan.shown}
            {...(hydrated && { onChange: showFloor })}
          />
          {!hydrated && <Button kind="secondary">Show this floor</Button>}
        </Form>
      )}
      {plan.elsewhere.length > 0 && (
        <p className="mb-4">
          {groupByFloor(plan.elsewhere).map(([floor, units], index) => (
            <span key={floor}>
              {index > 0 && ' '}
              Your {units.length === 1 ? 'unit' : 'units'} {units.join(', ')} {units.length === 1 ? 'is' : 'are'} on{' '}
              <Link to={`?${new URLSearchParams({ ...keep, floor: String(floor) })}`} preventScrollReset>
                floor {floor}
              </Link>
              .
            </span>
          ))}{' '}
          <Link to={`?${new URLSearchParams({ ...keep, unit: plan.elsewhere[0]?.unit ?? '' })}`} className="show-unit">
            Show my unit
          </Link>
        </p>
      )}
      {plan.unplaced.length > 0 && (
        <p className="mb-4 soft">
          The plan does not show {plan.unplaced.length === 1 ? 'your unit' : 'your units'} {plan.unplaced.join(', ')}.
          Call <PhoneLink phone={phone} /> and we tell you the way.
        </p>
      )}
      <FacilityMap floor={plan.floor} mine={mine} name={name} place={`Floor ${plan.shown}`} framed={framed} />
      <WayOnFoot steps={plan.steps} />
    </div>
  )
}

function WayOnFoot({ steps }: { steps: string[] }) {
  if (steps.length === 0) return null
  return (
    <section className="mt-4" aria-labelledby="on-foot">
      <h2 id="on-foot" className="text-lead">
        The way on foot
      </h2>
      <ol className="mt-2 grid gap-1 pl-6 [list-style:decimal]">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a way may have two equal steps
          <li key={index}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

/** Groups units on other floors by floor, without `Map.groupBy`, which some phones lack. */
function groupByFloor(elsewhere: FloorPlan['elsewhere']): [floor: number, units: string[]][] {
  const floors = new Map<number, string[]>()
  for (const { floor, unit } of elsewhere) floors.set(floor, [...(floors.get(floor) ?? []), unit])
  return [...floors]
}

import '../styles/journey.css'
import { Form, Link, useSubmit } from 'react-router'
import { labels } from '../../domain/labels.ts'
import { messages } from '../../domain/messages.ts'
import { GetTenantUnitList_V1 } from '../../storage-system/leases.ts'
import { openTenantPage } from '../tenant.ts'
import { TenantPage } from '../tenant-page.tsx'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { FacilityMap, FloorChoice } from '../ui/facility-map.tsx'
import { pageTitle } from '../ui/page.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/unit-map'
import { floorPlan } from './floor-plan.ts'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader(args: Route.LoaderArgs) {
  const { site, here, facility, chrome } = await openTenantPage(args, { without: 'home' })
  const listed = await site.call(GetTenantUnitList_V1, { location_code: here.locationCode, tenant_id: here.tenantId })
  const mine = listed.ok ? listed.value.Unit.map((unit) => unit.UnitNumber) : []
  const asked = new URL(args.request.url).searchParams.get('floor')
  return {
    chrome,
    facility: facility.name,
    mine,
    plan: await floorPlan(site, here.locationCode, mine, asked === null ? null : Number(asked)),
  }
}

/** 'Facility Map' (spec 2 §2): one's own unit in yellow, and the way there. */
export default function UnitMapPage({ loaderData }: Route.ComponentProps) {
  const { chrome, facility, mine, plan } = loaderData
  const submit = useSubmit()
  const hydrated = useHydrated()
  return (
    <TenantPage chrome={chrome} title={labels.facilityMap} path="/unit-map">
      <title>{pageTitle(labels.facilityMap, chrome.brand)}</title>
      {plan === null ? (
        <div className="mt-6">
          <Callout>
            <p>{messages.mapNotAvailable}</p>
          </Callout>
        </div>
      ) : (
        <div className="mt-4">
          {plan.floors.length > 1 && (
            <Form method="get" className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
              <FloorChoice
                key={plan.shown}
                floors={plan.floors}
                floor={plan.shown}
                {...(hydrated && {
                  onChange: (floor: number) =>
                    void submit({ floor: String(floor) }, { method: 'get', preventScrollReset: true, replace: true }),
                })}
              />
              {!hydrated && <Button kind="secondary">Show this floor</Button>}
            </Form>
          )}
          {plan.elsewhere.length > 0 && (
            <p className="mb-4">
              {plan.elsewhere.map(({ unit, floor }, at) => (
                <span key={unit}>
                  {at > 0 && ' '}
                  Your unit {unit} is on{' '}
                  <Link to={`?floor=${floor}`} preventScrollReset>
                    floor {floor}
                  </Link>
                  .
                </span>
              ))}
            </p>
          )}
          {plan.unplaced.length > 0 && (
            <p className="mb-4 soft">
              The plan does not show {plan.unplaced.length === 1 ? 'your unit' : 'your units'}{' '}
              {plan.unplaced.join(', ')}. Call {chrome.facility.phone} and we tell you the way.
            </p>
          )}
          <FacilityMap floor={plan.floor} mine={mine} name={facility} place={`Floor ${plan.shown}`} />
        </div>
      )}
    </TenantPage>
  )
}

import '../styles/form-pages.css'
import { GetTenantUnitList_V1 } from '../../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { facilityMap } from '../../modules/leases/texts/portal.ts'
import { loadFloorPlan } from '../floor-plan/floor-plan-with-way-to-unit.ts'
import { Floors } from '../floor-plan/floors.tsx'
import type { Route } from './+types/unit-map'
import { openPortalPage } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { site, tenantInView, facility, chrome } = await openPortalPage(args, { without: 'alert' })
  const unitList = await site.call(GetTenantUnitList_V1, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
  })
  const mine = unitList.ok ? unitList.value.Unit.map((unit) => unit.UnitNumber) : []
  const searchParams = new URL(args.request.url).searchParams
  const floor = searchParams.get('floor')
  const unit = searchParams.get('unit') ?? ''
  const framed = mine.includes(unit)
  return {
    chrome,
    framed,
    facility: facility.name,
    mine,
    // If no floor is chosen, the map of one unit opens on that unit's floor, the whole map on the first floor.
    plan: framed
      ? await loadFloorPlan(site, tenantInView.locationCode, [unit], floor === null ? null : Number(floor), 'mine')
      : await loadFloorPlan(site, tenantInView.locationCode, mine, floor === null ? null : Number(floor)),
  }
}

export default function UnitMapPage({ loaderData }: Route.ComponentProps) {
  const { chrome, facility, mine, plan, framed } = loaderData
  return (
    <PortalFrame chrome={chrome} title={facilityMap} path="/unit-map">
      <div className="mt-4">
        <Floors plan={plan} mine={mine} name={facility} phone={chrome.facility.phone} framed={framed} />
      </div>
    </PortalFrame>
  )
}

import { unitTypeName } from '../../../modules/facilities/rules/size-label.ts'
import { loadWaitlist } from '../../../modules/reservations/views/waitlist-entries.ts'
import { formatOfficeTime } from '../office-time.ts'
import type { OfficePageAtFacility } from '../open-office-page-at-facility.ts'

/** Maximum number of waitlist entries that the page shows. */
const MAX_WAITS = 200

/** Loads a facility's waitlist. `email` is '' for staff members who may not see tenants (`maySeeTenants`). */
export async function loadWaitlistRows({ services, facts, location, maySeeTenants, may }: OfficePageAtFacility) {
  const waits = await loadWaitlist(services, location, MAX_WAITS)
  const zone = facts.location.time_zone
  return waits.map(({ id, unitTypeId, email, since, toldAt, toldUnit }) => {
    const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === unitTypeId)
    const notified = toldAt === null ? '' : `${formatOfficeTime(toldAt, zone)}${toldUnit && `, unit ${toldUnit}`}`
    return {
      id,
      since: formatOfficeTime(since, zone),
      told: notified,
      email: maySeeTenants ? email : '',
      size: type ? unitTypeName(type) : '',
      key: may('move-in.desk') ? services.random.uuid() : '',
    }
  })
}

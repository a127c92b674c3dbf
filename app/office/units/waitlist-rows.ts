import { sizeLabel } from '../../../modules/facilities/rules/size-label.ts'
import { loadWaitlist } from '../../../modules/reservations/views/waitlist-entries.ts'
import { officeTime } from '../office-time.ts'
import type { OpenedUnitsPage } from './open-units-page.ts'

const MOST = 200

/**
 * Lists the waitlist of sold-out sizes. E-mail addresses are hidden from staff members who see only their own tasks.
 */
export async function loadWaitlistRows({ services, facts, location, seesTenants, may }: OpenedUnitsPage) {
  const waits = await loadWaitlist(services, location, MOST)
  const zone = facts.location.time_zone
  return waits.map(({ id, unitTypeId, email, since, toldAt, toldUnit }) => {
    const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === unitTypeId)
    const told = toldAt === null ? '' : `${officeTime(toldAt, zone)}${toldUnit && `, unit ${toldUnit}`}`
    return {
      id,
      since: officeTime(since, zone),
      told,
      email: seesTenants ? email : '',
      size: type ? `${sizeLabel(type)} ${type.category_name}` : '',
      key: may('move-in.desk') ? services.random.uuid() : '',
    }
  })
}

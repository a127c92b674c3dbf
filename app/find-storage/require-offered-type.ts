import { data } from 'react-router'
import { loadFacility } from '../../modules/facilities/views/facility-lookups.ts'
import { quoteUnitTypes } from '../../modules/pricing/views/unit-type-quotes.ts'
import type { Services } from '../../platform/operations/services.ts'

/**
 * Loads the facility and priced unit type in the address.
 * @throws 404 if either does not exist, or the facility is not open yet
 */
export async function requireOfferedType(services: Services, params: { locationCode: string; unitTypeId: string }) {
  const { locationCode, unitTypeId } = params
  const facility = /^\d{1,9}$/.test(unitTypeId) ? await loadFacility(services, locationCode) : null
  const quote = facility && (await quoteUnitTypes(services, facility.locationCode))
  const type = quote?.unitTypes.find((unitType) => unitType.unitTypeId === Number(unitTypeId))
  if (!facility || !type || facility.comingSoon) throw data(null, { status: 404 })
  return { facility, type }
}

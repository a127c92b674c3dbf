import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { loadRentChangeDays } from './rent-change-rows.ts'

/** An open lease with its current rent. */
export interface CurrentRent {
  leaseNumber: number
  unitNumber: string
  /** Size label, such as '10 × 10'; '' if the unit type no longer exists. */
  size: string
  movedIn: IsoDate
  lastChange: IsoDate | null
  streetRate: Cents | null
  rent: Cents
}

/** Returns the open leases of a facility with their rents, ordered by unit number. */
export async function loadCurrentRents(services: Services, locationCode: string): Promise<CurrentRent[]> {
  const { read } = services.db
  const facility = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  const leases = await read
    .selectFrom('leases')
    .select(['lease_number', 'unit_number', 'unit_type_id', 'move_in_date', 'rent'])
    .where('location_code', '=', locationCode)
    .where('status', '!=', 'Closed')
    .execute()
  const changeDays = await loadRentChangeDays(read, locationCode, null)
  return leases
    .map((lease) => {
      const type = facility?.unitTypes.find((unitType) => unitType.unit_type_id === lease.unit_type_id)
      return {
        leaseNumber: lease.lease_number,
        unitNumber: lease.unit_number,
        rent: lease.rent,
        movedIn: lease.move_in_date,
        lastChange: changeDays.get(lease.lease_number)?.at(-1) ?? null,
        size: type ? sizeLabel(type) : '',
        streetRate: type?.rent ?? null,
      }
    })
    .sort((a, b) => compareUnitNumbers(a.unitNumber, b.unitNumber))
}

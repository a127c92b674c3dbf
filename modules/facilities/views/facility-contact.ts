import type { Services } from '../../../platform/operations/services.ts'
import { loadFacility } from './facility-lookups.ts'
import { loadSupportPhone } from './support-phone.ts'

/** Name of a facility, its address in one line, and the formatted phone number to call about it. */
export interface FacilityContact {
  name: string
  address: string
  phone: string
}

/** Loads a facility's name, address and phone; null for an unknown code. */
export async function loadFacilityContact(services: Services, locationCode: string): Promise<FacilityContact | null> {
  const facility = await loadFacility(services, locationCode)
  if (!facility) return null
  const { name, address, city, state, zip } = facility
  return {
    name,
    address: `${address}, ${city}, ${state} ${zip}`,
    phone: await loadSupportPhone(services, facility),
  }
}

/** Returns the formatted phone number to call about a facility; the operator's for an unknown code. */
export const loadFacilityPhone = async (services: Services, locationCode: string): Promise<string> =>
  loadSupportPhone(services, await loadFacility(services, locationCode))

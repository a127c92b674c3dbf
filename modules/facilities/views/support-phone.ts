import { formatPhone } from '../../../domain/phone.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadSupportPhoneDigits } from '../choose-support-phone.ts'

/**
 * Loads the phone number to call about a facility, as pages show it: '(404) 555-0147'; '' when none is known.
 * @param location null for the operator's number
 */
export const loadSupportPhone = async (
  services: Services,
  location: { phone: string; state: string } | null,
): Promise<string> => formatPhone(await loadSupportPhoneDigits(services, location))

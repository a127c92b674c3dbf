import type { Services } from '../../platform/operations/services.ts'
import { loadBrand } from './operator-settings-and-brand.ts'

/**
 * Returns the phone number to call about a facility: its own, or its state's, or the operator's. 10 digits; '' when
 * none is known.
 */
export async function loadSupportPhoneDigits(
  services: Services,
  location: { phone: string; state: string } | null,
): Promise<string> {
  const own = supportPhone({ location: location?.phone ?? '' })
  if (own !== '') return own
  const [state, brand] = await Promise.all([
    services.db.read
      .selectFrom('states')
      .select('general_contact_number')
      .where('short_name', '=', location?.state ?? '')
      .executeTakeFirst(),
    loadBrand(services),
  ])
  return supportPhone({ state: state?.general_contact_number ?? '', operator: brand.phone })
}

/** Returns the first known phone of location, state and operator; '' where none has one. */
export function supportPhone(phones: { location?: string; state?: string; operator?: string }): string {
  return phones.location?.trim() || phones.state?.trim() || phones.operator?.trim() || ''
}

import { supportPhone } from '../../domain/business.ts'
import { formatPhone } from '../../domain/phone.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { FacilityFacts } from './facts.ts'
import { brandOf } from './settings.ts'

/** `{phone}` of the messages: the facility's, else its state's, else the operator's. 10 digits, '' when none is known. */
export async function phoneFor(services: Services, location: { phone: string; state: string } | null): Promise<string> {
  if (location?.phone) return location.phone
  if (location?.state) {
    const state = await services.db.read
      .selectFrom('states')
      .select('general_contact_number')
      .where('short_name', '=', location.state)
      .executeTakeFirst()
    if (state?.general_contact_number) return state.general_contact_number
  }
  return (await brandOf(services)).phone
}

/** {phone} of the specified sentences for a facility, as it is read: its own, else its state's, else the operator's. */
export async function phoneOf(services: Services, facts: FacilityFacts): Promise<string> {
  const { phone, state } = facts.location
  if (phone.trim() !== '') return formatPhone(supportPhone({ location: phone }))
  const [row, brand] = await Promise.all([
    services.db.read
      .selectFrom('states')
      .select('general_contact_number')
      .where('short_name', '=', state)
      .executeTakeFirst(),
    services.db.read.selectFrom('settings').select('value').where('name', '=', 'brand').executeTakeFirst(),
  ])
  const operator = brand ? (JSON.parse(brand.value) as { phone?: string }).phone : undefined
  return formatPhone(supportPhone({ state: row?.general_contact_number, ...(operator !== undefined && { operator }) }))
}

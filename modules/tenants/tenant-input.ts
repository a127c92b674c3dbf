import { invalidTenantId } from '../../domain/texts/payment.ts'
import { integer, locationCode } from '../../platform/operations/input-fields.ts'

export const whose = { location_code: locationCode(), tenant_id: integer(invalidTenantId) }

/** The only country whose addresses are taken (spec 1 §1), by ISO 3166. */
export const COUNTRY_ID = 'US'

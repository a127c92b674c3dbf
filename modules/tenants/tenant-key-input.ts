import { invalidTenantId } from '../../domain/texts/payment.ts'
import { integer, locationCode } from '../../platform/operations/input-fields.ts'

export const tenantFields = { location_code: locationCode(), tenant_id: integer(invalidTenantId) }

/** `tenantFields` for office operations, with the general message for an invalid tenant id. */
export const officeTenantFields = { location_code: locationCode(), tenant_id: integer() }

/** ISO 3166 code of the only accepted country (spec 1 §1). */
export const COUNTRY_ID = 'US'

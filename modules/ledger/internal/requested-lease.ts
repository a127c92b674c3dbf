import * as v from 'valibot'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadLease, mayAccessLease } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'

export const requestedLeaseFields = { ...tenantFields, lease_number: integer(invalidLeaseNumber) }

/** Input fields for autopay and payment method, which decide whether a card fee applies. The default is autopay by card. */
export const feeMethodFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/**
 * Access rule, apart from machine keys, of the operations that return a lease's dues or a quote for prepaying. They are
 * open to the tenant, a guest payer of the tenant, and the renter whose reservation created the tenant.
 */
export const payerAccess = {
  tenant: ownTenant,
  guest: ownTenant,
  rental: ownReservationsTenant,
}

/** Loads the lease that the input names, with its facility; undefined if it is unknown or the caller may not see it. */
export async function loadRequestedLease(
  services: Services,
  input: { location_code: string; tenant_id: number; lease_number: number },
  callers: Callers,
) {
  const [lease, factsByCode] = await Promise.all([
    loadLease(services, input, input.lease_number),
    loadFacilityFacts(services, [input.location_code]),
  ])
  const facts = factsByCode.get(input.location_code)
  return lease && facts && mayAccessLease(callers, input, lease.reservation_code) ? { lease, facts } : undefined
}

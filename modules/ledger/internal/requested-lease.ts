import * as v from 'valibot'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityFacts } from '../../facilities/facility-facts.ts'
import { loadLease, mayAccessLease, tenantFields } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'

export const requestedLeaseFields = { ...tenantFields, lease_number: integer(invalidLeaseNumber) }

/** Input fields for the payment method, which decides on the card fee. The default is autopay by card. */
export const feeMethodFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/** Access to dues and prepayment quotes: the tenant, a guest payer, or the renter who holds the tenant's reservation. */
export const payerAccess = {
  tenant: ownTenant,
  guest: ownTenant,
  rental: ownReservationsTenant,
}

/** Returns the lease that the input names, with its facility; undefined if there is none or the caller may not access it. */
export async function loadRequestedLease(
  services: Services,
  input: { location_code: string; tenant_id: number; lease_number: number },
  callers: Callers,
) {
  const [lease, factsByCode] = await Promise.all([
    loadLease(services, input, input.lease_number),
    facilityFacts(services, [input.location_code]),
  ])
  const facts = factsByCode.get(input.location_code)
  return lease && facts && mayAccessLease(callers, input, lease.reservation_code) ? { lease, facts } : undefined
}

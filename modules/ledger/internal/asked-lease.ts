import * as v from 'valibot'
import { type Callers, keyAt, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { leaseRow, reaches, whose } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'

export const leaseFields = { ...whose, lease_number: integer(invalidLeaseNumber) }

/**
 * Input fields for the payment method, which decides on the card fee. The default is autopay, which is offered first.
 */
export const paymentFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/** Access rule of dues and quotes: the tenant, a guest payer, the renter of the tenant's reservation, or a key that reads tenants. */
export const payersAccess = {
  tenant: ownTenant,
  guest: ownTenant,
  rental: ownReservationsTenant,
  machine: keyAt('tenants'),
}

/** Returns the lease that the input names, with its facility; undefined when the caller may not read such a lease. */
export async function askedLease(
  services: Services,
  input: { location_code: string; tenant_id: number; lease_number: number },
  callers: Callers,
) {
  const [lease, gathered] = await Promise.all([
    leaseRow(services, input, input.lease_number),
    facilityFacts(services, [input.location_code]),
  ])
  const facts = gathered.get(input.location_code)
  return lease && facts && reaches(callers, input, lease.reservation_code) ? { lease, facts } : undefined
}

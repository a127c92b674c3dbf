import * as v from 'valibot'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { leaseRow, reaches, whose } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'

export const leaseFields = { ...whose, lease_number: integer(invalidLeaseNumber) }

/** How the amount would be paid; it decides on the card fee. Left out: with autopay, which is what is offered first. */
export const paymentFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/** Dues and quotes: also for guest payers. */
export const payersAccess = { tenant: ownTenant, guest: ownTenant, rental: ownReservationsTenant }

/** The lease that is asked about, with its facility; undefined where this caller has no such lease. */
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

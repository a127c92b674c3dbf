import * as v from 'valibot'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import { type Callers, ownTenant } from '../../../platform/operations/callers.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import type { Lease } from '../schedule-and-cancel-move-out.ts'

/**
 * Input fields that name a lease. The tenant is optional, since the specification's fields lack it; `findCallerLease`
 * finds only leases of the caller.
 */
export const callerLeaseFields = {
  location_code: locationCode(),
  tenant_id: v.optional(integer(invalidTenantId)),
  lease_number: integer(invalidLeaseNumber),
}

/** Returns the lease that the input names if it belongs to the calling tenant; otherwise undefined. */
export async function findCallerLease(
  services: Services,
  input: { location_code: string; tenant_id?: number | undefined; lease_number: number },
  callers: Callers,
): Promise<Lease | undefined> {
  const lease = await services.db.read
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code: input.location_code, lease_number: input.lease_number }))
    .executeTakeFirst()
  if (!lease || (input.tenant_id !== undefined && lease.tenant_id !== input.tenant_id)) return undefined
  return callers.tenant && ownTenant(callers.tenant, lease) ? lease : undefined
}

/** Output fields that scheduling and cancelling a move-out share: success flag and error message. */
export const savedFields = {
  ...textFields('SaveSuccessful', 'ErrorMessage'),
}

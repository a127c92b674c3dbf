import { DAY } from '../../../domain/durations.ts'
import { nameKey } from '../../../domain/name-and-email-keys.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mailedLinkLimit } from '../internal/mailed-link-limit.ts'

/**
 * Mails a registration link to the e-mail address on file of the tenant with the last name and the rented unit, at most
 * once a day (UTC). Mails nothing to a tenant with an account, nor before the facility's takeover. With the link the
 * tenant can register even after others have used up the attempts at the tenant's unit in the form. Returns nothing, so
 * that no response reveals whether a tenant was found.
 * @param address network address of the visitor
 */
export async function mailRegistrationLink(
  services: Services,
  input: { location_code: string; unit_number: string; last_name: string },
  address: string,
): Promise<void> {
  const limitResult = await services.limits.consumeFrom(address, 'invite', mailedLinkLimit)
  if (!limitResult.allowed) return
  const found = await services.db.read
    .selectFrom('tenants')
    .crossJoin('leases')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select('tenants.tenant_id')
    .whereRef('leases.location_code', '=', 'tenants.location_code')
    .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
    .where('tenants.location_code', '=', input.location_code)
    .where('last_key', '=', nameKey(input.last_name))
    .where('leases.status', '!=', 'Closed')
    .where('coming_soon', '=', 0)
    .where('account_id', 'is', null)
    .where('email_key', '!=', '')
    .where('unit_number', '=', input.unit_number)
    .executeTakeFirst()
  if (!found) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'register_link',
    once: `${input.location_code}:${found.tenant_id}:${Math.floor(now / DAY)}`,
    payload: { locationCode: input.location_code, tenantId: found.tenant_id },
    runAt: now,
  })
}

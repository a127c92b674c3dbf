import * as v from 'valibot'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayOverwriteIdentity } from '../../leases/tenants-with-protected-identity.ts'
import { military as militaryForm } from '../../move-in/rules/move-in-form.ts'
import { loadTenant, tenantNotFound } from '../tenant.ts'
import { tenantFields } from '../tenant-key-input.ts'

export const UpdateTenantMilitaryStatus = operation({
  name: 'UpdateTenantMilitaryStatus',
  summary: 'Sets whether a tenant is on active duty, with branch, base and commanding officer.',
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...tenantFields,
    active_military: flag(),
    military_branch: optionalText(100),
    military_base: optionalText(100),
    commanding_officer: optionalText(120),
  }),
  output: v.object({ SaveSuccessful: v.string() }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      active_military: 1,
      military_branch: 'Navy',
      military_base: 'Joint Base Charleston',
      commanding_officer: 'Cmdr. Ellen Strom',
    },
    output: { SaveSuccessful: 'True' },
  },
  async run(services, { location_code, tenant_id, active_military, ...details }, callers) {
    const parsedDetails = active_military ? v.safeParse(militaryForm, details) : null
    if (parsedDetails && !parsedDetails.success) {
      const fields: Record<string, string> = {}
      for (const issue of parsedDetails.issues) fields[v.getDotPath(issue) ?? 'active_military'] ??= issue.message
      return refuse(400, 'invalid_input', someFieldsInvalid, { fields })
    }
    const tenant = await loadTenant(services.db.read, location_code, tenant_id)
    if (!tenant) return tenantNotFound()
    // A rental session cannot end a service member's protection if it only found the reservation, or if the tenant has
    // or had a lease, or has an account.
    const mayReplace = await mayOverwriteIdentity(services.db.read, callers, tenant)
    const row = await services.db.write
      .updateTable('tenants')
      .set({
        active_military: parsedDetails ? 1 : 0,
        military: JSON.stringify(parsedDetails ? parsedDetails.output : {}),
      })
      .where((eb) => eb.and({ location_code, tenant_id }))
      .$if(!mayReplace, (query) => query.where('active_military', '=', 0))
      .returning('tenant_id')
      .executeTakeFirst()
    // For such a session, setting a status that is active already succeeds without a change; ending it is refused.
    if (!row && !mayReplace && !parsedDetails) {
      services.security.record('access.denied', { operation: 'UpdateTenantMilitaryStatus' })
      return refuse(403, 'forbidden', 'You may not do this.')
    }
    return row || !mayReplace ? succeed({ SaveSuccessful: 'True' }) : tenantNotFound()
  },
})

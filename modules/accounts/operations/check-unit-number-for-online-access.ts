import * as v from 'valibot'
import { tenantNotFoundByUnit } from '../../../domain/texts/account.ts'
import { guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'

export const CheckUnitNumber = operation({
  name: 'CheckUnitNumberForOnlineAccess',
  summary: 'The tenant who rents a unit, for the browser that has named their other details.',
  access: {
    tenant: (caller, input) => caller.tenants.some((tenant) => tenant.locationCode === input.location_code),
    registrant: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object({ location_code: locationCode(), unit_number: requiredText(20) }),
  output: v.object({ User: v.array(v.object({ TenantID: v.number() })), ErrorMessage: v.string() }),
  wrapper: 'UserDetails',
  limit: guessLimits.unit.address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_number: '318' },
    output: { User: [{ TenantID: 1001 }], ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const ownTenants = [...(callers.tenant?.tenants ?? []), ...(callers.registrant ? [callers.registrant] : [])].filter(
      (tenant) => tenant.locationCode === input.location_code,
    )
    const found = await services.db.read
      .selectFrom('leases')
      .select('tenant_id')
      .where('location_code', '=', input.location_code)
      .where('status', '!=', 'Closed')
      // Limited to the caller's tenants, so that a unit's tenant is not revealed to others. The id -1, which no tenant
      // has, keeps the list from being empty.
      .where('tenant_id', 'in', [-1, ...ownTenants.map((tenant) => tenant.tenantId)])
      .where('unit_number', '=', input.unit_number)
      .executeTakeFirst()
    return succeed(
      found
        ? { User: [{ TenantID: found.tenant_id }], ErrorMessage: '' }
        : { User: [], ErrorMessage: tenantNotFoundByUnit },
    )
  },
})

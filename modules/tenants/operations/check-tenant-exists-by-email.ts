import * as v from 'valibot'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { findProtectedTenants } from '../../leases/tenants-with-protected-identity.ts'
import { tenantExists } from '../../reservations/texts/reserve.ts'
import { email, type Tenant } from '../tenant.ts'

export const GetTenantDetailsByEmail = operation({
  name: 'GetTenantDetailsByEmail',
  summary:
    'Whether a tenant on file has this e-mail address, so that the contact form may ask. Only the own account sees which.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()), email }),
  output: v.object({
    ...textFields('TenantExists', 'Message'),
    /** Tenants of the caller's own account that have this address; empty for other callers. */
    Tenant: v.array(v.object({ location_code: v.string(), tenantId: v.number() })),
  }),
  // Limit for each network address, which a household or office shares. Lookups of one e-mail address are limited more
  // tightly below.
  limit: guessLimits['tenant e-mail'].address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', email: 'marcus.tilley@example.com' },
    output: { TenantExists: 'True', Message: 'A tenant with this email address already exists.', Tenant: [] },
  },
  async run(services, input, callers) {
    const key = emailKey(input.email)
    const name = `tenant-by-email:${services.sealer.fingerprint(key, 'limit')}`
    const limited = await checkAndCountGuess(services, 'tenant e-mail', { name })
    if (limited) return limited
    await countWrongGuess(services, 'tenant e-mail')
    let found: Tenant | undefined
    if (input.location_code !== undefined) {
      found = (await findProtectedTenants(services.db.read, input.location_code, key))[0]
    } else {
      const rows = await services.db.read
        .selectFrom('tenants')
        .select('location_code')
        .distinct()
        .where('email_key', '=', key)
        .execute()
      for (const row of rows) found ??= (await findProtectedTenants(services.db.read, row.location_code, key))[0]
    }
    const ownTenants =
      callers.tenant === undefined || callers.tenant.tenants.length === 0
        ? []
        : await services.db.read
            .selectFrom('tenants')
            .select(['location_code', 'tenant_id'])
            .where('email_key', '=', key)
            .where('account_id', '=', callers.tenant.accountId)
            .orderBy('location_code')
            .execute()
    return succeed({
      TenantExists: found ? 'True' : 'False',
      Message: found ? tenantExists : '',
      Tenant: ownTenants.map((row) => ({ location_code: row.location_code, tenantId: row.tenant_id })),
    })
  },
})

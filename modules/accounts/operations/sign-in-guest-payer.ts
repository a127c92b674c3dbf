import * as v from 'valibot'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import { comingSoon, emailNotFound, tenantNotFoundByEmail } from '../../../domain/texts/account.ts'
import { countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { OFFICE_FACILITY_ID } from '../../facilities/rules/operator-office-facility-id.ts'
import { countLookup } from '../internal/count-lookup.ts'
import { findEmail } from '../rules/account-forms.ts'
import { insertSignIn } from '../sessions.ts'

export const signInGuestPayer = operation({
  name: 'find-email',
  summary:
    'Whoever pays without an account names an e-mail address; the token reaches its units, dues and payments only.',
  access: 'anyone',
  input: findEmail,
  output: v.object({ result: v.string(), message: v.string(), token: v.string() }),
  limit: guessLimits['guest e-mail'].address,
  writes: true,
  example: {
    input: { email: 'marcus.tilley@example.com' },
    output: {
      result: 'success',
      message: '',
      token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  async run(services, { email }, callers) {
    const key = emailKey(email)
    const limited = await countLookup(services, 'guest e-mail', `guest:${key}`)
    if (limited) return limited
    const tenants = await services.db.read
      .selectFrom('tenants')
      .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
      .leftJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id')
          .on('leases.status', '!=', 'Closed'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id', 'lease_number', 'coming_soon'])
      .where('email_key', '=', key)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('tenants.location_code')
      .orderBy('tenants.tenant_id')
      .limit(50)
      .execute()
    // A tenant without an open lease, who only reserved or has moved out, has no units to pay for.
    const renting = tenants.filter((tenant) => tenant.lease_number !== null)
    // The balances of a facility that is coming soon are known only after its takeover.
    const found = renting.find((tenant) => tenant.coming_soon === 0)
    if (!found && renting.length > 0) return succeed({ result: 'failed', message: comingSoon, token: '' })
    if (!found) {
      await countWrongGuess(services, 'guest e-mail')
      const message = tenants.length > 0 ? tenantNotFoundByEmail : emailNotFound
      return succeed({ result: 'failed', message, token: '' })
    }
    const { location_code, tenant_id } = found
    const token = await insertSignIn(services.db.write, services, { location_code, tenant_id }, callers)
    return succeed({ result: 'success', message: '', token })
  },
})

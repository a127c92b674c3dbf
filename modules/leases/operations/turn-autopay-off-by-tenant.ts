import * as v from 'valibot'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { clearAutopay } from '../autopay-mandate.ts'
import { leaseNotFound } from '../lease.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const UpdateAutoPayInformation = operation({
  name: 'UpdateAutoPayInformation',
  summary:
    'Turns autopay off: called with blank card fields (spec 2 §7). On, or to another card or account, the tenant turns it on the page of the unit, or by paying with autopay chosen.',
  access: { tenant: ownTenant },
  input: v.object({
    ...tenantFields,
    lease_number: integer(invalidLeaseNumber),
    autopay_bit: v.optional(flag(), false),
    cc_no: optionalText(30),
    cc_name: optionalText(100),
    cc_type: optionalText(20),
    cc_expiration_date: optionalText(10),
    cc_address: optionalText(50),
    cc_postal_code: optionalText(10),
    token: optionalText(100),
  }),
  output: v.object({ SaveSuccessful: v.string(), ErrorMessage: v.string() }),
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, autopay_bit: '0', cc_no: '' },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input) {
    const { cc_no, cc_name, cc_type, cc_expiration_date, cc_address, cc_postal_code, token } = input
    const hasCardField = [cc_no, cc_name, cc_type, cc_expiration_date, cc_address, cc_postal_code, token].some(Boolean)
    if (input.autopay_bit || hasCardField) {
      return succeed({
        SaveSuccessful: 'False',
        ErrorMessage:
          'Autopay is turned on by the tenant, on the page of the unit or by a payment made with autopay chosen.',
      })
    }
    const lease = await services.db.read
      .selectFrom('leases')
      .select(['location_code', 'lease_number'])
      .where(isTenant(input))
      .where('lease_number', '=', input.lease_number)
      .executeTakeFirst()
    if (!lease) return leaseNotFound()
    await services.db.transaction((tx) => clearAutopay(tx, services, lease))
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
  },
})

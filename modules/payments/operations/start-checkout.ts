import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { startCheckout } from '../price-checkout.ts'
import { paysFields } from '../rules/checkout-terms.ts'

export const StartCheckout = internalOperation({
  name: 'start-checkout',
  access: {
    tenant: (caller, input) => input.payer === 'tenant' && ownTenant(caller, input),
    guest: (caller, input) => input.payer === 'guest' && ownTenant(caller, input),
  },
  input: v.object({
    ...tenantFields,
    lease_number: integer(invalidLeaseNumber),
    payer: v.picklist(['tenant', 'guest']),
    ...paysFields,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      payer: 'tenant',
      pays: 'prepay',
      periods: 1,
      autopay: false,
    },
  },
  async run(services, { location_code, tenant_id, lease_number, ...terms }, { guest }) {
    const started = await startCheckout(services, {
      ...terms,
      locationCode: location_code,
      tenantId: tenant_id,
      leaseNumber: lease_number,
      guest: terms.payer === 'guest' ? guest?.signIn : undefined,
    })
    return started.ok ? succeed({ checkoutId: started.checkoutId }) : refuse(409, 'not_payable', started.message)
  },
})

import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { MAX_UNITS } from '../internal/price-multi-unit-payment.ts'
import { startCheckout } from '../price-checkout.ts'
import { paysFields } from '../rules/checkout-terms.ts'

/** Starts a checkout for several units of a tenant: their dues, periods ahead of each, or autopay for each. */
export const StartUnitsCheckout = internalOperation({
  name: 'start-units-checkout',
  access: { tenant: ownTenant },
  input: v.object({
    ...tenantFields,
    lease_numbers: v.pipe(v.array(integer(invalidLeaseNumber)), v.minLength(1), v.maxLength(MAX_UNITS)),
    ...paysFields,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_numbers: [10001],
      pays: 'prepay',
      periods: 1,
      autopay: false,
    },
  },
  async run(services, { location_code, tenant_id, lease_numbers, ...terms }) {
    const [first = 0] = lease_numbers
    const started = await startCheckout(services, {
      ...terms,
      payer: 'units',
      locationCode: location_code,
      tenantId: tenant_id,
      leaseNumber: first,
      leaseNumbers: lease_numbers,
    })
    return started.ok ? succeed({ checkoutId: started.checkoutId }) : refuse(409, 'not_payable', started.message)
  },
})

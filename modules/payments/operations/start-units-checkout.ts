import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { tenantFields } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { startCheckout } from '../checkout.ts'
import { MAX_UNITS } from '../multi-unit-payment.ts'

/** Starts a checkout for the dues of several units of a tenant. */
export const StartUnitsCheckout = internalOperation({
  name: 'start-units-checkout',
  access: { tenant: ownTenant },
  input: v.object({
    ...tenantFields,
    lease_numbers: v.pipe(v.array(integer(invalidLeaseNumber)), v.minLength(1), v.maxLength(MAX_UNITS)),
  }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_numbers: [10001] } },
  async run(services, { location_code, tenant_id, lease_numbers }) {
    const [first = 0] = lease_numbers
    const started = await startCheckout(services, {
      payer: 'units',
      locationCode: location_code,
      tenantId: tenant_id,
      leaseNumber: first,
      leaseNumbers: lease_numbers,
      pays: 'dues',
      periods: 1,
      autopay: false,
    })
    return started.ok ? succeed({ checkoutId: started.checkoutId }) : refuse(409, 'not_payable', started.message)
  },
})

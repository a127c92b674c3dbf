import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { acceptTerms } from '../internal/accept-updated-terms.ts'

export const AcceptTerms = internalOperation({
  name: 'accept-terms',
  access: { tenant: ownTenant },
  input: v.object({ ...tenantFields, lease_number: integer(invalidLeaseNumber), hash: unmodifiedText }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, hash: 'none' } },
  async run(services, { location_code, tenant_id, lease_number, hash }, { address, agent }) {
    const lease = { locationCode: location_code, tenantId: tenant_id, leaseNumber: lease_number }
    return succeed(await acceptTerms(services, lease, { hash, address, agent }))
  },
})

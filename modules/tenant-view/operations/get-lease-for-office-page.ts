import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { officeTenantFields } from '../../tenants/tenant-key-input.ts'
import { loadTransfers } from '../../transfers/transfer-rows.ts'
import { auditTenantOpening } from '../internal/audit-staff-opening-tenant-file.ts'
import { loadTenantForStaff } from '../views/permitted-tenant-and-leases.ts'
import { loadDocuments, loadTenantViewLeases } from '../views/tenant-page.ts'

export const GetLeaseFile = internalOperation({
  name: 'GetLeaseFile',
  access: { staff: mayAtFacility('file.read') },
  writes: false,
  input: v.object({ ...officeTenantFields, lease_number: integer() }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 } },
  async run(services, { lease_number, ...input }, callers) {
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    const file = await loadTenantForStaff(services, staffOf(callers), tenantKey)
    const lease = file?.leases.find((lease) => lease.lease_number === lease_number)
    if (!file || !lease) return recordNotFound
    const { read } = services.db
    const [[leaseSection], documents, transfers] = await Promise.all([
      loadTenantViewLeases(services, { ...file, leases: [lease] }, staffOf(callers)),
      loadDocuments(read, { ...tenantKey, leases: [lease] }),
      loadTransfers(read, lease),
      auditTenantOpening(services, callers, tenantKey),
    ])
    return leaseSection
      ? succeed({
          facts: file.facts,
          tenant: file.tenant,
          lease,
          shown: leaseSection,
          documents,
          transfers,
          others: file.leases.length - 1,
        })
      : recordNotFound
  },
})

import * as v from 'valibot'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { OFFICE_FACILITY_ID } from '../../facilities/rules/operator-office-facility-id.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'

export const GetTenantUnitList_V1 = operation({
  name: 'GetTenantUnitList_V1',
  summary: "A tenant's rented units with their lease numbers.",
  access: { tenant: ownTenant, guest: ownTenant },
  input: v.object(tenantFields),
  output: v.object({ Unit: v.array(v.object({ UnitNumber: v.string(), LeaseNumber: v.number() })) }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: { Unit: [{ UnitNumber: '318', LeaseNumber: 10001 }] },
  },
  async run(services, { location_code, tenant_id }) {
    const rows = await services.db.read
      .selectFrom('leases')
      .innerJoin('locations', 'locations.location_code', 'leases.location_code')
      .where(isTenant({ location_code, tenant_id }, 'leases'))
      .where('leases.status', '!=', 'Closed')
      // Units of the operator's office are skipped (spec 2 §2).
      .where('locations.facility_id', '!=', OFFICE_FACILITY_ID)
      .select(['unit_number', 'lease_number'])
      .orderBy('lease_number')
      .execute()
    return succeed({ Unit: rows.map((row) => ({ UnitNumber: row.unit_number, LeaseNumber: row.lease_number })) })
  },
})

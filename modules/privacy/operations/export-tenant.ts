import * as v from 'valibot'
import { DAY } from '../../../domain/durations.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockStaffMember } from '../../staff/staff-members.ts'
import { loadTenantForStaff } from '../../tenant-view/views/permitted-tenant-and-leases.ts'
import { exportTenantArchive } from '../export-tenant.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'
import { exportsSpent } from '../texts/tenant-export-and-erasure-refusals.ts'

/**
 * Exports a tenant's data. The archive is generated while it is sent; the audit event is written before the first byte.
 */
export const ExportTenant = officeOperation({
  name: 'ExportTenant',
  permission: 'tenant.export',
  button: { label: 'Export', key: 'x', place: 17, page: 'export', about: 'tenant' },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), tenant_id: integer() }),
  example: { location_code: 'ATL01', tenant_id: 1001 },
  async before(services, { location_code, tenant_id }, callers) {
    const staff = staffOf(callers)
    const tenant = { locationCode: location_code, tenantId: tenant_id }
    const file = await loadTenantForStaff(services, staff, tenant, 'tenant.export')
    if (!file) throw new RefusalError(recordNotFound)
    const { name, time_zone } = file.facts.location
    const exporter = { by: staff.name, at: services.clock.now(), facility: name, timeZone: time_zone }
    return exportTenantArchive(services, { ...tenant, ...exporter })
  },
  async work({ tx, services, staff, audit }, { location_code, tenant_id }, content) {
    const { exportsPerDay } = await loadPrivacyTerms(tx)
    await lockStaffMember(tx, staff.staffId)
    const recentExports = await tx
      .selectFrom('audit_events')
      .select('event_id')
      .where('staff_id', '=', staff.staffId)
      .where('kind', '=', 'tenant.exported')
      .where('at', '>', services.clock.now() - DAY)
      .limit(exportsPerDay)
      .execute()
    if (recentExports.length >= exportsPerDay) throw refusalError(429, 'too_many', exportsSpent(exportsPerDay))
    await audit({ kind: 'tenant.exported', details: {} })
    return { name: `tenant-${location_code}-${tenant_id}.zip`, content }
  },
})

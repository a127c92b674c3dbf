import * as v from 'valibot'
import { DAY } from '../../../domain/durations.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { lockStaffMember } from '../../staff/staff-members.ts'
import { openTenant } from '../../tenant-view/open-tenant.ts'
import { exportTenantArchive } from '../export-tenant.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'
import { exportsSpent } from '../texts/office-privacy.ts'

/**
 * Exports a tenant's data. The archive is generated while it is sent; the audit event is written before the first byte.
 */
export const ExportTenant = internalOperation({
  name: 'ExportTenant',
  button: { label: 'Export', key: 'x', place: 17, page: 'export', permission: 'tenant.export', about: 'tenant' },
  access: { staff: mayAtFacility('tenant.export') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), tenant_id: integer() }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001 } },
  async run(services, { location_code, tenant_id }, callers) {
    const staff = staffOf(callers)
    const tenant = { locationCode: location_code, tenantId: tenant_id }
    const file = await openTenant(services, staff, tenant, 'tenant.export')
    if (!file) return recordNotFound
    const at = services.clock.now()
    const refusal = await services.db.transaction(async (tx) => {
      const { exportsPerDay } = await loadPrivacyTerms(tx)
      await lockStaffMember(tx, staff.staffId)
      const recentExports = await tx
        .selectFrom('audit_events')
        .select('event_id')
        .where('staff_id', '=', staff.staffId)
        .where('kind', '=', 'tenant.exported')
        .where('at', '>', at - DAY)
        .limit(exportsPerDay)
        .execute()
      if (recentExports.length >= exportsPerDay) return refuse(429, 'too_many', exportsSpent(exportsPerDay))
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'tenant.exported',
        details: {},
        permission: 'tenant.export',
        ...tenant,
      })
      return null
    })
    if (refusal) return refusal
    const { name, time_zone } = file.facts.location
    const content = await exportTenantArchive(services, {
      ...tenant,
      by: staff.name,
      at,
      facility: name,
      timeZone: time_zone,
    })
    return content ? succeed({ name: `tenant-${location_code}-${tenant_id}.zip`, content }) : recordNotFound
  },
})

import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { noCellPhone, stoppedByOffice } from '../../messages/texts/sms-consent.ts'
import { tenantFields } from '../internal/staff-tenant-input.ts'
import { stopTexts } from '../sms-consent.ts'
import { loadTenant } from '../tenant.ts'

/** Stops text messages to a tenant's cell phone, as the tenant asked. */
export const StopTexts = internalOperation({
  name: 'StopTexts',
  access: { staff: mayAtFacility('note.write') },
  input: v.object(tenantFields),
  example: { input: { location_code: 'ATL01', tenant_id: 1001 } },
  async run(services, { location_code, tenant_id }, callers) {
    const { staffId } = staffOf(callers)
    return services.db.transaction(async (tx) => {
      const tenant = await loadTenant(tx, location_code, tenant_id)
      if (tenant?.erased_at !== null) return recordNotFound
      if (tenant.cell_phone === '') return refuse(409, 'no_phone', noCellPhone)
      await stopTexts(tx, services, {
        phone: tenant.cell_phone,
        askedAt: 'office',
        wording: stoppedByOffice,
        staffId,
      })
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'texts.stopped',
        details: {},
        permission: 'note.write',
        locationCode: location_code,
        tenantId: tenant_id,
      })
      return succeed({ saved: true })
    })
  },
})

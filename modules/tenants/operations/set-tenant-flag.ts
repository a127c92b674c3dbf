import * as v from 'valibot'
import { flagNames } from '../../../domain/office/tenant-flags.ts'
import { sayWhy } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { flag } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { clearFlag, loadFlags, setFlag } from '../flags.ts'
import { noteField, tenantFields } from '../internal/staff-tenant-input.ts'
import { loadTenant } from '../tenant.ts'

export const SetTenantFlag = internalOperation({
  name: 'SetTenantFlag',
  button: { label: 'Flags', key: 'f', place: 16, page: 'flags', permission: 'tenant.flag', about: 'tenant' },
  access: { staff: mayAtFacility('tenant.flag') },
  input: v.object({
    ...tenantFields,
    flag: v.picklist(flagNames),
    on: flag(),
    reason: v.pipe(noteField(500), v.minLength(1, sayWhy)),
  }),
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, flag: 'no_checks', on: '1', reason: 'Check 1042 came back.' },
  },
  async run(services, { location_code, tenant_id, flag: which, on, reason }, callers) {
    const tenantKey = { locationCode: location_code, tenantId: tenant_id }
    return services.db.transaction(async (tx) => {
      if ((await loadTenant(tx, location_code, tenant_id))?.erased_at !== null) return recordNotFound
      const { staffId } = staffOf(callers)
      const wasSet = (await loadFlags(tx, tenantKey)).some((stored) => stored.flag === which)
      if (on) await setFlag(tx, services, { ...tenantKey, flag: which, note: reason, staffId })
      else if (wasSet) await clearFlag(tx, { ...tenantKey, flag: which })
      if (on || wasSet)
        await writeAuditEvent(tx, services, staffActor(callers), {
          kind: on ? 'flag.set' : 'flag.cleared',
          details: { flag: which },
          permission: 'tenant.flag',
          reason,
          ...tenantKey,
        })
      return succeed({ saved: true })
    })
  },
})

import * as v from 'valibot'
import { flagNames } from '../../../domain/office/tenant-flags.ts'
import { sayWhy } from '../../../domain/texts/office-refusals.ts'
import { flag } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { clearFlag, loadFlags, setFlag } from '../flags.ts'
import { noteField, requireTenant } from '../internal/note-field-and-require-tenant.ts'
import { officeTenantFields } from '../tenant-key-input.ts'

export const SetTenantFlag = officeOperation({
  name: 'SetTenantFlag',
  button: { label: 'Flags', key: 'f', place: 16, page: 'flags', about: 'tenant' },
  permission: 'tenant.flag',
  input: v.object({
    ...officeTenantFields,
    flag: v.picklist(flagNames),
    on: flag(),
    reason: v.pipe(noteField(500), v.minLength(1, sayWhy)),
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, flag: 'no_checks', on: '1', reason: 'Check 1042 came back.' },
  async work({ tx, services, staff, audit, leaveUnchanged }, { location_code, tenant_id, flag: which, on, reason }) {
    const tenantKey = { locationCode: location_code, tenantId: tenant_id }
    await requireTenant(tx, { location_code, tenant_id })
    const wasSet = (await loadFlags(tx, tenantKey)).some((stored) => stored.flag === which)
    if (on) {
      await setFlag(tx, services, { ...tenantKey, flag: which, note: reason, staffId: staff.staffId })
      await audit({ kind: 'flag.set', details: { flag: which } })
    } else if (wasSet) {
      await clearFlag(tx, { ...tenantKey, flag: which })
      await audit({ kind: 'flag.cleared', details: { flag: which } })
    } else leaveUnchanged()
    return { saved: true }
  },
})

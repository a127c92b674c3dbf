import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { uuid } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { endOverrides } from '../gate-overrides.ts'
import { gateExample, gateFields, lockTenantForGateChange } from '../internal/lock-tenant-for-gate-change.ts'

export const EndGateOverride = officeOperation({
  name: 'EndGateOverride',
  permission: 'gate.override',
  input: v.object({ ...gateFields, override_id: uuid() }),
  example: { ...gateExample, override_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' },
  async work(act, input) {
    const { suspended, units } = await lockTenantForGateChange(act, input)
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    const now = act.services.clock.now()
    if (suspended?.overrideId === input.override_id) {
      await endOverrides(act.tx, { ...tenantKey, leaseNumber: null, kind: 'suspended' }, now)
      await act.audit({ kind: 'gate.suspension_ended', details: {} })
      return { ended: true }
    }
    const unit = units.find((unit) => unit.lifted?.overrideId === input.override_id)
    if (!unit) throw refusalError(409, 'decided', alreadyDecided)
    await endOverrides(act.tx, { ...tenantKey, leaseNumber: unit.leaseNumber, kind: 'lifted' }, now)
    await act.audit({ kind: 'overlock.lift_ended', details: { unit: unit.unitNumber } })
    return { ended: true }
  },
})

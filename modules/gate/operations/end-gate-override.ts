import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office.ts'
import { may } from '../../../platform/operations/callers.ts'
import { uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { gate, gateExample, gateNow } from '../gate-input.ts'
import { endOverrides } from '../gate-overrides.ts'

export const EndGateOverride = internalOperation({
  name: 'EndGateOverride',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, override_id: uuid() }),
  example: { input: { ...gateExample, override_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run(services, input, callers) {
    const { tenant_id: tenantId } = input
    const about = { tenantId, permission: 'gate.override' as const, operation: 'EndGateOverride', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      const { suspended, units } = await gateNow(tx, services, input, end)
      const of = { locationCode: input.location_code, tenantId }
      const now = services.clock.now()
      if (suspended?.overrideId === input.override_id) {
        await endOverrides(tx, { ...of, leaseNumber: null, kind: 'suspended' }, now)
        return { done: { ended: true }, event: { kind: 'gate.suspension_ended', details: {} } }
      }
      const unit = units.find((one) => one.lifted?.overrideId === input.override_id)
      if (!unit) return end(refuse(409, 'decided', alreadyDecided))
      await endOverrides(tx, { ...of, leaseNumber: unit.leaseNumber, kind: 'lifted' }, now)
      return { done: { ended: true }, event: { kind: 'overlock.lift_ended', details: { unit: unit.unitNumber } } }
    })
  },
})

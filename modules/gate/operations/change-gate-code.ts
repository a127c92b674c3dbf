import * as v from 'valibot'
import { gateCodeNotAllowed, gateCodeTaken, noGateCode } from '../../../domain/texts/office.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import { may } from '../../../platform/operations/callers.ts'
import { optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { changeGateCode } from '../change-gate-code.ts'
import { gate, gateExample, gateNow } from '../gate-input.ts'
import { isGateCode } from '../rules/gate-code.ts'

export const ChangeGateCode = internalOperation({
  name: 'ChangeGateCode',
  access: { staff: may('gate.code') },
  input: v.object({
    ...gate,
    /** '' draws one. */
    gate_code: optional(20),
  }),
  example: { input: { ...gateExample, gate_code: '' } },
  run(services, input, callers) {
    const wanted = input.gate_code.replaceAll(/[\s-]/g, '')
    const about = { tenantId: input.tenant_id, permission: 'gate.code' as const, operation: 'ChangeGateCode', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      await gateNow(tx, services, input, end)
      const wrong = (why: string) => end(refuse(409, 'gate_code', why, { fields: { gate_code: why } }))
      if (wanted !== '' && !isGateCode(wanted)) wrong(gateCodeNotAllowed)
      const of = { locationCode: input.location_code, tenantId: input.tenant_id }
      const changed = await changeGateCode(tx, services, of, wanted || null)
      if (!changed.ok) return wrong(changed.why === 'taken' ? gateCodeTaken : noGateCode)
      await enqueue(tx, {
        kind: 'gate_code_changed',
        once: `${of.locationCode}:${of.tenantId}:${services.clock.now()}`,
        payload: of,
        runAt: services.clock.now(),
      })
      return {
        done: { gate_code: changed.code, units: changed.units },
        event: { kind: 'gate.code_changed', details: { units: changed.units.join(', ') } },
      }
    })
  },
})

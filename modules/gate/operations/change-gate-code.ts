import * as v from 'valibot'
import { gateCodeNotAllowed, gateCodeTaken, noGateCode } from '../../../domain/texts/office.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { changeGateCode } from '../change-gate-code.ts'
import { gateExample, gateFields, lockGateState } from '../gate-input.ts'
import { isGateCode } from '../rules/gate-code.ts'

export const ChangeGateCode = officeOperation({
  name: 'ChangeGateCode',
  permission: 'gate.code',
  button: { label: 'Gate', key: 'g', place: 5, page: 'gate', about: 'tenant' },
  input: v.object({
    ...gateFields,
    /** Requested code; '' to generate one. */
    gate_code: optionalText(20),
  }),
  example: { ...gateExample, gate_code: '' },
  async work(act, input) {
    const { tx, services } = act
    await lockGateState(act, input)
    const wanted = input.gate_code.replaceAll(/[\s-]/g, '')
    if (wanted !== '' && !isGateCode(wanted)) throw wrongCode(gateCodeNotAllowed)
    const of = { locationCode: input.location_code, tenantId: input.tenant_id }
    const changed = await changeGateCode(tx, services, of, wanted || null)
    if (!changed.ok) throw wrongCode(changed.why === 'taken' ? gateCodeTaken : noGateCode)
    await enqueue(tx, {
      kind: 'gate_code_changed',
      once: `${of.locationCode}:${of.tenantId}:${services.clock.now()}`,
      payload: of,
      runAt: services.clock.now(),
    })
    await act.audit({ kind: 'gate.code_changed', details: { units: changed.units.join(', ') } })
    return { gate_code: changed.code, units: changed.units }
  },
})

const wrongCode = (why: string) => refusalError(409, 'gate_code', why, { fields: { gate_code: why } })

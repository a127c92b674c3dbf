import * as v from 'valibot'
import { gateCodeNotAllowed, gateCodeTaken, noGateCode } from '../../../domain/texts/office-refusals.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { changeGateCode } from '../change-tenant-gate-code.ts'
import { gateExample, gateFields, lockTenantForGateChange } from '../internal/lock-tenant-for-gate-change.ts'
import { isGateCode } from '../rules/generate-gate-code.ts'

export const ChangeGateCode = officeOperation({
  name: 'ChangeGateCode',
  permission: 'gate.code',
  button: { label: 'Gate', key: 'g', place: 5, page: 'gate', about: 'tenant' },
  input: v.object({
    ...gateFields,
    /** Requested code, in which spaces and hyphens are ignored; '' generates a code. */
    gate_code: optionalText(20),
  }),
  example: { ...gateExample, gate_code: '' },
  async work(act, input) {
    const { tx, services } = act
    await lockTenantForGateChange(act, input)
    const requestedCode = input.gate_code.replaceAll(/[\s-]/g, '')
    if (requestedCode !== '' && !isGateCode(requestedCode)) throw refuseGateCode(gateCodeNotAllowed)
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    const result = await changeGateCode(tx, services, tenantKey, requestedCode || null)
    if (!result.ok) throw refuseGateCode(result.why === 'taken' ? gateCodeTaken : noGateCode)
    // The time is part of the key: the code may change again, and each change sends a message of its own.
    await enqueue(tx, {
      kind: 'gate_code_changed',
      once: `${tenantKey.locationCode}:${tenantKey.tenantId}:${services.clock.now()}`,
      payload: tenantKey,
      runAt: services.clock.now(),
    })
    await act.audit({ kind: 'gate.code_changed', details: { units: result.units.join(', ') } })
    return { gate_code: result.code, units: result.units }
  },
})

const refuseGateCode = (message: string) => refusalError(409, 'gate_code', message, { fields: { gate_code: message } })

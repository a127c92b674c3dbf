import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { date } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { setOverride } from '../gate-overrides.ts'
import {
  gateExample,
  gateFields,
  lockTenantForGateChange,
  overrideEnd,
} from '../internal/lock-tenant-for-gate-change.ts'

export const SuspendGate = officeOperation({
  name: 'SuspendGate',
  permission: 'gate.override',
  input: v.object({ ...gateFields, until: date() }),
  example: { ...gateExample, until: '2026-11-27' },
  before: (services, input) => overrideEnd(services, input.location_code, input.until),
  async work(act, input, until) {
    await lockTenantForGateChange(act, input)
    await setOverride(act.tx, act.services, {
      locationCode: input.location_code,
      tenantId: input.tenant_id,
      leaseNumber: null,
      kind: 'suspended',
      until,
      reason: input.reason,
      staffId: act.staff.staffId,
    })
    await act.audit({ kind: 'gate.suspended', details: { until: formatUs(input.until) } })
    return { until: input.until }
  },
})

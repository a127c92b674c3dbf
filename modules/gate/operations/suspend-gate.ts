import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { may } from '../../../platform/operations/callers.ts'
import { date } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { endOfOverride, gate, gateExample, gateNow, staffId } from '../gate-input.ts'
import { setOverride } from '../gate-overrides.ts'

export const SuspendGate = internalOperation({
  name: 'SuspendGate',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, until: date() }),
  example: { input: { ...gateExample, until: '2026-11-27' } },
  async run(services, input, callers) {
    const until = await endOfOverride(services, input.location_code, input.until)
    if (typeof until !== 'number') return until
    const about = { tenantId: input.tenant_id, permission: 'gate.override' as const, operation: 'SuspendGate', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      await gateNow(tx, services, input, end)
      await setOverride(tx, services, {
        locationCode: input.location_code,
        tenantId: input.tenant_id,
        leaseNumber: null,
        kind: 'suspended',
        until,
        reason: input.reason,
        staffId: staffId(callers),
      })
      return {
        done: { until: input.until },
        event: { kind: 'gate.suspended', details: { until: formatUs(input.until) } },
      }
    })
  },
})

import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { notOverlocked } from '../../../domain/texts/office.ts'
import { may } from '../../../platform/operations/callers.ts'
import { date, integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { endOfOverride, gate, gateExample, gateNow, staffId } from '../gate-input.ts'
import { setOverride } from '../gate-overrides.ts'

export const LiftOverlock = internalOperation({
  name: 'LiftOverlock',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, lease_number: integer(), until: date() }),
  example: { input: { ...gateExample, lease_number: 10001, until: '2026-11-27' } },
  async run(services, input, callers) {
    const until = await endOfOverride(services, input.location_code, input.until)
    if (typeof until !== 'number') return until
    const { tenant_id: tenantId, lease_number: leaseNumber } = input
    const about = { tenantId, leaseNumber, permission: 'gate.override' as const, operation: 'LiftOverlock', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      const { units } = await gateNow(tx, services, input, end)
      const unit = units.find((one) => one.leaseNumber === leaseNumber)
      if (!unit) return end(notOnFile)
      if (!unit.overlocked) end(refuse(409, 'not_overlocked', notOverlocked))
      await setOverride(tx, services, {
        locationCode: input.location_code,
        tenantId,
        leaseNumber,
        kind: 'lifted',
        until,
        reason: input.reason,
        staffId: staffId(callers),
      })
      const details = { unit: unit.unitNumber, until: formatUs(input.until) }
      return { done: { until: input.until }, event: { kind: 'overlock.lifted', details } }
    })
  },
})

import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { notOverlocked } from '../../../domain/texts/office-refusals.ts'
import { date, integer } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { setOverride } from '../gate-overrides.ts'
import {
  gateExample,
  gateFields,
  lockTenantForGateChange,
  overrideEnd,
} from '../internal/lock-tenant-for-gate-change.ts'

export const LiftOverlock = officeOperation({
  name: 'LiftOverlock',
  permission: 'gate.override',
  input: v.object({ ...gateFields, lease_number: integer(), until: date() }),
  example: { ...gateExample, lease_number: 10001, until: '2026-11-27' },
  before: (services, input) => overrideEnd(services, input.location_code, input.until),
  async work(act, input, until) {
    const { units } = await lockTenantForGateChange(act, input)
    const { location_code: locationCode, tenant_id: tenantId, lease_number: leaseNumber, reason } = input
    const unit = units.find((unit) => unit.leaseNumber === leaseNumber)
    if (!unit) throw new RefusalError(recordNotFound)
    if (!unit.overlocked) throw refusalError(409, 'not_overlocked', notOverlocked)
    await setOverride(act.tx, act.services, {
      locationCode,
      tenantId,
      leaseNumber,
      kind: 'lifted',
      until,
      reason,
      staffId: act.staff.staffId,
    })
    await act.audit({ kind: 'overlock.lifted', details: { unit: unit.unitNumber, until: formatUs(input.until) } })
    return { until: input.until }
  },
})

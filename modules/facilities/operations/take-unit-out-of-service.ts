import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { returnDayInPast, unitNotFree } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { date, orNull, requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { expireHoldOfUnit } from '../../reservations/unit-holds.ts'
import { takeOutOfService } from '../change-unit-status.ts'
import { loadToday } from '../facility-price-facts.ts'
import { loadUnit, unitExample, unitFields } from '../internal/unit-service-input.ts'

export const TakeUnitOutOfService = internalOperation({
  name: 'TakeUnitOutOfService',
  access: { staff: mayAtFacility('unit.service') },
  input: v.object({
    ...unitFields,
    reason: requiredText(500),
    back_on: orNull(date()),
  }),
  example: { input: { ...unitExample, reason: 'Door spring broken', back_on: '2026-12-01' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code: locationCode, unit_id: unitId, reason, back_on: backOn } = input
      if (!(await loadUnit(tx, input))) return recordNotFound
      const today = await loadToday(tx, services, locationCode)
      if (backOn !== null && today !== undefined && backOn < today)
        return refuse(400, 'invalid_input', returnDayInPast, { fields: { back_on: returnDayInPast } })
      const now = services.clock.now()
      const staffId = staffOf(callers).staffId
      const unit = await takeOutOfService(
        tx,
        { locationCode, unitId, reason, backOn, staffId, now },
        { inspected: false },
      )
      if (!unit) return refuse(409, 'taken', unitNotFree)
      await expireHoldOfUnit(tx, locationCode, unitId, now)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'unit.out_of_service',
        details: { unit: unit.unit_number, back: backOn === null ? '' : formatUs(backOn) },
        locationCode,
        permission: 'unit.service',
        reason,
      })
      return succeed({ unit_number: unit.unit_number })
    }),
})

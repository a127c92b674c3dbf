import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { backBeforeToday, unitNotFree } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { date, orNull, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { takeOutOfService } from '../../facilities/change-unit-status.ts'
import { todayAt } from '../../facilities/facts.ts'
import { knownUnit, unit, unitExample } from '../internal/unit-service-input.ts'
import { expireHoldOf } from '../unit-holds.ts'

export const TakeUnitOutOfService = internalOperation({
  name: 'TakeUnitOutOfService',
  access: { staff: may('unit.service') },
  input: v.object({
    ...unit,
    reason: required(500),
    back_on: orNull(date()),
  }),
  example: { input: { ...unitExample, reason: 'Door spring broken', back_on: '2026-12-01' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code: locationCode, unit_id: unitId, reason, back_on: backOn } = input
      if (!(await knownUnit(tx, input))) return notOnFile
      const today = await todayAt(tx, services, locationCode)
      if (backOn !== null && today !== undefined && backOn < today)
        return refuse(400, 'invalid_input', backBeforeToday, { fields: { back_on: backBeforeToday } })
      const now = services.clock.now()
      const staffId = staffOf(callers).staffId
      const taken = await takeOutOfService(
        tx,
        { locationCode, unitId, reason, backOn, staffId, now },
        { inspected: false },
      )
      if (!taken) return refuse(409, 'taken', unitNotFree)
      await expireHoldOf(tx, locationCode, unitId, now)
      await audit(tx, services, staffActor(callers), {
        kind: 'unit.out_of_service',
        details: { unit: taken.unit_number, back: backOn === null ? '' : formatUs(backOn) },
        locationCode,
        permission: 'unit.service',
        reason,
      })
      return succeed({ unit_number: taken.unit_number })
    }),
})

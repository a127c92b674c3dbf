import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { returnDayInPast, unitNotFree } from '../../../domain/texts/office-refusals.ts'
import { date, orNull, requiredText } from '../../../platform/operations/input-fields.ts'
import { fieldError, refusalError } from '../../../platform/operations/outcome.ts'
import { expireHoldOfUnit } from '../../reservations/unit-holds.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { takeOutOfService } from '../change-unit-status.ts'
import { loadToday } from '../facility-facts-for-pricing.ts'
import { requireUnit, unitExample, unitFields } from '../internal/unit-id-input.ts'

export const TakeUnitOutOfService = officeOperation({
  name: 'TakeUnitOutOfService',
  permission: 'unit.service',
  input: v.object({
    ...unitFields,
    reason: requiredText(500),
    back_on: orNull(date()),
  }),
  example: { ...unitExample, reason: 'Door spring broken', back_on: '2026-12-01' },
  async work({ tx, services, staff, audit }, input) {
    const { location_code: locationCode, unit_id: unitId, reason, back_on: backOn } = input
    await requireUnit(tx, input)
    const today = await loadToday(tx, services, locationCode)
    if (backOn !== null && today !== undefined && backOn < today) throw fieldError('back_on', returnDayInPast)
    const now = services.clock.now()
    const unit = await takeOutOfService(
      tx,
      { locationCode, unitId, reason, backOn, staffId: staff.staffId, now },
      { awaitsInspection: false },
    )
    if (!unit) throw refusalError(409, 'taken', unitNotFree)
    await expireHoldOfUnit(tx, locationCode, unitId, now)
    await audit({
      kind: 'unit.out_of_service',
      details: { unit: unit.unit_number, back: backOn === null ? '' : formatUs(backOn) },
    })
    return { unit_number: unit.unit_number }
  },
})

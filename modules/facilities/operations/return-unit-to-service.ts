import * as v from 'valibot'
import { unitInService } from '../../../domain/texts/office-refusals.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { returnToService } from '../change-unit-status.ts'
import { requireUnit, unitExample, unitFields } from '../internal/unit-id-input.ts'

export const ReturnUnitToService = officeOperation({
  name: 'ReturnUnitToService',
  permission: 'unit.service',
  input: v.object(unitFields),
  example: unitExample,
  async work({ tx, audit }, input) {
    await requireUnit(tx, input)
    const unit = await returnToService(tx, { locationCode: input.location_code, unitId: input.unit_id })
    if (!unit) throw refusalError(409, 'in_service', unitInService)
    await audit({ kind: 'unit.in_service', details: { unit: unit.unit_number } })
    return { unit_number: unit.unit_number }
  },
})

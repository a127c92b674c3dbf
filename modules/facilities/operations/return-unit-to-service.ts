import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { unitInService } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { returnToService } from '../change-unit-status.ts'
import { loadUnit, unitExample, unitFields } from '../internal/unit-service-input.ts'

export const ReturnUnitToService = internalOperation({
  name: 'ReturnUnitToService',
  access: { staff: mayAtFacility('unit.service') },
  input: v.object(unitFields),
  example: { input: unitExample },
  run: (services, input, callers) => services.db.transaction((tx) => returnUnit(tx, services, input, callers)),
})

async function returnUnit(
  tx: Kysely<Tables>,
  services: Services,
  input: { location_code: string; unit_id: number },
  callers: Parameters<typeof staffActor>[0],
) {
  const { location_code: locationCode, unit_id: unitId } = input
  if (!(await loadUnit(tx, input))) return recordNotFound
  const unit = await returnToService(tx, { locationCode, unitId })
  if (!unit) return refuse(409, 'in_service', unitInService)
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: 'unit.in_service',
    details: { unit: unit.unit_number },
    locationCode,
    permission: 'unit.service',
  })
  return succeed({ unit_number: unit.unit_number })
}

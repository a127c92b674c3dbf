import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { unitInService } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { returnToService } from '../../facilities/change-unit-status.ts'
import { knownUnit, unit, unitExample } from '../internal/unit-service-input.ts'

export const ReturnUnitToService = internalOperation({
  name: 'ReturnUnitToService',
  access: { staff: may('unit.service') },
  input: v.object(unit),
  example: { input: unitExample },
  run: (services, input, callers) => services.db.transaction((tx) => putBack(tx, services, input, callers)),
})

async function putBack(
  tx: Kysely<Tables>,
  services: Services,
  input: { location_code: string; unit_id: number },
  callers: Parameters<typeof staffActor>[0],
) {
  const { location_code: locationCode, unit_id: unitId } = input
  if (!(await knownUnit(tx, input))) return notOnFile
  const back = await returnToService(tx, { locationCode, unitId })
  if (!back) return refuse(409, 'in_service', unitInService)
  await audit(tx, services, staffActor(callers), {
    kind: 'unit.in_service',
    details: { unit: back.unit_number },
    locationCode,
    permission: 'unit.service',
  })
  return succeed({ unit_number: back.unit_number })
}

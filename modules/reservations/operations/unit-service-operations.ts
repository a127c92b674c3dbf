/** A unit out of service and back. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { unitInService, unitNotFree } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode, orNull, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { returnToService, takeOutOfService } from '../../facilities/unit-status.ts'
import { expireHoldOf } from '../holds.ts'

const unit = { location_code: locationCode(), unit_id: integer() }
const unitExample = { location_code: 'ATL01', unit_id: 214 }

const knownUnit = (tx: Kysely<Tables>, of: { location_code: string; unit_id: number }) =>
  tx
    .selectFrom('units')
    .select('unit_number')
    .where((eb) => eb.and({ location_code: of.location_code, unit_id: of.unit_id }))
    .executeTakeFirst()

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
      const now = services.clock.now()
      const staffId = (callers.staff as StaffCaller).staffId
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

export const unitServiceOperations = [TakeUnitOutOfService, ReturnUnitToService]

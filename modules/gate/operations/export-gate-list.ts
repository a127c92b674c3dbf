import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { locationCode, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { timeZoneOf } from '../../facilities/facts.ts'
import { gateAccessOf } from '../gate.ts'

/** Exports a facility's gate codes as the books say them, for a gate that has to be set by hand. */
export const ExportGateList = internalOperation({
  name: 'ExportGateList',
  access: { staff: may('setup.save') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), reason: required(500) }),
  example: { input: { location_code: 'ATL01', reason: 'The gate is offline' } },
  run: (services, { location_code: locationCode, reason }, callers) =>
    services.db.transaction(async (tx) => {
      if ((await timeZoneOf(tx, locationCode)) === undefined) return notOnFile
      const codes = await gateAccessOf(tx, locationCode, services.clock.now())
      await audit(tx, services, staffActor(callers), {
        kind: 'gate.list_exported',
        details: { codes: String(codes.length) },
        permission: 'setup.save',
        locationCode,
        reason,
      })
      return succeed({ codes })
    }),
})

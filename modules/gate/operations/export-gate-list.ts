import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { loadTimeZone } from '../../facilities/facility-price-facts.ts'
import { loadGateAccess } from '../gate-codes.ts'

/** Exports a facility's gate codes as the books say them, for a gate that has to be set by hand. */
export const ExportGateList = internalOperation({
  name: 'ExportGateList',
  access: { staff: mayAtFacility('setup.save') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), reason: requiredText(500) }),
  example: { input: { location_code: 'ATL01', reason: 'The gate is offline' } },
  run: (services, { location_code: locationCode, reason }, callers) =>
    services.db.transaction(async (tx) => {
      if ((await loadTimeZone(tx, locationCode)) === undefined) return recordNotFound
      const codes = await loadGateAccess(tx, locationCode, services.clock.now())
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'gate.list_exported',
        details: { codes: String(codes.length) },
        permission: 'setup.save',
        locationCode,
        reason,
      })
      return succeed({ codes })
    }),
})

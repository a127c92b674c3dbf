import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'

/**
 * Removes a person from the waitlist, without a mail. The audit event leaves out the address, which is deleted with the
 * row.
 */
export const EndWait = internalOperation({
  name: 'EndWait',
  access: { staff: mayAtFacility('move-in.desk') },
  input: v.object({ location_code: locationCode(), waitlist_id: requiredText(40) }),
  example: { input: { location_code: 'ATL01', waitlist_id: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c2' } },
  run: (services, { location_code, waitlist_id }, callers) =>
    services.db.transaction(async (tx) => {
      const deleted = await tx
        .deleteFrom('waitlist')
        .where((eb) => eb.and({ location_code, waitlist_id }))
        .returning('unit_type_id')
        .executeTakeFirst()
      if (!deleted) return recordNotFound
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'wait.ended',
        details: { type: deleted.unit_type_id },
        subject: waitlist_id,
        locationCode: location_code,
        permission: 'move-in.desk',
      })
      return succeed({ ended: true })
    }),
})

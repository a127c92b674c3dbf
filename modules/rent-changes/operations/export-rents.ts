import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { MAX_EXPORTED_FACILITIES, mayProposeRentsAt } from '../rent-change-operation-parts.ts'
import { type CurrentRent, loadCurrentRents } from '../views/current-rents.ts'

/**
 * Returns the open leases of facilities with their rents, for a file. The export is audited before the file is sent.
 */
export const ExportRents = internalOperation({
  name: 'ExportRents',
  access: { staff: mayAnywhere('rent.propose') },
  freshFactor: true,
  input: v.object({
    location_codes: v.pipe(v.array(locationCode()), v.minLength(1), v.maxLength(MAX_EXPORTED_FACILITIES)),
  }),
  example: { input: { location_codes: ['ATL01'] } },
  async run(services, { location_codes: codes }, callers) {
    if (!mayProposeRentsAt(staffOf(callers), codes)) return recordNotFound
    const leases: ({ locationCode: string } & CurrentRent)[] = []
    for (const locationCode of codes)
      for (const rent of await loadCurrentRents(services, locationCode)) leases.push({ locationCode, ...rent })
    const only = codes.length === 1 ? codes[0] : undefined
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'rent.exported',
      details: {
        leases: `${leases.length} ${leases.length === 1 ? 'lease' : 'leases'}`,
        facilities: only !== undefined ? only : `${codes.length} facilities`,
      },
      permission: 'rent.propose',
      ...(only !== undefined && { locationCode: only }),
    })
    return succeed({ leases })
  },
})

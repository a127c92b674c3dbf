import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { MOST_EXPORTED, proposesAt } from '../rent-change-input.ts'
import { type RentNow, rentsAt } from '../views/rents-now.ts'

/**
 * Returns the open leases of facilities with their rents, for a file. The export is audited before the file is sent.
 */
export const ExportRents = internalOperation({
  name: 'ExportRents',
  access: { staff: mayAnywhere('rent.propose') },
  freshFactor: true,
  input: v.object({ location_codes: v.pipe(v.array(locationCode()), v.minLength(1), v.maxLength(MOST_EXPORTED)) }),
  example: { input: { location_codes: ['ATL01'] } },
  async run(services, { location_codes: codes }, callers) {
    if (!proposesAt(staffOf(callers), codes)) return notOnFile
    const leases: ({ locationCode: string } & RentNow)[] = []
    for (const locationCode of codes)
      for (const one of await rentsAt(services, locationCode)) leases.push({ locationCode, ...one })
    const only = codes.length === 1 ? codes[0] : undefined
    await audit(services.db.write, services, staffActor(callers), {
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

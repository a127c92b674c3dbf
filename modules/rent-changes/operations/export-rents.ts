import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { checkMayProposeRentsAt } from '../internal/rent-change-operation-parts.ts'
import { MAX_EXPORTED_FACILITIES } from '../rules/rent-change.ts'
import { type CurrentRent, loadCurrentRents } from '../views/current-rents.ts'

/**
 * Returns the open leases of facilities with their rents, for a file. The export is audited before the file is sent.
 */
export const ExportRents = officeOperation({
  name: 'ExportRents',
  permission: 'rent.propose',
  access: mayAnywhere('rent.propose'),
  freshFactor: true,
  input: v.object({
    location_codes: v.pipe(v.array(locationCode()), v.minLength(1), v.maxLength(MAX_EXPORTED_FACILITIES)),
  }),
  example: { location_codes: ['ATL01'] },
  async before(services, { location_codes: codes }, callers) {
    checkMayProposeRentsAt(staffOf(callers), codes)
    const leases: ({ locationCode: string } & CurrentRent)[] = []
    for (const locationCode of codes)
      for (const rent of await loadCurrentRents(services, locationCode)) leases.push({ locationCode, ...rent })
    return leases
  },
  async work(act, { location_codes: codes }, leases) {
    const only = codes.length === 1 ? codes[0] : undefined
    await act.audit({
      kind: 'rent.exported',
      details: {
        leases: `${leases.length} ${leases.length === 1 ? 'lease' : 'leases'}`,
        facilities: only ?? `${codes.length} facilities`,
      },
      ...(only !== undefined && { locationCode: only }),
    })
    return { leases }
  },
})

import * as v from 'valibot'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { loadTimeZone } from '../../facilities/facility-facts-for-pricing.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadGateAccess } from '../assign-and-activate-gate-codes.ts'

/** Exports a facility's gate codes from our records, for a gate that has to be set by hand. */
export const ExportGateList = officeOperation({
  name: 'ExportGateList',
  permission: 'setup.save',
  freshFactor: true,
  input: v.object({ location_code: locationCode(), reason: requiredText(500) }),
  example: { location_code: 'ATL01', reason: 'The gate is offline' },
  async work(act, { location_code: locationCode }) {
    const { tx, services } = act
    if ((await loadTimeZone(tx, locationCode)) === undefined) throw new RefusalError(recordNotFound)
    const codes = await loadGateAccess(tx, locationCode, services.clock.now())
    await act.audit({ kind: 'gate.list_exported', details: { codes: String(codes.length) } })
    return { codes }
  },
})

import * as v from 'valibot'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'

/**
 * Ends a person's wait for one unit type, without a mail. The audit event leaves out the address, which is deleted with the
 * row.
 */
export const EndWait = officeOperation({
  name: 'EndWait',
  permission: 'move-in.desk',
  input: v.object({ location_code: locationCode(), waitlist_id: requiredText(40) }),
  example: { location_code: 'ATL01', waitlist_id: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c2' },
  async work({ tx, audit }, { location_code, waitlist_id }) {
    const deleted = await tx
      .deleteFrom('waitlist')
      .where((eb) => eb.and({ location_code, waitlist_id }))
      .returning('unit_type_id')
      .executeTakeFirst()
    if (!deleted) throw new RefusalError(recordNotFound)
    await audit({ kind: 'wait.ended', details: { type: deleted.unit_type_id }, subject: waitlist_id })
    return { ended: true }
  },
})

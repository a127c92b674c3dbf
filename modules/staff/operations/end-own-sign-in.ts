import * as v from 'valibot'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../office-operation.ts'

/** Ends one of the staff member's own sign-ins. */
export const EndOwnSignIn = officeOperation({
  name: 'EndOwnSignIn',
  permission: null,
  access: () => true,
  input: v.object({ sign_in: v.pipe(plainLine, v.regex(/^[0-9a-f]{16}$/)) }),
  example: { sign_in: '0123456789abcdef' },
  async work({ tx, services, staff, audit }, { sign_in }) {
    const ended = await tx
      .updateTable('staff_sign_ins')
      .set({ ended_at: services.clock.now() })
      .where('staff_id', '=', staff.staffId)
      .where('token_hash', 'like', `${sign_in}%`)
      .where('ended_at', 'is', null)
      .returning('token_hash')
      .execute()
    if (ended.length === 0) throw new RefusalError(recordNotFound)
    await audit({ kind: 'staff.sign_in_ended', details: {} })
    return { ended: true }
  },
})

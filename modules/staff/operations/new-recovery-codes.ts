import * as v from 'valibot'
import { replaceRecoveryCodes } from '../mfa.ts'
import { officeOperation } from '../office-operation.ts'
import { lockStaffMember } from '../staff-members.ts'

/** Replaces the staff member's own recovery codes, which only this response contains. */
export const NewRecoveryCodes = officeOperation({
  name: 'NewRecoveryCodes',
  permission: null,
  access: () => true,
  freshFactor: true,
  input: v.object({}),
  example: {},
  async work({ tx, services, staff, audit }) {
    await lockStaffMember(tx, staff.staffId)
    const codes = await replaceRecoveryCodes(tx, services, staff.staffId)
    await audit({ kind: 'staff.recovery_codes_made', details: {} })
    return { codes }
  },
})

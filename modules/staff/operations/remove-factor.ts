import * as v from 'valibot'
import { lastFactor } from '../../../domain/texts/office-refusals.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { factorsAllowed, isLastFactor, loadFactors } from '../mfa.ts'
import { officeOperation } from '../office-operation.ts'
import { lockStaffMember } from '../staff-members.ts'

/** Removes one of the staff member's own second factors, unless it is the last one (`isLastFactor`). */
export const RemoveFactor = officeOperation({
  name: 'RemoveFactor',
  permission: null,
  access: () => true,
  freshFactor: true,
  input: v.object({ factor_id: v.pipe(plainLine, v.uuid()) }),
  example: { factor_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' },
  async work({ tx, services, staff, audit }, { factor_id }) {
    const { staffId, roles } = staff
    await lockStaffMember(tx, staffId)
    const { factors } = await loadFactors(tx, staffId)
    const factor = factors.find(({ factorId }) => factorId === factor_id)
    if (!factor) throw new RefusalError(recordNotFound)
    const ownRoles = roles.map(({ role }) => role)
    if (isLastFactor(factors, factor, factorsAllowed(ownRoles, services)))
      throw refusalError(409, 'last_factor', lastFactor)
    await tx.deleteFrom('staff_factors').where('factor_id', '=', factor_id).where('staff_id', '=', staffId).execute()
    const details = { how: factor.kind, name: factor.name }
    await audit({ kind: 'staff.factor_removed', details, subject: factor_id })
    return { removed: true }
  },
})

import * as v from 'valibot'
import { lastFactor } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { anyStaffMember } from '../internal/any-staff-access.ts'
import { factorsAllowed, removeFactor } from '../mfa.ts'
import { lockStaffMember } from '../staff-members.ts'

export const RemoveFactor = internalOperation({
  name: 'RemoveFactor',
  access: anyStaffMember,
  freshFactor: true,
  input: v.object({ factor_id: v.pipe(plainLine, v.uuid()) }),
  example: { input: { factor_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run: (services, { factor_id }, callers) =>
    services.db.transaction(async (tx) => {
      const { staffId, roles } = staffOf(callers)
      await lockStaffMember(tx, staffId)
      const ownRoles = roles.map(({ role }) => role)
      const removed = await removeFactor(tx, staffId, factor_id, factorsAllowed(ownRoles, services))
      if (removed === null) return recordNotFound
      if (removed === 'last') return refuse(409, 'last_factor', lastFactor)
      const details = { how: removed.kind, name: removed.name }
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.factor_removed',
        details,
        subject: factor_id,
      })
      return succeed({ removed: true })
    }),
})

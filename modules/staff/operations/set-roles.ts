import * as v from 'valibot'
import { changedSince, lastOwner } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor } from '../../../platform/operations/staff-scope.ts'
import { reason, refuseUnknownScopes, roles, staffExample, staffId, staffManagerAccess } from '../invitations.ts'
import {
  findUnknownScopes,
  formatRoles,
  hasAnotherOwner,
  loadRoles,
  loadStaffMember,
  lockOwners,
  lockStaffMember,
  replaceRoles,
} from '../staff-members.ts'
import { releaseTasks } from '../staff-tasks.ts'

export const SetRoles = internalOperation({
  name: 'SetRoles',
  access: staffManagerAccess,
  freshFactor: true,
  input: v.object({
    staff_id: staffId,
    roles,
    /** Roles that the form displayed, as `formatRoles`. */
    before: plainLine,
    reason,
  }),
  example: {
    input: {
      ...staffExample,
      roles: [{ role: 'manager', scope: 'facility:ATL01' }],
      before: 'Agent (all)',
      reason: 'Promoted',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      await lockOwners(tx)
      await lockStaffMember(tx, input.staff_id)
      const member = await loadStaffMember(tx, input.staff_id)
      if (!member || member.state === 'ended') return recordNotFound
      const before = formatRoles(member.roles)
      if (before !== input.before) return refuse(409, 'changed', changedSince)
      const unknown = await findUnknownScopes(tx, input.roles)
      if (unknown.length > 0) return refuseUnknownScopes(unknown)
      const staysOwner = input.roles.some(({ role, scope }) => role === 'owner' && 'all' in scope)
      if (!staysOwner && !(await hasAnotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
      await replaceRoles(tx, services, input.staff_id, input.roles)
      const facilities = facilitiesFor({ roles: await loadRoles(tx, input.staff_id) }, 'note.write')
      await releaseTasks(tx, input.staff_id, facilities)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.roles_changed',
        details: { person: member.name, before, after: formatRoles(input.roles) },
        subject: input.staff_id,
        reason: input.reason,
      })
      return succeed({ saved: true })
    }),
})

import * as v from 'valibot'
import { changedSince, lastOwner } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor } from '../../../platform/operations/staff-scope.ts'
import { owners, person, reason, refuseUnknown, roles, staffId } from '../invitations.ts'
import {
  anotherOwner,
  heldRoles,
  lockOwners,
  lockPerson,
  personById,
  replaceRoles,
  rolesText,
  unknownPlaces,
} from '../people.ts'
import { releaseTasks } from '../tasks.ts'

export const SetRoles = internalOperation({
  name: 'SetRoles',
  access: owners,
  freshFactor: true,
  input: v.object({
    staff_id: staffId,
    roles,
    /** Roles that the form displayed, as `rolesText`. */
    before: plainLine,
    reason,
  }),
  example: {
    input: {
      ...person,
      roles: [{ role: 'manager', scope: 'facility:ATL01' }],
      before: 'Agent (all)',
      reason: 'Promoted',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      await lockOwners(tx)
      await lockPerson(tx, input.staff_id)
      const known = await personById(tx, input.staff_id)
      if (!known || known.state === 'ended') return notOnFile
      const before = rolesText(known.roles)
      if (before !== input.before) return refuse(409, 'changed', changedSince)
      const unknown = await unknownPlaces(tx, input.roles)
      if (unknown.length > 0) return refuseUnknown(unknown)
      const staysOwner = input.roles.some(({ role, scope }) => role === 'owner' && 'all' in scope)
      if (!staysOwner && !(await anotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
      await replaceRoles(tx, services, input.staff_id, input.roles)
      const works = facilitiesFor({ roles: await heldRoles(tx, input.staff_id) }, 'note.write')
      await releaseTasks(tx, input.staff_id, works)
      await audit(tx, services, staffActor(callers), {
        kind: 'staff.roles_changed',
        details: { person: known.name, before, after: rolesText(input.roles) },
        subject: input.staff_id,
        reason: input.reason,
      })
      return succeed({ saved: true })
    }),
})

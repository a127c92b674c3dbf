import * as v from 'valibot'
import { changedSince, lastOwner } from '../../../domain/texts/office-refusals.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { checkScopesExist } from '../internal/scope-input.ts'
import { reason, roles, staffExample, staffId } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { formatRoles } from '../rules/format-roles.ts'
import {
  hasAnotherOwner,
  loadRoles,
  loadStaffMember,
  lockOwners,
  lockStaffMember,
  replaceRoles,
} from '../staff-members.ts'
import { releaseTasks } from '../staff-tasks.ts'

/** Replaces a staff member's roles, and unassigns their tasks outside the facilities where they may then write notes. */
export const SetRoles = officeOperation({
  name: 'SetRoles',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({
    staff_id: staffId,
    roles,
    /** Roles that the form displayed, as `formatRoles`. */
    before: plainLine,
    reason,
  }),
  example: {
    ...staffExample,
    roles: [{ role: 'manager', scope: 'facility:ATL01' }],
    before: 'Agent (all)',
    reason: 'Promoted',
  },
  async work({ tx, services, audit }, { staff_id, roles, ...input }) {
    await lockOwners(tx)
    await lockStaffMember(tx, staff_id)
    const member = await loadStaffMember(tx, staff_id)
    if (!member || member.state === 'ended') throw new RefusalError(recordNotFound)
    const before = formatRoles(member.roles)
    if (before !== input.before) throw refusalError(409, 'changed', changedSince)
    await checkScopesExist(
      tx,
      'roles',
      roles.map(({ scope }) => scope),
    )
    const staysOwner = roles.some(({ role, scope }) => role === 'owner' && 'all' in scope)
    if (!staysOwner && !(await hasAnotherOwner(tx, staff_id))) throw refusalError(409, 'last_owner', lastOwner)
    await replaceRoles(tx, services, staff_id, roles)
    const facilities = facilitiesFor({ roles: await loadRoles(tx, staff_id) }, 'note.write')
    await releaseTasks(tx, staff_id, facilities)
    const details = { person: member.name, before, after: formatRoles(roles) }
    await audit({ kind: 'staff.roles_changed', details, subject: staff_id })
    return { saved: true }
  },
})

import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import { staffExists } from '../../../domain/texts/office-refusals.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { checkScopesExist } from '../internal/scope-input.ts'
import { roles } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import { formatRoles } from '../rules/format-roles.ts'
import { mailInvitation } from '../send-invitation.ts'
import { inviteStaffMember } from '../staff-members.ts'

/** Adds a staff member and mails the invitation. */
export const InviteStaff = officeOperation({
  name: 'InviteStaff',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({
    email: v.pipe(
      plainLine,
      v.trim(),
      v.toLowerCase(),
      v.email('Please enter an e-mail address.'),
      v.maxLength(EMAIL_MAX),
    ),
    name: v.pipe(plainLine, v.trim(), v.minLength(1, 'Please enter a name.'), v.maxLength(NAME_MAX)),
    roles: v.pipe(roles, v.minLength(1, 'Choose a role.')),
  }),
  example: { email: 'sam@example.com', name: 'Sam Ortiz', roles: [{ role: 'agent', scope: 'all' }] },
  async work({ tx, services, audit }, { email, name, roles }) {
    await checkScopesExist(
      tx,
      'roles',
      roles.map(({ scope }) => scope),
    )
    const invited = await inviteStaffMember(tx, services, { email, name, roles })
    if (!invited) throw refusalError(409, 'known', staffExists, { fields: { email: staffExists } })
    const { staffId: subject, token } = invited
    const roleChange = { person: name, before: '', after: formatRoles(roles) }
    await audit({ kind: 'staff.invited', details: { person: name }, subject })
    await audit({ kind: 'staff.roles_changed', details: roleChange, subject })
    await mailInvitation(services, tx, { staff: subject, token })
    return { staff_id: subject }
  },
})

import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import { staffExists } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mailInvitation, refuseUnknownScopes, roles, staffManagerAccess } from '../invitations.ts'
import { findUnknownScopes, formatRoles, inviteStaffMember } from '../staff-members.ts'

export const InviteStaff = internalOperation({
  name: 'InviteStaff',
  access: staffManagerAccess,
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
  example: {
    input: { email: 'sam@example.com', name: 'Sam Ortiz', roles: [{ role: 'agent', scope: 'all' }] },
  },
  async run(services, { email, name, roles: grantedRoles }, callers) {
    const unknown = await findUnknownScopes(services.db.read, grantedRoles)
    if (unknown.length > 0) return refuseUnknownScopes(unknown)
    const invitedMember = await services.db.transaction(async (tx) => {
      const invited = await inviteStaffMember(tx, services, { email, name, roles: grantedRoles })
      if (!invited) return null
      const roleChange = { person: name, before: '', after: formatRoles(grantedRoles) }
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.invited',
        details: { person: name },
        subject: invited.staffId,
      })
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'staff.roles_changed',
        details: roleChange,
        subject: invited.staffId,
      })
      await mailInvitation(services, tx, { staff: invited.staffId, token: invited.token })
      return invited
    })
    return invitedMember
      ? succeed({ staff_id: invitedMember.staffId })
      : refuse(409, 'known', staffExists, { fields: { email: staffExists } })
  },
})

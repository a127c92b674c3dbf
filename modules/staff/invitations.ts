import * as v from 'valibot'
import { officeRoles, parseScope } from '../../domain/office/roles.ts'
import { changedSince, lastOwner, unknownFacilityOrState } from '../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { plainLine } from '../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { mayAnywhere } from '../../platform/operations/staff-scope.ts'
import { hasAnotherOwner, inviteAgain, loadStaffMember, lockOwners, lockStaffMember } from './staff-members.ts'

/** Access rule of operations for staff members who may manage staff. */
export const staffManagerAccess = { staff: mayAnywhere('staff.manage') }

export const staffId = v.pipe(plainLine, v.uuid())

/** Input schema of a staff member's roles, each with its scope. */
export const roles = v.pipe(
  v.array(
    v.object({
      role: v.picklist(officeRoles),
      scope: v.pipe(
        plainLine,
        v.check((text) => parseScope(text) !== null, 'This is no facility, state or "all".'),
        v.transform((text) => parseScope(text) ?? { all: true as const }),
      ),
    }),
  ),
  v.maxLength(50),
)

export const reason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))

/** Sealing context of the invitation link in a mail job. */
export const invitationContext = (staff: string) => `staff invitation:${staff}`

/** Enqueues the mail with the invitation link. */
export const mailInvitation = (
  services: Services,
  tx: Parameters<typeof enqueue>[0],
  { staff, token }: { staff: string; token: string },
) =>
  enqueue(tx, {
    kind: 'staff_invited',
    once: token.slice(0, 16),
    payload: {
      staffId: staff,
      link: services.sealer.seal(`${services.publicUrl}/office/join/${token}`, invitationContext(staff)),
    },
    runAt: services.clock.now(),
  })

/** Refuses roles that name unknown facilities or states. */
export const refuseUnknownScopes = (names: string[]) => {
  const message = unknownFacilityOrState(names.join(', '))
  return refuse(400, 'invalid_input', message, { fields: { roles: message } })
}

/** Example input of operations on one staff member. */
export const staffExample = { staff_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c11' }

/** Invites an existing staff member again, in one transaction with the audit event, and enqueues the mail. */
export const reinviteStaffMember = (
  services: Services,
  callers: Callers,
  input: { staff_id: string; reason: string },
  kind: 'staff.factors_reset' | 'staff.invited',
) =>
  services.db.transaction(async (tx) => {
    await lockOwners(tx)
    await lockStaffMember(tx, input.staff_id)
    const member = await loadStaffMember(tx, input.staff_id)
    if (!member) return recordNotFound
    // A form opened before the staff member left must not reactivate them.
    if ((member.state === 'ended') !== (kind === 'staff.invited')) return refuse(409, 'changed', changedSince)
    if (!(await hasAnotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
    const token = await inviteAgain(tx, services, input.staff_id)
    await mailInvitation(services, tx, { staff: input.staff_id, token })
    await writeAuditEvent(tx, services, staffActor(callers), {
      kind,
      details: { person: member.name },
      subject: input.staff_id,
      reason: input.reason,
    })
    return succeed({ mailed: true })
  })

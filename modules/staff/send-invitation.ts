import * as v from 'valibot'
import { officeRoles } from '../../domain/office/roles.ts'
import { changedSince, lastOwner } from '../../domain/texts/office-refusals.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { plainLine } from '../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { scope } from './internal/scope-input.ts'
import type { OfficeContext } from './office-operation.ts'
import { hasAnotherOwner, inviteAgain, loadStaffMember, lockOwners, lockStaffMember } from './staff-members.ts'

export const staffId = v.pipe(plainLine, v.uuid())

/** Input schema of a staff member's roles, each with its scope. */
export const roles = v.pipe(v.array(v.object({ role: v.picklist(officeRoles), scope })), v.maxLength(50))

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

/** Example input of operations on one staff member. */
export const staffExample = { staff_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c11' }

/**
 * Invites an existing staff member again, enqueues the mail and writes the audit event.
 * @throws RefusalError
 */
export async function reinviteStaffMember(
  { tx, services, audit }: OfficeContext,
  staff_id: string,
  kind: 'staff.factors_reset' | 'staff.invited',
): Promise<{ mailed: true }> {
  await lockOwners(tx)
  await lockStaffMember(tx, staff_id)
  const member = await loadStaffMember(tx, staff_id)
  if (!member) throw new RefusalError(recordNotFound)
  // A form opened before the staff member left must not reactivate them.
  if ((member.state === 'ended') !== (kind === 'staff.invited')) throw refusalError(409, 'changed', changedSince)
  if (!(await hasAnotherOwner(tx, staff_id))) throw refusalError(409, 'last_owner', lastOwner)
  const token = await inviteAgain(tx, services, staff_id)
  await mailInvitation(services, tx, { staff: staff_id, token })
  await audit({ kind, details: { person: member.name }, subject: staff_id })
  return { mailed: true }
}

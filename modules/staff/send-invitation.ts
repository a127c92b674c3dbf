import { changedSince, lastOwner } from '../../domain/texts/office-refusals.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { OfficeContext } from './office-operation.ts'
import { hasAnotherOwner, inviteAgain, loadStaffMember, lockOwners, lockStaffMember } from './staff-members.ts'

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

/**
 * Invites a current or former staff member again, enqueues the mail and writes the audit event.
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
  // Only a former staff member is invited back, and only a current one is reset: a form opened before the staff member
  // left must not reactivate them.
  if ((member.state === 'ended') !== (kind === 'staff.invited')) throw refusalError(409, 'changed', changedSince)
  if (!(await hasAnotherOwner(tx, staff_id))) throw refusalError(409, 'last_owner', lastOwner)
  const token = await inviteAgain(tx, services, staff_id)
  await mailInvitation(services, tx, { staff: staff_id, token })
  await audit({ kind, details: { person: member.name }, subject: staff_id })
  return { mailed: true }
}

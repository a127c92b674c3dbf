import type { Kysely } from 'kysely'
import { NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/field-lengths.ts'
import { tooLong, tooShort } from '../../../domain/texts/field-errors.ts'
import { invitationOver } from '../../../domain/texts/office-refusals.ts'
import { writeAuditEvent } from '../../../platform/audit/audit.ts'
import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findPasswordProblem } from '../../../platform/passwords/find-password-problem.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { insertStaffSignIn, signInId } from '../sign-ins.ts'
import { findInvited } from '../views/invited-staff-member.ts'

/**
 * Accepts an invitation to the office: sets the staff member's name and password. The second factor is added next.
 * @returns bearer token of a sign-in that still needs its second factor; 400 with the wrong fields; 404 when the
 * invitation is invalid or expired
 */
export async function acceptInvitation(
  services: Services,
  input: { token: string; name: string; password: string; device: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const invited = await findInvited(services, input.token)
  if (!invited) return refuse(404, 'not_found', invitationOver)
  const name = input.name.trim().slice(0, NAME_MAX)
  if (name === '') return wrongFields({ name: 'Enter your name.' })
  const { password } = input
  if (password.length < PASSWORD_MIN) return wrongFields({ password: tooShort('Password', PASSWORD_MIN) })
  if (password.length > PASSWORD_MAX) return wrongFields({ password: tooLong('Password', PASSWORD_MAX) })
  const fault = await findPasswordProblem(services, password, [invited.email, name])
  if (fault) return wrongFields({ password: fault })
  const passwordHash = await services.passwords.hash(password)
  const token = await services.db.transaction(async (tx) => {
    if (!(await consumeInvitation(tx, services, input.token, { name, passwordHash }))) return null
    const newToken = await insertStaffSignIn(tx, services, invited.staffId, { device: input.device, ...callers })
    const actor = { ...callers, staff: { staffId: invited.staffId, name, signIn: signInId(newToken) } }
    await writeAuditEvent(tx, services, actor, { kind: 'staff.joined', details: {} })
    return newToken
  })
  return token === null ? refuse(404, 'not_found', invitationOver) : { ok: true, token }
}

/**
 * Accepts an invitation once: sets name and password.
 * @returns whether the invitation was still valid
 */
async function consumeInvitation(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  token: string,
  chosen: { name: string; passwordHash: string },
): Promise<boolean> {
  const row = await tx
    .updateTable('staff')
    .set({ name: chosen.name, password_hash: chosen.passwordHash, invite_hash: null, invite_expires_at: null })
    .where('invite_hash', '=', tokenHash(token))
    .where('invite_expires_at', '>', services.clock.now())
    .where('ended_at', 'is', null)
    .returning('staff_id')
    .executeTakeFirst()
  return row !== undefined
}

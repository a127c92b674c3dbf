import { NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../../domain/field-lengths.ts'
import { tooShort } from '../../domain/texts/fields.ts'
import { invitationOver } from '../../domain/texts/office-refusals.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Refusal, refuse, wrongFields } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { passwordFault } from '../../platform/passwords/new-password.ts'
import { insertStaffSignIn, signInId } from './sign-ins.ts'
import { consumeInvitation, findInvited } from './staff-members.ts'

/**
 * Accepts an invitation to the office: sets the staff member's name and password. The second factor is added next.
 * @returns bearer token of a sign-in that still needs its second factor; 400 with the wrong fields; 404 when the
 * invitation is invalid or expired
 */
export async function acceptInvitation(
  services: Services,
  given: { token: string; name: string; password: string; device: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const person = await findInvited(services, given.token)
  if (!person) return refuse(404, 'not_found', invitationOver)
  const name = given.name.trim().slice(0, NAME_MAX)
  if (name === '') return wrongFields({ name: 'Enter your name.' })
  const { password } = given
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX)
    return wrongFields({ password: tooShort('Password', PASSWORD_MIN) })
  const fault = await passwordFault(services, password, [person.email, name])
  if (fault) return wrongFields({ password: fault })
  const passwordHash = await services.passwords.hash(password)
  const token = await services.db.transaction(async (tx) => {
    if (!(await consumeInvitation(tx, services, given.token, { name, passwordHash }))) return null
    const opened = await insertStaffSignIn(tx, services, person.staffId, { device: given.device, ...callers })
    const by = { ...callers, staff: { staffId: person.staffId, name, signIn: signInId(opened) } }
    await writeAuditEvent(tx, services, by, { kind: 'staff.joined', details: {} })
    return opened
  })
  return token === null ? refuse(404, 'not_found', invitationOver) : { ok: true, token }
}

import * as v from 'valibot'
import { officeRoles, scopeOf } from '../../domain/office/roles.ts'
import { changedSince, lastOwner, noSuchPlace } from '../../domain/texts/office.ts'
import { audit, staffActor } from '../../platform/audit/audit.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { plainLine } from '../../platform/operations/input-fields.ts'
import { notOnFile } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { mayAnywhere } from '../../platform/operations/staff-scope.ts'
import { anotherOwner, inviteAgain, lockOwners, lockPerson, personById } from './people.ts'

/** Access rule of operations for staff members who may manage staff. */
export const owners = { staff: mayAnywhere('staff.manage') }

export const staffId = v.pipe(plainLine, v.uuid())

/** Input schema of a staff member's roles, each with its scope. */
export const roles = v.pipe(
  v.array(
    v.object({
      role: v.picklist(officeRoles),
      scope: v.pipe(
        plainLine,
        v.check((text) => scopeOf(text) !== null, 'This is no facility, state or "all".'),
        v.transform((text) => scopeOf(text) ?? { all: true as const }),
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
export const refuseUnknown = (places: string[]) => {
  const says = noSuchPlace(places.join(', '))
  return refuse(400, 'invalid_input', says, { fields: { roles: says } })
}

/** Example input that names a staff member. */
export const person = { staff_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c11' }

/** Invites an existing staff member again, in one transaction with the audit event, and enqueues the mail. */
export const inviteOnFile = (
  services: Services,
  callers: Callers,
  input: { staff_id: string; reason: string },
  kind: 'staff.factors_reset' | 'staff.invited',
) =>
  services.db.transaction(async (tx) => {
    await lockOwners(tx)
    await lockPerson(tx, input.staff_id)
    const known = await personById(tx, input.staff_id)
    if (!known) return notOnFile
    // A form opened before the staff member left must not reactivate them.
    if ((known.state === 'ended') !== (kind === 'staff.invited')) return refuse(409, 'changed', changedSince)
    if (!(await anotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
    const token = await inviteAgain(tx, services, input.staff_id)
    await mailInvitation(services, tx, { staff: input.staff_id, token })
    await audit(tx, services, staffActor(callers), {
      kind,
      details: { person: known.name },
      subject: input.staff_id,
      reason: input.reason,
    })
    return succeed({ mailed: true })
  })

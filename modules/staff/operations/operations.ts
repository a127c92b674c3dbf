import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import { officeRoles, scopeOf } from '../../../domain/office/roles.ts'
import { changedSince, lastOwner, noSuchPlace, staffExists } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import { type Callers, facilitiesFor, mayAnywhere } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import {
  anotherOwner,
  endAllSignIns,
  endPerson,
  heldRoles,
  inviteAgain,
  invitePerson,
  lockOwners,
  lockPerson,
  personById,
  replaceRoles,
  rolesText,
  unknownPlaces,
} from '../people.ts'
import { releaseTasks } from '../tasks.ts'

const owners = { staff: mayAnywhere('staff.manage') }
const staffId = v.pipe(v.string(), v.uuid())

const roles = v.pipe(
  v.array(
    v.object({
      role: v.picklist(officeRoles),
      scope: v.pipe(
        v.string(),
        v.check((text) => scopeOf(text) !== null, 'This is no facility, state or "all".'),
        v.transform((text) => scopeOf(text) ?? { all: true as const }),
      ),
    }),
  ),
  v.maxLength(50),
)

const reason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))

/** The link of an invitation, sealed for the mail. */
export const invitationContext = (staff: string) => `staff invitation:${staff}`

const mailInvitation = (
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

const refuseUnknown = (places: string[]) => {
  const says = noSuchPlace(places.join(', '))
  return refuse(400, 'invalid_input', says, { fields: { roles: says } })
}

const person = { staff_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c11' }

export const InviteStaff = internalOperation({
  name: 'InviteStaff',
  access: owners,
  freshFactor: true,
  input: v.object({
    email: v.pipe(
      v.string(),
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
  async run(services, { email, name, roles: held }, callers) {
    const unknown = await unknownPlaces(services.db.read, held)
    if (unknown.length > 0) return refuseUnknown(unknown)
    const made = await services.db.transaction(async (tx) => {
      const invited = await invitePerson(tx, services, { email, name, roles: held })
      if (!invited) return null
      const about = { person: name, before: '', after: rolesText(held) }
      await audit(tx, services, staffActor(callers), {
        kind: 'staff.invited',
        details: { person: name },
        subject: invited.staffId,
      })
      await audit(tx, services, staffActor(callers), {
        kind: 'staff.roles_changed',
        details: about,
        subject: invited.staffId,
      })
      await mailInvitation(services, tx, { staff: invited.staffId, token: invited.token })
      return invited
    })
    return made
      ? succeed({ staff_id: made.staffId })
      : refuse(409, 'known', staffExists, { fields: { email: staffExists } })
  },
})

export const SetRoles = internalOperation({
  name: 'SetRoles',
  access: owners,
  freshFactor: true,
  input: v.object({
    staff_id: staffId,
    roles,
    /** The roles as the form showed them, in words. */
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

export const EndStaff = internalOperation({
  name: 'EndStaff',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Left the company' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      await lockOwners(tx)
      await lockPerson(tx, input.staff_id)
      const known = await personById(tx, input.staff_id)
      if (!known) return notOnFile
      if (known.state === 'ended') return succeed({ ended: true })
      if (!(await anotherOwner(tx, input.staff_id))) return refuse(409, 'last_owner', lastOwner)
      await endPerson(tx, services, input.staff_id)
      await releaseTasks(tx, input.staff_id, new Set())
      await audit(tx, services, staffActor(callers), {
        kind: 'staff.ended',
        details: { person: known.name },
        subject: input.staff_id,
        reason: input.reason,
      })
      return succeed({ ended: true })
    }),
})

export const EndStaffSignIns = internalOperation({
  name: 'EndStaffSignIns',
  access: owners,
  input: v.object({ staff_id: staffId }),
  example: { input: person },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const known = await personById(tx, input.staff_id)
      if (!known) return notOnFile
      await endAllSignIns(tx, input.staff_id, services.clock.now())
      await audit(tx, services, staffActor(callers), {
        kind: 'staff.sign_ins_ended',
        details: { person: known.name },
        subject: input.staff_id,
      })
      return succeed({ ended: true })
    }),
})

/** Mails an invitation to a person on file, in one transaction with its event. */
const inviteOnFile = (
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
    // A form that was opened before they left must not bring them back.
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

export const ResetStaffFactors = internalOperation({
  name: 'ResetStaffFactors',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Lost phone' } },
  run: (services, input, callers) => inviteOnFile(services, callers, input, 'staff.factors_reset'),
})

/** Brings a person who has left back, with the roles they had. */
export const InviteStaffAgain = internalOperation({
  name: 'InviteStaffAgain',
  access: owners,
  freshFactor: true,
  input: v.object({ staff_id: staffId, reason }),
  example: { input: { ...person, reason: 'Back for the season' } },
  run: (services, input, callers) => inviteOnFile(services, callers, input, 'staff.invited'),
})

export const staffOperations = [InviteStaff, SetRoles, EndStaff, EndStaffSignIns, ResetStaffFactors, InviteStaffAgain]

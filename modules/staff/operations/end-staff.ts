import * as v from 'valibot'
import { lastOwner } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { owners, person, reason, staffId } from '../invitations.ts'
import { anotherOwner, endPerson, lockOwners, lockPerson, personById } from '../people.ts'
import { releaseTasks } from '../tasks.ts'

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

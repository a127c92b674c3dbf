import * as v from 'valibot'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { owners, person, staffId } from '../invitations.ts'
import { endAllSignIns, personById } from '../people.ts'

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

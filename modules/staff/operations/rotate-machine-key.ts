import * as v from 'valibot'
import { keyNotRotated } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { keyExample, keyId, keyManagerAccess } from '../internal/machine-key-input.ts'
import { reason } from '../invitations.ts'
import { machineKeyById, rotateMachineKey } from '../machine-keys.ts'

/** Gives a machine key a new secret, which only this response contains. The old secret works for 24 more hours. */
export const RotateMachineKey = internalOperation({
  name: 'RotateMachineKey',
  access: keyManagerAccess,
  freshFactor: true,
  input: v.object({ key_id: keyId, reason }),
  example: { input: { ...keyExample, reason: 'Yearly' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const key = await machineKeyById(services, tx, input.key_id)
      if (!key) return recordNotFound
      const token = await rotateMachineKey(tx, services, input.key_id)
      if (token === null) return refuse(409, 'not_rotated', keyNotRotated)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'key.rotated',
        details: { name: key.name },
        permission: 'key.manage',
        subject: input.key_id,
        reason: input.reason,
      })
      return succeed({ key_id: input.key_id, token })
    }),
})

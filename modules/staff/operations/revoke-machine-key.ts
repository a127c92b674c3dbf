import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { keyExample, keyId, keyManagerAccess } from '../internal/machine-key-input.ts'
import { reason } from '../invitations.ts'
import { machineKeyById, revokeMachineKey } from '../machine-keys.ts'

/** Revokes a machine key: its next call is refused in every process. */
export const RevokeMachineKey = internalOperation({
  name: 'RevokeMachineKey',
  access: keyManagerAccess,
  freshFactor: true,
  input: v.object({ key_id: keyId, reason }),
  example: { input: { ...keyExample, reason: 'The controller was replaced' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const key = await machineKeyById(services, tx, input.key_id)
      if (!key) return recordNotFound
      if (!(await revokeMachineKey(tx, input.key_id, services.clock.now()))) return succeed({ revoked: true })
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'key.revoked',
        details: { name: key.name },
        permission: 'key.manage',
        subject: input.key_id,
        reason: input.reason,
      })
      return succeed({ revoked: true })
    }),
})

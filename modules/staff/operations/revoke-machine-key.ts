import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { keyExample, keyId } from '../internal/machine-key-id-input.ts'
import { reason } from '../internal/staff-operation-input.ts'
import { loadMachineKey, revokeMachineKey } from '../machine-keys.ts'
import { officeOperation } from '../office-operation.ts'

/** Revokes a machine key: its next call is refused in every process. */
export const RevokeMachineKey = officeOperation({
  name: 'RevokeMachineKey',
  permission: 'key.manage',
  access: mayAnywhere('key.manage'),
  freshFactor: true,
  input: v.object({ key_id: keyId, reason }),
  example: { ...keyExample, reason: 'The controller was replaced' },
  async work({ tx, services, audit, leaveUnchanged }, { key_id }) {
    const key = await loadMachineKey(services, tx, key_id)
    if (!key) throw new RefusalError(recordNotFound)
    if (await revokeMachineKey(tx, key_id, services.clock.now()))
      await audit({ kind: 'key.revoked', details: { name: key.name }, subject: key_id })
    else leaveUnchanged()
    return { revoked: true }
  },
})

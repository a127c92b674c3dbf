import * as v from 'valibot'
import { keyNotRotated } from '../../../domain/texts/office-refusals.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { keyExample, keyId } from '../internal/machine-key-id-input.ts'
import { reason } from '../internal/staff-operation-input.ts'
import { loadMachineKey, rotateMachineKey } from '../machine-keys.ts'
import { officeOperation } from '../office-operation.ts'

/** Gives a machine key a new secret, which only this response contains. The old secret works for 24 more hours. */
export const RotateMachineKey = officeOperation({
  name: 'RotateMachineKey',
  permission: 'key.manage',
  access: mayAnywhere('key.manage'),
  freshFactor: true,
  input: v.object({ key_id: keyId, reason }),
  example: { ...keyExample, reason: 'Yearly' },
  async work({ tx, services, audit }, { key_id }) {
    const key = await loadMachineKey(services, tx, key_id)
    if (!key) throw new RefusalError(recordNotFound)
    const token = await rotateMachineKey(tx, services, key_id)
    if (token === null) throw refusalError(409, 'not_rotated', keyNotRotated)
    await audit({ kind: 'key.rotated', details: { name: key.name }, subject: key_id })
    return { key_id, token }
  },
})

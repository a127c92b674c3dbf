import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadMachineKeys } from '../machine-keys.ts'

/** Lists all machine keys without their secrets, working keys first. */
export const ListMachineKeys = internalOperation({
  name: 'ListMachineKeys',
  access: { staff: mayAnywhere('key.manage') },
  input: v.object({}),
  writes: false,
  example: { input: {} },
  run: async (services) => succeed({ keys: await loadMachineKeys(services, services.db.read) }),
})

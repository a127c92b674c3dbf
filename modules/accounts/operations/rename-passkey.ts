import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { accountIdOf, idField, signedInAccess } from '../internal/account-operation-parts.ts'
import { renamePasskey } from '../passkeys/store.ts'
import { passkeyName } from '../rules/account-forms.ts'

export const RenamePasskey = internalOperation({
  name: 'rename-passkey',
  access: signedInAccess,
  input: v.object({ id: idField, ...passkeyName.entries }),
  example: { input: { id: 'none', name: 'Chrome on Windows' } },
  run: async (services, { id, name }, callers) =>
    succeed(await renamePasskey(services, accountIdOf(callers), id, name)),
})

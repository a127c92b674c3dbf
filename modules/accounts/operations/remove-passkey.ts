import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { removeAccountPasskey } from '../internal/passkeys/add-and-remove-passkeys.ts'
import { accountIdOf, example, id, signedInAccess, token } from '../internal/signed-in-input.ts'

export const RemovePasskey = internalOperation({
  name: 'remove-passkey',
  access: signedInAccess,
  input: v.object({ id, token }),
  example,
  run: async (services, { id, token }, callers) =>
    succeed(await removeAccountPasskey(services, { accountId: accountIdOf(callers), token }, id)),
})

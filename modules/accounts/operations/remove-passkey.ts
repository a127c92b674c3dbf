import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { accountOf, example, id, signedIn, token } from '../internal/signed-in-input.ts'
import { removeAccountPasskey } from '../passkeys/account-passkeys.ts'

export const RemovePasskey = internalOperation({
  name: 'remove-passkey',
  access: signedIn,
  input: v.object({ id, token }),
  example,
  run: async (services, { id, token }, callers) =>
    succeed(await removeAccountPasskey(services, { accountId: accountOf(callers), token }, id)),
})

import * as v from 'valibot'
import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import {
  accountIdOf,
  idField,
  signedInAccess,
  signedInExample,
  tokenField,
} from '../internal/account-operation-parts.ts'
import { removePasskey } from '../passkeys/store.ts'

/** Removes a passkey of the account and ends all sign-ins made with it but the caller's own. */
export const RemovePasskey = internalOperation({
  name: 'remove-passkey',
  access: signedInAccess,
  input: v.object({ id: idField, token: tokenField }),
  example: signedInExample,
  async run(services, { id, token }, callers) {
    const account = accountIdOf(callers)
    const removed = await removePasskey(services, account, id, tokenHash(token))
    if (removed) services.security.record('passkey.removed', { account })
    return succeed(removed)
  },
})

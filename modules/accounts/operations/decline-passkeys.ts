import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { declinePasskeyOffer } from '../internal/passkeys/add-and-remove-passkeys.ts'
import { accountIdOf, example, signedInAccess } from '../internal/signed-in-input.ts'

export const DeclinePasskeys = internalOperation({
  name: 'decline-passkeys',
  access: signedInAccess,
  input: v.object({}),
  example,
  run: async (services, _, callers) => succeed(await declinePasskeyOffer(services, accountIdOf(callers))),
})

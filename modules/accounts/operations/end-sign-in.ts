import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { accountOf, example, id, signedIn } from '../internal/signed-in-input.ts'
import { endOneSignIn } from '../sessions-list.ts'

export const EndSignIn = internalOperation({
  name: 'end-sign-in',
  access: signedIn,
  input: v.object({ id }),
  example,
  run: async (services, { id }, callers) => succeed(await endOneSignIn(services, accountOf(callers), id)),
})

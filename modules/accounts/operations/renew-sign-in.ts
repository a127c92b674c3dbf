import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { renewSignIn } from '../active-sign-ins.ts'
import { signedInAccess, signedInExample, tokenField } from '../internal/account-operation-parts.ts'

/** Extends the caller's sign-in. Returns its new end in epoch milliseconds; null if it has ended. */
export const RenewSignIn = internalOperation({
  name: 'renew-sign-in',
  access: signedInAccess,
  input: v.object({ token: tokenField }),
  example: signedInExample,
  run: async (services, { token }) => succeed(await renewSignIn(services, token)),
})

import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { endSignInById } from '../active-sign-ins.ts'
import { accountIdOf, idField, signedInAccess, signedInExample } from '../internal/account-operation-parts.ts'

export const EndSignIn = internalOperation({
  name: 'end-sign-in',
  access: signedInAccess,
  input: v.object({ id: idField }),
  example: signedInExample,
  run: async (services, { id }, callers) => succeed(await endSignInById(services, accountIdOf(callers), id)),
})

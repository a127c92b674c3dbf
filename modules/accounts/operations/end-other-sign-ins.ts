import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { endOtherSignIns } from '../active-sign-ins.ts'
import { accountIdOf, signedInAccess, signedInExample, tokenField } from '../internal/account-operation-parts.ts'

export const EndOtherSignIns = internalOperation({
  name: 'end-other-sign-ins',
  access: signedInAccess,
  input: v.object({ token: tokenField }),
  example: signedInExample,
  run: async (services, { token }, callers) => succeed(await endOtherSignIns(services, accountIdOf(callers), token)),
})

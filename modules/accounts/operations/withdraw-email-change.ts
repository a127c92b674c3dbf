import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { withdrawEmailChange } from '../email-change.ts'
import { accountIdOf, signedInAccess, signedInExample } from '../internal/signed-in-account-access.ts'

export const WithdrawEmailChange = internalOperation({
  name: 'withdraw-email-change',
  access: signedInAccess,
  input: v.object({}),
  example: signedInExample,
  run: async (services, _, callers) => succeed(await withdrawEmailChange(services, accountIdOf(callers))),
})

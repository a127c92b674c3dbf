import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { withdrawEmailChange } from '../email-change.ts'
import { accountOf, example, signedIn } from '../internal/signed-in-input.ts'

export const WithdrawEmailChange = internalOperation({
  name: 'withdraw-email-change',
  access: signedIn,
  input: v.object({}),
  example,
  run: async (services, _, callers) => succeed(await withdrawEmailChange(services, accountOf(callers))),
})

import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { withdrawOpenEmailChanges } from '../email-change.ts'
import { accountIdOf, signedInAccess, signedInExample } from '../internal/account-operation-parts.ts'

export const WithdrawEmailChange = internalOperation({
  name: 'withdraw-email-change',
  access: signedInAccess,
  input: v.object({}),
  example: signedInExample,
  async run(services, _, callers) {
    await withdrawOpenEmailChanges(services.db.write, accountIdOf(callers))
    return succeed(undefined)
  },
})

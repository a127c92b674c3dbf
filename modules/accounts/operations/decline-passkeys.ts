import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { accountIdOf, signedInAccess, signedInExample } from '../internal/account-operation-parts.ts'

export const DeclinePasskeys = internalOperation({
  name: 'decline-passkeys',
  access: signedInAccess,
  input: v.object({}),
  example: signedInExample,
  async run(services, _, callers) {
    await services.db.write
      .updateTable('accounts')
      .set({ passkey_offer_declined_at: services.clock.now() })
      .where('account_id', '=', accountIdOf(callers))
      .execute()
    return succeed(undefined)
  },
})

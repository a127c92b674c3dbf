import * as v from 'valibot'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { confirmEmailChange } from '../email-change.ts'
import { accountIdOf, signedInAccess, tokenField } from '../internal/account-operation-parts.ts'

export const ConfirmEmailChange = internalOperation({
  name: 'confirm-email-change',
  access: signedInAccess,
  input: v.object({ changeId: unmodifiedText, token: tokenField, sessionToken: unmodifiedText }),
  example: { input: { changeId: 'none', token: 'none', sessionToken: 'none' } },
  run: async (services, { sessionToken, ...link }, callers) =>
    succeed(await confirmEmailChange(services, accountIdOf(callers), link, sessionToken)),
})

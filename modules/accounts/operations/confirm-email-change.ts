import * as v from 'valibot'
import { asSent } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { confirmEmailChange } from '../email-change.ts'
import { accountOf, signedIn, token } from '../internal/signed-in-input.ts'

export const ConfirmEmailChange = internalOperation({
  name: 'confirm-email-change',
  access: signedIn,
  input: v.object({ changeId: asSent, token, signIn: asSent }),
  example: { input: { changeId: 'none', token: 'none', signIn: 'none' } },
  run: async (services, { signIn, ...link }, callers) =>
    succeed(await confirmEmailChange(services, accountOf(callers), link, signIn)),
})

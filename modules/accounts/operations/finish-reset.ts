import * as v from 'valibot'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { resetPassword } from '../password-reset.ts'

export const FinishReset = internalOperation({
  name: 'finish-reset',
  access: 'anyone',
  input: v.object({ password: unmodifiedText, removePasskeys: v.boolean() }),
  example: { input: { password: 'rolling-door-47', removePasskeys: false } },
  run: async (services, { password, ...options }, { resetId }) =>
    succeed(
      resetId ? await resetPassword(services, resetId, password, options) : { ok: false as const, passwordError: null },
    ),
})

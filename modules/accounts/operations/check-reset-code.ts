import * as v from 'valibot'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { checkResetCode } from '../password-reset.ts'

export const CheckResetCode = internalOperation({
  name: 'check-reset-code',
  access: 'anyone',
  input: v.object({ code: v.string() }),
  example: { input: { code: '000000' } },
  run: async (services, { code }, callers) =>
    succeed(callers.resetId ? await checkResetCode(services, callers.resetId, code, callers) : 'over'),
})

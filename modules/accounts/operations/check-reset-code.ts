import * as v from 'valibot'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { checkResetCode } from '../password-reset.ts'

export const CheckResetCode = internalOperation({
  name: 'check-reset-code',
  access: 'anyone',
  input: v.object({ code: unmodifiedText }),
  example: { input: { code: '000000' } },
  run: async (services, { code }, callers) =>
    succeed(callers.resetId ? await checkResetCode(services, callers.resetId, code, callers) : 'over'),
})

import * as v from 'valibot'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { undoChange } from '../internal/undo-change.ts'

/**
 * Undoes an account change by its mailed link. Returns the account's id and the id of the password reset with which the
 * user continues; null for a link that is invalid, expired, used or void.
 */
export const UndoAccountChange = internalOperation({
  name: 'undo-account-change',
  access: 'anyone',
  input: v.object({ link: unmodifiedText }),
  example: { input: { link: 'none' } },
  run: async (services, { link }) => succeed(await undoChange(services, link)),
})

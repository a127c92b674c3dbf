import * as v from 'valibot'
import { asSent } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { undoChange } from '../undo-change.ts'

/** By the mailed link alone; null for one that is worth nothing. */
export const UndoAccountChange = internalOperation({
  name: 'undo-account-change',
  access: 'anyone',
  input: v.object({ link: asSent }),
  example: { input: { link: 'none' } },
  run: async (services, { link }) => succeed(await undoChange(services, link)),
})

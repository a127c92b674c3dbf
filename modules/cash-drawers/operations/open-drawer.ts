import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { openDrawer } from '../close-drawer.ts'
import { cents } from '../internal/receipt-input.ts'

export const OpenDrawer = internalOperation({
  name: 'OpenDrawer',
  access: { staff: may('drawer.count') },
  input: v.object({ location_code: locationCode(), float: cents }),
  example: { input: { location_code: 'ATL01', float: 10_000 } },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'OpenDrawer', input: { ...input, reason: '' }, permission: 'drawer.count' },
      async (tx, tools) => {
        const of = { locationCode: input.location_code, float: input.float }
        const batch_id = await openDrawer(tx, services, staffOf(callers), tools, of)
        const event = { kind: 'drawer.opened', details: { float: format(input.float) }, subject: batch_id } as const
        return { done: { batch_id }, event }
      },
    ),
})

import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { openDrawer } from '../internal/close-drawer.ts'
import { cents } from '../internal/receipt-input.ts'

export const OpenDrawer = approvableOperation({
  name: 'OpenDrawer',
  permission: 'drawer.count',
  input: v.object({ location_code: locationCode(), float: cents }),
  example: { location_code: 'ATL01', float: 10_000 },
  async work(act, input) {
    const batch_id = await openDrawer(act, { locationCode: input.location_code, float: input.float })
    await act.audit({ kind: 'drawer.opened', details: { float: format(input.float) }, subject: batch_id })
    return { batch_id }
  },
})

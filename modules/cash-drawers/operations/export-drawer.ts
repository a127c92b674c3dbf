import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { batchId, drawer } from '../internal/drawer-and-receipt-input-fields.ts'
import { loadDrawerReceipts, loadDrawerWithNames } from '../views/receipt-lists.ts'

/** Exports a drawer's receipts to staff who may see the drawer. The audit event is written before the file is sent. */
export const ExportDrawer = officeOperation({
  name: 'ExportDrawer',
  permission: null,
  access: () => true,
  input: v.object({ batch_id: batchId }),
  example: { batch_id: drawer.batch_id },
  async before(services, { batch_id }, callers) {
    const drawerWithNames = await loadDrawerWithNames(services.db.read, staffOf(callers), batch_id)
    if (!drawerWithNames) throw new RefusalError(recordNotFound)
    return { drawer: drawerWithNames.drawer, receipts: await loadDrawerReceipts(services.db.read, batch_id) }
  },
  async work(act, { batch_id }, { drawer, receipts }) {
    await act.audit({
      kind: 'drawer.exported',
      details: { receipts: `${receipts.length} ${receipts.length === 1 ? 'receipt' : 'receipts'}` },
      subject: batch_id,
      locationCode: drawer.location_code,
    })
    return { receipts }
  },
})

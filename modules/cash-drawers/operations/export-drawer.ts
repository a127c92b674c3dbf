import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { batchId, drawer } from '../internal/receipt-input.ts'
import { loadDrawerReceipts, loadOpenedDrawer } from '../views/receipt-lists.ts'

/** Exports a drawer's receipts. The audit event is written before the file is sent. */
export const ExportDrawer = internalOperation({
  name: 'ExportDrawer',
  access: { staff: () => true },
  input: v.object({ batch_id: batchId }),
  example: { input: { batch_id: drawer.batch_id } },
  async run(services, { batch_id }, callers) {
    const found = await loadOpenedDrawer(services.db.read, staffOf(callers), batch_id)
    if (!found) return recordNotFound
    const receipts = await loadDrawerReceipts(services.db.read, batch_id)
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'drawer.exported',
      details: { receipts: `${receipts.length} ${receipts.length === 1 ? 'receipt' : 'receipts'}` },
      subject: batch_id,
      locationCode: found.drawer.location_code,
    })
    return succeed({ receipts })
  },
})

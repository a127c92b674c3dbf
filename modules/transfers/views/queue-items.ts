import type { Services } from '../../../platform/operations/services.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import * as say from '../texts/transfer.ts'
import { loadOfferedTransfers } from '../transfer-rows.ts'

/** Returns queue items of transfers that wait for a signature. */
export async function loadTransferItems(services: Services, query: QueueQuery): Promise<QueueItem[]> {
  const rows = await loadOfferedTransfers(services, query)
  return rows.map((row) => ({
    id: row.transfer_id,
    at: row.opened_at,
    due: row.starts_on,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    unit: row.unit_number,
    cents: null,
    owner: null,
    what: say.transferAwaitsSignature(row.unit_number, row.to_unit_number),
    why: `${row.first} ${row.last}`.trim(),
  }))
}

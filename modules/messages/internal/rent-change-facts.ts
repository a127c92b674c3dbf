import type { Services } from '../../../platform/operations/services.ts'
import { loadLeaseForMessage } from './message-facts.ts'

/** Loads a rent change with its lease, tenant and facility; null when one of them is missing. */
export async function loadRentChangeFacts(services: Services, changeId: string) {
  const change = await services.db.read
    .selectFrom('rent_changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .executeTakeFirst()
  const leaseFacts =
    change &&
    (await loadLeaseForMessage(services, { locationCode: change.location_code, leaseNumber: change.lease_number }))
  return leaseFacts ? { change, ...leaseFacts } : null
}

import type { Kysely } from 'kysely'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadNewestEntryIds } from '../../standing/views/newest-ledger-entry-ids.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { type ListedDrawer, loadOpenDrawers } from './drawer-lists.ts'

/** A lease that a payment at the counter may be received for. */
export type LeaseToReceiveFor = Pick<
  Lease,
  'location_code' | 'tenant_id' | 'lease_number' | 'unit_number' | 'balance' | 'status'
>

/** Ledger state of the leases, open drawers, and whether the tenant may not pay by check. */
export interface ReceivePaymentForm {
  /** Id of the newest ledger entry of each lease, in the order of the leases; '' for an empty ledger. */
  newestEntryIds: string[]
  /** Open drawers into which the staff member may receive, their own first. */
  drawers: ListedDrawer[]
  noChecks: boolean
}

/**
 * Loads the data, besides the leases, of the form that receives a payment at the counter.
 * @param leases leases of one tenant
 */
export async function loadReceivePaymentForm(
  db: Kysely<Tables>,
  caller: StaffCaller,
  leases: readonly LeaseToReceiveFor[],
): Promise<ReceivePaymentForm> {
  const [firstLease] = leases
  const [newestEntryIds, drawers, noChecks] = await Promise.all([
    loadNewestEntryIds(db, leases),
    loadOpenDrawers(db, caller),
    firstLease
      ? isFlagged(db, { locationCode: firstLease.location_code, tenantId: firstLease.tenant_id }, 'no_checks')
      : false,
  ])
  return { newestEntryIds, drawers, noChecks }
}

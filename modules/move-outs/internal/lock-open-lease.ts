import type { Kysely } from 'kysely'
import { leaseIsClosed, moveOutFollowsAuction } from '../../../domain/texts/office-refusals.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LockedLease, lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { paidWinnerQuery } from '../../links/paid-auction-winners.ts'

export const leaseExample = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

/**
 * Locks a tenant's lease that is open and whose unit was not sold at auction.
 * @throws RefusalError when the lease is not this tenant's, is closed, or was sold
 */
export async function lockOpenLease(
  tx: Kysely<Tables>,
  input: { location_code: string; tenant_id: number; lease_number: number },
): Promise<LockedLease> {
  const row = await lockLeaseRow(tx, input)
  if (row?.tenant_id !== input.tenant_id) throw new RefusalError(recordNotFound)
  const leaseKey = { locationCode: input.location_code, leaseNumber: input.lease_number }
  if (await paidWinnerQuery(tx, leaseKey).executeTakeFirst()) throw refusalError(409, 'sold', moveOutFollowsAuction)
  if (row.status === 'Closed') throw refusalError(409, 'closed', leaseIsClosed)
  return row
}

import type { Kysely } from 'kysely'
import { leaseIsClosed, soldToWinner } from '../../../domain/texts/office.ts'
import { notOnFile } from '../../../platform/operations/operation.ts'
import { Refused, refused } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LockedLease, lockLease } from '../../leases/lock.ts'
import { auctionPaid } from '../../links/auction-sales.ts'

export const leaseExample = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

/**
 * Locks a lease.
 * @throws Refused when it does not exist, is closed, or its unit was sold at auction
 */
export async function lockedLease(
  tx: Kysely<Tables>,
  of: { location_code: string; tenant_id: number; lease_number: number },
): Promise<LockedLease> {
  const row = await lockLease(tx, of)
  if (row?.tenant_id !== of.tenant_id) throw new Refused(notOnFile)
  const sold = { locationCode: of.location_code, leaseNumber: of.lease_number }
  if (await auctionPaid(tx, sold).executeTakeFirst()) throw refused(409, 'sold', soldToWinner)
  if (row.status === 'Closed') throw refused(409, 'closed', leaseIsClosed)
  return row
}

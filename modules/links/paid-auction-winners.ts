/** Queries for units sold at auction, and for their winners' gate codes. */
import { type Kysely, sql } from 'kysely'
import type { LeasesTable, Tables } from '../../platform/schema/tables.ts'

/**
 * Selects the gate codes of a facility's auction winners who have paid. They are recorded under the unit's former
 * tenant, who must not learn them.
 */
export const winnerCodesQuery = (db: Kysely<Tables>, locationCode: string) =>
  db
    .selectFrom('auction_winners')
    .select('auction_winners.gate_code')
    .where('auction_winners.location_code', '=', locationCode)
    .where('auction_winners.state', '=', 'paid')

/**
 * Creates a subquery for a row of `gate_wanted` in the outer query: selects the auction winner who has its code. The row
 * names the unit's former tenant, for whom nothing about the code may be recorded.
 */
export const winnerOfListedCode = (db: Kysely<Tables>) =>
  db
    .selectFrom('auction_winners')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'auction_winners.location_code')
        .onRef('leases.lease_number', '=', 'auction_winners.lease_number'),
    )
    .select('auction_winners.uuid')
    .where('auction_winners.location_code', '=', sql.ref<string>('gate_wanted.location_code'))
    .where('auction_winners.gate_code', '=', sql.ref<string>('gate_wanted.gate_code'))
    .where('auction_winners.state', '=', 'paid')
    .where('leases.tenant_id', '=', sql.ref<number>('gate_wanted.tenant_id'))

/** Selects the auction winner who has paid for a lease's unit; no row before that. */
export const paidWinnerQuery = (db: Kysely<Tables>, lease: { locationCode: string; leaseNumber: number }) =>
  db
    .selectFrom('auction_winners')
    .select('uuid')
    .where((eb) => eb.and({ location_code: lease.locationCode, lease_number: lease.leaseNumber }))
    .where('state', '=', 'paid')

/**
 * Creates a subquery for the lease of the outer query: selects its auction winner who has paid. If it finds one, the
 * unit no longer belongs to the lease's tenant.
 */
export const paidWinnerSubquery = (db: Kysely<Tables>) =>
  db
    .selectFrom('auction_winners')
    .select('uuid')
    .where('auction_winners.location_code', '=', sql.ref<string>('leases.location_code'))
    .where('auction_winners.lease_number', '=', sql.ref<number>('leases.lease_number'))
    .where('auction_winners.state', '=', 'paid')

/** Returns whether a lease's unit was sold at auction, so that its tenant has no more access. */
export async function isSoldAtAuction(
  db: Kysely<Tables>,
  lease: Pick<LeasesTable, 'location_code' | 'lease_number' | 'scheduled_move_out'>,
): Promise<boolean> {
  // The winner's payment sets a move-out date, so leases without one need no query.
  if (lease.scheduled_move_out === null) return false
  const leaseKey = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  return (await paidWinnerQuery(db, leaseKey).executeTakeFirst()) !== undefined
}

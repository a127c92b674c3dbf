import { type Kysely, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Database } from '../../platform/database/open.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { setBalance } from '../leases/lease.ts'

/** Returns a lease's balance, the sum of its ledger entries, in cents. A negative balance is a credit. */
export async function loadBalance(db: Kysely<Tables>, locationCode: string, leaseNumber: number): Promise<Cents> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.sum<number | null>('cents').as('balance'))
    .where((eb) => eb.and({ location_code: locationCode, lease_number: leaseNumber }))
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}

/** A lease whose stored balance (`stored`) differs from the sum of its entries, both in cents. */
export interface BalanceMismatch {
  locationCode: string
  leaseNumber: number
  stored: Cents
  sum: Cents
}

/**
 * Finds leases whose stored balance differs from the sum of their entries.
 * @param only location code; all facilities when omitted
 */
export async function findBalanceMismatches(db: Database, only?: string): Promise<BalanceMismatch[]> {
  const mismatches: BalanceMismatch[] = []
  const locations = await db.read
    .selectFrom('locations')
    .select('location_code')
    .$call(optionalCondition(only, (query, code) => query.where('location_code', '=', code)))
    .orderBy('location_code')
    .execute()
  for (const { location_code: locationCode } of locations) {
    const rows = await db.read
      .selectFrom('leases')
      .leftJoin('ledger_entries', (join) =>
        join
          .onRef('ledger_entries.location_code', '=', 'leases.location_code')
          .onRef('ledger_entries.lease_number', '=', 'leases.lease_number'),
      )
      .select(['leases.lease_number', 'balance'])
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('cents'), eb.lit(0)).as('cents'))
      .where('leases.location_code', '=', locationCode)
      .groupBy(['leases.location_code', 'leases.lease_number', 'balance'])
      .having((eb) => eb('balance', '!=', eb.fn.coalesce(eb.fn.sum<number>('cents'), eb.lit(0))))
      .orderBy('leases.lease_number')
      .execute()
    for (const row of rows)
      mismatches.push({ locationCode, leaseNumber: row.lease_number, stored: row.balance, sum: Number(row.cents) })
  }
  return mismatches
}

/**
 * Sets wrong stored balances to the sum of the ledger entries.
 * @returns leases whose balance was wrong
 */
export async function repairBalances(db: Database): Promise<BalanceMismatch[]> {
  const mismatches = await findBalanceMismatches(db)
  for (const { locationCode, leaseNumber } of mismatches)
    await db.transaction((tx) =>
      setBalance(
        tx,
        { location_code: locationCode, lease_number: leaseNumber },
        sql<number>`(select coalesce(sum(cents), 0) from ledger_entries where location_code = ${locationCode} and lease_number = ${leaseNumber})`,
      ),
    )
  return mismatches
}

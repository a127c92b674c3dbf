import { type QueryExecutorProvider, sql } from 'kysely'
import { engineOf } from '../database/engine-differences.ts'

const changes = ['insert', 'update', 'delete'] as const
const triggerOf = (change: (typeof changes)[number]) => sql.ref(`ledger_entries_${change}_balance`)

/** Creates triggers that keep a lease's balance equal to the sum of its entries; `countBalanceMismatches` checks it. */
export async function createBalanceTriggers(db: QueryExecutorProvider): Promise<void> {
  if (engineOf(db) === 'sqlite') {
    const adjustBalance = (
      row: 'new' | 'old',
    ) => sql`update leases set balance = balance ${sql.raw(row === 'new' ? '+' : '-')} ${sql.ref(row)}.cents
      where location_code = ${sql.ref(row)}.location_code and lease_number = ${sql.ref(row)}.lease_number;`
    const actions = {
      insert: adjustBalance('new'),
      update: sql`${adjustBalance('old')} ${adjustBalance('new')}`,
      delete: adjustBalance('old'),
    }
    for (const change of changes) {
      const event = change === 'update' ? sql`update of cents, location_code, lease_number` : sql.raw(change)
      await sql`create trigger ${triggerOf(change)} after ${event} on ledger_entries begin ${actions[change]} end`.execute(
        db,
      )
    }
    return
  }
  // The triggers run once a statement, since billing and imports add hundreds of entries at a time, several of them to
  // one lease.
  const rows = {
    insert: sql`select location_code, lease_number, cents from added`,
    update: sql`select location_code, lease_number, cents from added
      union all select location_code, lease_number, -cents from removed`,
    delete: sql`select location_code, lease_number, -cents as cents from removed`,
  }
  const tables = {
    insert: sql`new table as added`,
    update: sql`old table as removed new table as added`,
    delete: sql`old table as removed`,
  }
  for (const change of changes) {
    await sql`create or replace function ${triggerOf(change)}() returns trigger language plpgsql as $$ begin
      update leases set balance = balance + moved.cents
      from (select location_code, lease_number, sum(cents) as cents from (${rows[change]}) as entries
        group by location_code, lease_number having sum(cents) <> 0) as moved
      where leases.location_code = moved.location_code and leases.lease_number = moved.lease_number;
      return null; end $$`.execute(db)
    await sql`create trigger ${triggerOf(change)} after ${sql.raw(change)} on ledger_entries
      referencing ${tables[change]} for each statement execute function ${triggerOf(change)}()`.execute(db)
  }
}

/**
 * Drops the triggers while a whole business is copied, whose leases come with their balances; `createBalanceTriggers`
 * restores them.
 */
export async function dropBalanceTriggers(db: QueryExecutorProvider): Promise<void> {
  for (const change of changes)
    await sql`drop trigger ${triggerOf(change)} ${sql.raw(engineOf(db) === 'postgres' ? 'on ledger_entries' : '')}`.execute(
      db,
    )
}

import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration; they have a default, so that an older version beside this one still writes. */
export const keptColumns = { leases: { balance: 'whole' } } as const

/**
 * What is owed on a lease is the sum of its ledger, and a tenant of forty units has thousands of entries. The database
 * itself keeps the sum beside the lease, so that whoever adds an entry (billing, an import, an older version of the program
 * beside this one) cannot forget to. The entries stay the truth: the reconciler compares.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const whole = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
  await sql`alter table leases add column balance ${whole} not null default 0`.execute(db)
  // Most leases owe nothing, and their rows stay as they are.
  const sum = sql`(select coalesce(sum(cents), 0) from ledger_entries as e
    where e.location_code = leases.location_code and e.lease_number = leases.lease_number)`
  await sql`update leases set balance = ${sum} where ${sum} <> 0`.execute(db)
  await keepBalances(db)
  await bumpWithTheMap(db)
  // The one on (location_code, tenant_id, lease_number) begins with the same columns.
  await sql`drop index leases_by_location_code_tenant_id`.execute(db)
}

/** What stands where on a facility's map: a change of it is a new content version, whoever makes the change. */
const mapped = {
  units: 'unit_number, unit_type_id, floor_no, left_coordinate, top_coordinate, length, width, rotate',
  map_fixtures: 'category_name, floor_no, left_coordinate, top_coordinate, length, width, rotate, system_rotation',
}

async function bumpWithTheMap(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(mapped))
    for (const change of ['insert', `update of ${columns}`, 'delete']) {
      const name = sql.ref(`${table}_${change.replace(/ .*/, '')}_bumps`)
      const on = sql`after ${sql.raw(change)} on ${sql.table(table)}`
      await (engineOf(db) === 'postgres'
        ? sql`create trigger ${name} ${on} for each statement execute function bump_content_version()`
        : sql`create trigger ${name} ${on} begin update content_version set version = version + 1 where id = 1; end`
      ).execute(db)
    }
}

const changes = ['insert', 'update', 'delete'] as const
const triggerOf = (change: (typeof changes)[number]) => sql.ref(`ledger_entries_${change}_balance`)

/** From now on every entry that comes, changes or goes moves its lease's kept balance. */
export async function keepBalances(db: QueryExecutorProvider): Promise<void> {
  if (engineOf(db) === 'sqlite') {
    const moves = (
      row: 'new' | 'old',
    ) => sql`update leases set balance = balance ${sql.raw(row === 'new' ? '+' : '-')} ${sql.ref(row)}.cents
      where location_code = ${sql.ref(row)}.location_code and lease_number = ${sql.ref(row)}.lease_number;`
    const does = { insert: moves('new'), update: sql`${moves('old')} ${moves('new')}`, delete: moves('old') }
    for (const change of changes) {
      const of = change === 'update' ? sql`update of cents, location_code, lease_number` : sql.raw(change)
      await sql`create trigger ${triggerOf(change)} after ${of} on ledger_entries begin ${does[change]} end`.execute(db)
    }
    return
  }
  // By the statement and not by the row: billing and imports add hundreds of entries at a time, several of them a lease's.
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

/** For a copy of a whole business, whose leases come with their balances: entries move nothing, until `keepBalances`. */
export async function leaveBalances(db: QueryExecutorProvider): Promise<void> {
  for (const change of changes)
    await sql`drop trigger ${triggerOf(change)} ${sql.raw(engineOf(db) === 'postgres' ? 'on ledger_entries' : '')}`.execute(
      db,
    )
}

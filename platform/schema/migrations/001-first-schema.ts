/** Creates the tables of the first release. `first-schema/` is frozen; later changes are separate migrations. */
import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine-differences.ts'
import { createBalanceTriggers } from '../balance-triggers.ts'
import { firstSchema } from '../first-schema/first-schema.ts'
import { createTable, type TableDeclaration } from './create-table.ts'

export { firstSchema as tables }

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(firstSchema)) await createTable(db, table, declared)
  await sql`insert into content_version (id, version) values (1, 1)`.execute(db)
  await countContentVersions(db)
  await createBalanceTriggers(db)
  await refuseAuditChanges(db)
  if (engineOf(db) === 'postgres') await revokeAuditChanges(db)
}

const pricedTables = ['locations', 'location_contents', 'unit_types', 'discounts', 'insurance_schemes', 'fees']

/** Columns that the facility map shows. Updates of other columns, such as a unit's status, do not raise the version. */
const mapColumns = {
  units: 'unit_number, unit_type_id, floor_no, left_coordinate, top_coordinate, length, width, rotate',
  map_fixtures: 'category_name, floor_no, left_coordinate, top_coordinate, length, width, rotate, system_rotation',
}

/** Creates triggers that raise the content version whenever prices, texts or maps change. */
async function countContentVersions(db: Kysely<unknown>): Promise<void> {
  const bump = sql`update content_version set version = version + 1 where id = 1`
  const postgres = engineOf(db) === 'postgres'
  if (postgres)
    await sql`create function bump_content_version() returns trigger language plpgsql as $$ begin ${bump}; return null; end $$`.execute(
      db,
    )
  const triggers = [
    ...pricedTables.map((table) => ({ table, update: 'update' })),
    ...Object.entries(mapColumns).map(([table, columns]) => ({ table, update: `update of ${columns}` })),
  ]
  for (const { table, update } of triggers)
    for (const change of ['insert', update, 'delete']) {
      const name = sql.ref(`${table}_${change.replace(/ .*/, '')}_bumps`)
      const on = sql`after ${sql.raw(change)} on ${sql.table(table)}`
      await (postgres
        ? sql`create trigger ${name} ${on} for each statement execute function bump_content_version()`
        : sql`create trigger ${name} ${on} begin ${bump}; end`
      ).execute(db)
    }
}

/** Retention period of audit events: seven years with two leap days, in seconds. */
const AUDIT_TERM_SECONDS = (7 * 365 + 2) * 86_400

/**
 * Creates triggers that make the audit log and the reasons of entries append-only. An audit event may be deleted once
 * its retention period is over by the database's clock.
 */
async function refuseAuditChanges(db: Kysely<unknown>): Promise<void> {
  const term = sql.lit(AUDIT_TERM_SECONDS)
  if (engineOf(db) === 'sqlite') {
    for (const table of ['audit_events', 'audit_days', 'entry_reasons'])
      for (const change of ['update', 'delete']) {
        const condition =
          table === 'audit_events' && change === 'delete'
            ? sql`when old.at > (unixepoch() - ${term}) * 1000`
            : sql.raw('')
        await sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)} ${condition}
          begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(db)
      }
    return
  }
  await sql`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
  await sql`create function refuse_early_delete() returns trigger language plpgsql as $$
    begin
      if old.at > (extract(epoch from now()) - ${term}) * 1000 then
        raise exception '% is append-only', tg_table_name;
      end if;
      return old;
    end $$`.execute(db)
  for (const table of ['audit_days', 'entry_reasons'])
    await sql`create trigger ${sql.ref(`${table}_no_change`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db)
  await sql`create trigger audit_events_no_change before update or truncate on audit_events
    for each statement execute function refuse_change()`.execute(db)
  await sql`create trigger audit_events_no_delete before delete on audit_events
    for each row execute function refuse_early_delete()`.execute(db)
}

/**
 * Revokes from roles other than the owner update and truncate on `audit_events` and `audit_days`, and delete on
 * `audit_days`; deploy/postgres/roles.sql grants update and delete on each new table. Events may be deleted once a
 * trigger allows it, after their retention period.
 */
async function revokeAuditChanges(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; role: string }>`
    select distinct relname as name, rolname as role
    from pg_class, aclexplode(relacl), pg_roles
    where pg_roles.oid = grantee and grantee <> relowner and pg_has_role(relowner, 'usage')
      and relnamespace = current_schema()::regnamespace and relname in ('audit_events', 'audit_days')
      and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`.execute(db)
  for (const { name, role } of rows) {
    const privileges = sql.raw(name === 'audit_events' ? 'update, truncate' : 'update, delete, truncate')
    await sql`revoke ${privileges} on ${sql.table(name)} from ${sql.id(role)}`.execute(db)
  }
}

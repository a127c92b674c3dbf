import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Seven years with their leap days. */
const TERM_SECONDS = (7 * 365 + 2) * 86_400

/** An event of the audit may be deleted once its term is over by the database's own clock; it is never changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) === 'sqlite') {
    await sql`drop trigger audit_events_no_delete`.execute(db)
    await sql`create trigger audit_events_no_delete before delete on audit_events
      when old.at > (unixepoch() - ${sql.lit(TERM_SECONDS)}) * 1000
      begin select raise(abort, 'audit_events is append-only'); end`.execute(db)
    return
  }
  await sql`create or replace function refuse_early_delete() returns trigger language plpgsql as $$
    begin
      if old.at > (extract(epoch from now()) - ${sql.lit(TERM_SECONDS)}) * 1000 then
        raise exception '% is append-only', tg_table_name;
      end if;
      return old;
    end $$`.execute(db)
  await sql`drop trigger audit_events_no_change on audit_events`.execute(db)
  await sql`create trigger audit_events_no_change before update or truncate on audit_events
    for each statement execute function refuse_change()`.execute(db)
  await sql`create trigger audit_events_no_delete before delete on audit_events
    for each row execute function refuse_early_delete()`.execute(db)
  for (const role of await rolesThatDelete(db)) await sql`grant delete on audit_events to ${sql.id(role)}`.execute(db)
}

/** Roles that may delete old requests of the office delete old events too. */
async function rolesThatDelete(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ role: string }>`
    select rolname as role
    from pg_class, aclexplode(relacl), pg_roles
    where pg_roles.oid = grantee and grantee <> relowner and pg_has_role(relowner, 'usage')
      and relnamespace = current_schema()::regnamespace and relname = 'approvals'
      and privilege_type = 'DELETE'`.execute(db)
  return rows.map(({ role }) => role)
}

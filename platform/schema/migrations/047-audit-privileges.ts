import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

const tables = ['audit_events', 'audit_days'] as const

/**
 * Other roles than their owner may read and add: deploy/postgres/roles.sql grants more on tables that are made later.
 * SQLite has no roles; the triggers of before refuse every change there and here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  const { rows } = await sql<{ name: string; role: string }>`
    select distinct relname as name, rolname as role
    from pg_class, aclexplode(relacl), pg_roles
    where pg_roles.oid = grantee and grantee <> relowner and pg_has_role(relowner, 'usage')
      and relnamespace = current_schema()::regnamespace and relname in (${sql.join(tables)})
      and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`.execute(db)
  for (const { name, role } of rows)
    await sql`revoke update, delete, truncate on ${sql.table(name)} from ${sql.id(role)}`.execute(db)
}

/**
 * Adds gates with their codes, acknowledged versions, events and commands. Triggers mark a gate whose codes may have
 * changed.
 */
import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine-differences.ts'
import { createTable, type TableDeclaration } from './create-table.ts'

export const tables = {
  gates: {
    columns: {
      location_code: 'text',
      kind: 'text',
      settings_sealed: 'text?',
      week: 'text',
      zone: 'text',
      connected_at: 'whole',
      epoch: 'text',
      version: 'whole',
      changed_at: 'whole',
      next_change_at: 'whole?',
      applied_version: 'whole',
      applied_at: 'whole?',
      heard_at: 'whole?',
      heard_by: 'text',
      next_try_at: 'whole?',
      last_error: 'text',
    },
    primary: 'location_code',
    within: ['location_code → locations'],
  },
  gate_wanted: {
    columns: {
      location_code: 'text',
      code_id: 'text',
      gate_code: 'text',
      tenant_id: 'whole',
      opens: 'flag',
      hours: 'text',
      units: 'text',
      version: 'whole',
      changed_at: 'whole',
      gone: 'flag',
      remote_id: 'text?',
      remote_version: 'whole',
      refused: 'text?',
      late_at: 'whole?',
    },
    primary: 'location_code, code_id',
    within: ['location_code → gates'],
    indexes: [
      { name: 'one_wanted_gate_code', columns: 'location_code, gate_code', unique: true, where: 'gone = 0' },
      { columns: 'location_code, tenant_id' },
    ],
  },
  /** Marks of gates whose codes may have changed. Triggers insert them, so that no writer locks the gate's own row. */
  gate_marks: {
    columns: { mark: 'text', location_code: 'text' },
    primary: 'mark',
    indexes: [{ columns: 'location_code' }],
  },
  gate_events: {
    columns: {
      location_code: 'text',
      event_id: 'text',
      at: 'whole',
      received_at: 'whole',
      point: 'text',
      what: 'text',
      code_id: 'text?',
      tenant_id: 'whole?',
      command_id: 'text?',
      why: 'text',
    },
    primary: 'location_code, event_id',
    indexes: [{ columns: 'location_code, tenant_id, at' }, { columns: 'received_at' }],
  },
  gate_commands: {
    columns: {
      command_id: 'text',
      location_code: 'text',
      point: 'text',
      staff_id: 'text',
      reason: 'text',
      created_at: 'whole',
      lapses_at: 'whole',
      done_at: 'whole?',
      answer: 'text',
    },
    primary: 'command_id',
    indexes: [{ columns: 'location_code, lapses_at' }],
  },
} as const satisfies Record<string, TableDeclaration>

/** Columns, by table, whose changes may affect a gate's codes; null for all columns. */
const watchedColumns: Readonly<Record<string, readonly string[] | null>> = {
  gate_codes: null,
  gate_overrides: null,
  leases: ['overlocked', 'status', 'gate_code', 'unit_number', 'tenant_id'],
  auction_winners: ['state', 'gate_code', 'lease_number'],
  locations: ['time_zone'],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, declared] of Object.entries<TableDeclaration>(tables)) await createTable(db, table, declared)
  await markChanges(db)
}

/** Creates triggers that mark a gate with each change that may affect its codes. */
async function markChanges(db: Kysely<unknown>): Promise<void> {
  const postgres = engineOf(db) === 'postgres'
  const mark = (id: string, at: string) => sql`insert into gate_marks (mark, location_code)
    select ${sql.raw(id)}, ${sql.raw(at)}
    where exists (select 1 from gates where gates.location_code = ${sql.raw(at)} and gates.kind <> 'none');`
  if (postgres)
    await sql`create function mark_gate() returns trigger language plpgsql as $$ begin
      ${mark('gen_random_uuid()::text', 'coalesce(new.location_code, old.location_code)')} return null; end $$`.execute(
      db,
    )
  const differs = postgres ? 'is distinct from' : 'is not'
  for (const [table, columns] of Object.entries(watchedColumns))
    for (const change of table === 'locations' ? ['update'] : ['insert', 'update', 'delete']) {
      const name = sql.ref(`${table}_${change}_marks_gate`)
      const updatedColumns = change === 'update' && columns ? columns : null
      const event = sql.raw(updatedColumns ? `update of ${updatedColumns.join(', ')}` : change)
      const when = sql.raw(
        updatedColumns
          ? `when (${updatedColumns.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')})`
          : '',
      )
      const head = sql`create trigger ${name} after ${event} on ${sql.table(table)} for each row ${when}`
      const at = `${change === 'delete' ? 'old' : 'new'}.location_code`
      await (postgres
        ? sql`${head} execute function mark_gate()`
        : sql`${head} begin ${mark('lower(hex(randomblob(16)))', at)} end`
      ).execute(db)
    }
}

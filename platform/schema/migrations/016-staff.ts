import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

export const staffTables = {
  staff: {
    staff_id: 'text',
    email: 'text',
    name: 'text',
    password_hash: 'text?',
    invite_hash: 'text?',
    invite_expires_at: 'whole?',
    created_at: 'whole',
    ended_at: 'whole?',
  },
  staff_roles: { staff_id: 'text', role: 'text', scope: 'text' },
  staff_factors: {
    factor_id: 'text',
    staff_id: 'text',
    kind: 'text',
    name: 'text',
    credential_id: 'text?',
    public_key: 'text?',
    counter: 'whole',
    transports: 'text',
    secret_sealed: 'text?',
    code_hash: 'text?',
    created_at: 'whole',
    last_used_at: 'whole?',
  },
  staff_sign_ins: {
    token_hash: 'text',
    staff_id: 'text',
    device: 'text',
    agent: 'text',
    address: 'text',
    factor: 'text?',
    proven_at: 'whole?',
    created_at: 'whole',
    last_seen_at: 'whole',
    ended_at: 'whole?',
  },
  audit_events: {
    event_id: 'text',
    at: 'whole',
    kind: 'text',
    details: 'text',
    staff_id: 'text?',
    actor: 'text',
    sign_in: 'text',
    address: 'text',
    permission: 'text?',
    location_code: 'text?',
    tenant_id: 'whole?',
    lease_number: 'whole?',
    subject: 'text?',
    outcome: 'text',
    cents: 'whole?',
    reason: 'text',
    changes: 'text',
    request_id: 'text',
  },
  tasks: {
    task_id: 'text',
    kind: 'text',
    once: 'text',
    location_code: 'text?',
    tenant_id: 'whole?',
    lease_number: 'whole?',
    subject: 'text?',
    note: 'text',
    cents: 'whole?',
    assigned_to: 'text?',
    due_on: 'text',
    created_by: 'text?',
    created_at: 'whole',
    state: 'text',
    ended_by: 'text?',
    ended_at: 'whole?',
  },
  approvals: {
    approval_id: 'text',
    operation: 'text',
    permission: 'text',
    input_sealed: 'text',
    summary: 'text',
    location_code: 'text',
    tenant_id: 'whole?',
    lease_number: 'whole?',
    cents: 'whole',
    reason: 'text',
    asked_by: 'text',
    asked_at: 'whole',
    state: 'text',
    decided_by: 'text?',
    decided_at: 'whole?',
    decided_because: 'text',
  },
} as const

/** Nothing changes or removes a row, whatever writes to the database. */
export async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  const refusal = `${table} is append-only`
  if (engineOf(db) === 'sqlite') {
    for (const change of ['update', 'delete'])
      await sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(refusal)}); end`.execute(db)
    return
  }
  await sql`create or replace function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
  await sql`create trigger ${sql.ref(`${table}_no_change`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db)
}

/** The people of the office, how they sign in, what they did, and the work that waits for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'staff', staffTables.staff, { primary: 'staff_id', unique: ['email', 'invite_hash'] })
  const within = ['staff_id → staff']
  await createTable(db, 'staff_roles', staffTables.staff_roles, { primary: 'staff_id, role, scope', within })
  await createTable(db, 'staff_factors', staffTables.staff_factors, {
    primary: 'factor_id',
    unique: ['credential_id'],
    within,
  })
  await index(db, 'staff_factors', 'staff_id')
  await createTable(db, 'staff_sign_ins', staffTables.staff_sign_ins, { primary: 'token_hash', within })
  await index(db, 'staff_sign_ins', 'staff_id, created_at')

  await createTable(db, 'audit_events', staffTables.audit_events, { primary: 'event_id' })
  await index(db, 'audit_events', 'at')
  await index(db, 'audit_events', 'staff_id, at', { where: 'staff_id is not null' })
  await index(db, 'audit_events', 'location_code, tenant_id, at', { where: 'tenant_id is not null' })
  await appendOnly(db, 'audit_events')

  await createTable(db, 'tasks', staffTables.tasks, { primary: 'task_id', unique: ['kind, once'] })
  await index(db, 'tasks', 'location_code, due_on', { where: "state = 'open'" })
  await index(db, 'tasks', 'assigned_to, due_on', { where: "state = 'open'" })
  await index(db, 'tasks', 'location_code, tenant_id', { where: 'tenant_id is not null' })
  await createTable(db, 'approvals', staffTables.approvals, { primary: 'approval_id' })
  await index(db, 'approvals', 'location_code, asked_at', { where: "state = 'open'", name: 'approvals_open' })
  await index(db, 'approvals', 'location_code, lease_number', { where: 'lease_number is not null' })
}

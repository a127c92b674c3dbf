import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

export const lienTables = {
  call_attempts: {
    call_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    outcome: 'text',
    note: 'text',
    staff_id: 'text',
    called_on: 'text',
    called_at: 'whole',
  },
  payment_promises: {
    promise_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    promised_on: 'text',
    cents: 'whole',
    note: 'text',
    staff_id: 'text',
    made_on: 'text',
    made_at: 'whole',
    replaced_at: 'whole?',
  },
  lien_cases: {
    case_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    unit_number: 'text',
    state: 'text',
    rules_version: 'text',
    default_from: 'text',
    owed: 'whole',
    opened_on: 'text',
    opened_at: 'whole',
    opened_by: 'text',
    ended_on: 'text?',
    ended_at: 'whole?',
    ended_by: 'text?',
    ended_because: 'text',
    winner_uuid: 'text?',
    surplus: 'whole?',
    surplus_until: 'text?',
  },
  lien_steps: {
    step_id: 'text',
    case_id: 'text',
    location_code: 'text',
    step: 'text',
    state: 'text',
    done_on: 'text',
    way: 'text',
    note: 'text',
    details: 'text',
    file_key: 'text?',
    file_name: 'text',
    file_type: 'text',
    file_secret_sealed: 'text?',
    staff_id: 'text',
    recorded_at: 'whole',
    second_staff_id: 'text?',
    decided_at: 'whole?',
  },
} as const

/** Columns that join tables of earlier migrations. */
export const lienColumns = { leases: { lien_case: 'text?' } } as const

/** Calls and promises about what is owed, and lien cases with their steps; the open case stands on the lease itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const ofLease = ['location_code, lease_number → leases']
  await createTable(db, 'call_attempts', lienTables.call_attempts, { primary: 'call_id', within: ofLease })
  await index(db, 'call_attempts', 'location_code, called_on')
  await createTable(db, 'payment_promises', lienTables.payment_promises, { primary: 'promise_id', within: ofLease })
  await index(db, 'payment_promises', 'location_code, lease_number', {
    unique: true,
    where: 'replaced_at is null',
    name: 'payment_promises_newest',
  })
  await createTable(db, 'lien_cases', lienTables.lien_cases, { primary: 'case_id', within: ofLease })
  await index(db, 'lien_cases', 'location_code, lease_number')
  await index(db, 'lien_cases', 'location_code, lease_number', {
    unique: true,
    where: "state in ('open', 'sold')",
    name: 'lien_cases_one',
  })
  await index(db, 'lien_cases', 'location_code, opened_at', {
    where: "state in ('open', 'sold', 'surplus')",
    name: 'lien_cases_open',
  })
  await createTable(db, 'lien_steps', lienTables.lien_steps, {
    primary: 'step_id',
    within: ['case_id → lien_cases'],
  })
  await index(db, 'lien_steps', 'case_id, recorded_at')
  await index(db, 'lien_steps', 'location_code, recorded_at', {
    where: "state = 'waiting'",
    name: 'lien_steps_waiting',
  })
  await index(db, 'leases', 'location_code, paid_through', {
    where: "status in ('Past Due', 'Auction')",
    name: 'leases_past_due',
  })
  const text = engineOf(db) === 'sqlite' ? sql`text` : sql`text collate "C"`
  await sql`alter table leases add column lien_case ${text}`.execute(db)
}

import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

/** Columns that join a table of the first migration; all allow null, so that rows written before stay as they are. */
export const addedColumns = {
  accounts: { password_changed_at: 'whole?' },
  rental_drafts: { left_at: 'whole?' },
  leases: {
    terms_accepted_at: 'whole?',
    autopay_consent_text: 'text?',
    overlocked: 'whole?',
    closed_on: 'text?',
  },
  payments: {
    bank_sealed: 'text?',
    bank_label: 'text?',
    authorisation: 'text?',
    return_code: 'text?',
    returned_at: 'whole?',
    autopay_period: 'text?',
    autopay_try: 'whole?',
    link_uuid: 'text?',
  },
} as const

export const addedTables = {
  reset_codes: {
    reset_id: 'text',
    account_id: 'text?',
    code_sealed: 'text',
    tries: 'whole',
    created_at: 'whole',
    expires_at: 'whole',
    matched_at: 'whole?',
    used_at: 'whole?',
  },
  email_changes: {
    change_id: 'text',
    account_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    old_email: 'text',
    new_email: 'text',
    token_sealed: 'text',
    state: 'text',
    created_at: 'whole',
    expires_at: 'whole',
    confirmed_at: 'whole?',
  },
  auction_winners: {
    auction_winner_id: 'whole',
    uuid: 'text',
    location_code: 'text',
    lease_number: 'whole',
    unit_number: 'text',
    facility_name: 'text',
    facility_balance: 'whole',
    name: 'text',
    email: 'text',
    city: 'text',
    zip: 'text',
    gate_code: 'text',
    combo_code: 'text',
    state: 'text',
    order_id: 'text?',
    created_at: 'whole',
    paid_at: 'whole?',
  },
  settlements: {
    uuid: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    unit_number: 'text',
    facility_name: 'text',
    tenant_name: 'text',
    settlement_amount: 'whole',
    state: 'text',
    order_id: 'text?',
    created_at: 'whole',
    paid_at: 'whole?',
  },
  appointments: {
    appointment_id: 'whole',
    location_code: 'text',
    name: 'text',
    email: 'text',
    phone: 'text',
    starts_at: 'whole',
    token_hash: 'text',
    state: 'text',
    option: 'text',
    confirmation_source: 'text',
    created_at: 'whole',
    answered_at: 'whole?',
  },
  insurance_proofs: {
    proof_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    unit_numbers: 'text',
    tenant_name: 'text',
    tenant_email: 'text',
    policy_number: 'text',
    insurance_carrier: 'text',
    expiration_date: 'text',
    file_key: 'text',
    file_name: 'text',
    content_type: 'text',
    bytes: 'whole',
    created_at: 'whole',
  },
  move_outs: {
    move_out_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    move_out_date: 'text',
    vacate_reason_id: 'whole',
    custom_note: 'text',
    star_rating: 'whole?',
    comment: 'text',
    reasons: 'text',
    autopay_before: 'text?',
    state: 'text',
    created_at: 'whole',
    cancelled_at: 'whole?',
  },
  bank_accounts: {
    account_hash: 'text',
    state: 'text',
    reference: 'text',
    checked_at: 'whole',
  },
  billing_runs: {
    location_code: 'text',
    run_date: 'text',
    done_through: 'whole',
    leases: 'whole',
    entries: 'whole',
    state: 'text',
    started_at: 'whole',
    finished_at: 'whole?',
  },
} as const

/** What prices are made from: a change of any of it is a new content version, whoever makes the change. */
const pricedTables = ['locations', 'location_contents', 'unit_types', 'discounts', 'insurance_schemes', 'fees']

async function bumpOnChange(db: Kysely<unknown>): Promise<void> {
  const bump = sql`update content_version set version = version + 1 where id = 1`
  if (engineOf(db) === 'postgres') {
    await sql`create function bump_content_version() returns trigger language plpgsql as $$ begin ${bump}; return null; end $$`.execute(
      db,
    )
  }
  for (const table of pricedTables) {
    for (const change of ['insert', 'update', 'delete']) {
      const name = sql.ref(`${table}_${change}_bumps`)
      const on = sql`after ${sql.raw(change)} on ${sql.table(table)}`
      await (engineOf(db) === 'postgres'
        ? sql`create trigger ${name} ${on} for each statement execute function bump_content_version()`
        : sql`create trigger ${name} ${on} begin ${bump}; end`
      ).execute(db)
    }
  }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await bumpOnChange(db)
  const type = {
    text: engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"',
    whole: engineOf(db) === 'sqlite' ? 'integer' : 'bigint',
  }
  for (const [table, columns] of Object.entries(addedColumns)) {
    for (const [name, column] of Object.entries(columns)) {
      await sql`alter table ${sql.table(table)} add column ${sql.ref(name)} ${sql.raw(column === 'text?' ? type.text : type.whole)}`.execute(
        db,
      )
    }
  }
  // A period is paid by autopay once, each try of it once.
  await index(db, 'payments', 'location_code, lease_number, autopay_period, autopay_try', {
    unique: true,
    where: 'autopay_period is not null',
    name: 'payments_autopay_once',
  })
  await index(db, 'payments', 'link_uuid', { where: 'link_uuid is not null' })
  // What a bank took back and is to be reversed.
  await index(db, 'payments', 'returned_at', { where: 'returned_at is not null' })

  await createTable(db, 'reset_codes', addedTables.reset_codes, {
    primary: 'reset_id',
    within: ['account_id → accounts'],
  })
  await index(db, 'reset_codes', 'expires_at')
  await index(db, 'reset_codes', 'account_id')
  await createTable(db, 'email_changes', addedTables.email_changes, {
    primary: 'change_id',
    within: ['account_id → accounts', 'location_code, tenant_id → tenants'],
  })
  await index(db, 'email_changes', 'account_id')
  // An account waits for one address at a time.
  await index(db, 'email_changes', 'account_id', {
    unique: true,
    where: "state = 'open'",
    name: 'email_changes_once',
  })
  await createTable(db, 'auction_winners', addedTables.auction_winners, {
    primary: 'auction_winner_id',
    unique: ['uuid'],
    within: ['location_code, lease_number → leases'],
  })
  // Also for the check of what refers to a lease, which SQLite makes whenever a posting takes hold of one.
  await index(db, 'auction_winners', 'location_code, lease_number')
  await createTable(db, 'settlements', addedTables.settlements, {
    primary: 'uuid',
    within: ['location_code, lease_number → leases', 'location_code, tenant_id → tenants'],
  })
  await index(db, 'settlements', 'location_code, lease_number')
  await createTable(db, 'appointments', addedTables.appointments, {
    primary: 'appointment_id',
    within: ['location_code → locations'],
  })
  await index(db, 'appointments', 'state, starts_at')
  await createTable(db, 'insurance_proofs', addedTables.insurance_proofs, {
    primary: 'proof_id',
    within: ['location_code, tenant_id → tenants'],
  })
  await index(db, 'insurance_proofs', 'location_code, tenant_id')
  // A balance is a sum over a lease's entries, and a history its newest payments: both are read from the index alone, so
  // that ten years of entries cost about what one does.
  await index(db, 'ledger_entries', 'location_code, lease_number, cents', { name: 'ledger_entries_balance' })
  await index(db, 'ledger_entries', 'location_code, lease_number, posted_on, created_at, entry_id, cents, kind', {
    where: "kind in ('payment', 'refund', 'reversal')",
    name: 'ledger_entries_money_moved',
  })
  // Up to when a lease was charged, which billing asks of every lease every day.
  await index(db, 'ledger_entries', 'location_code, lease_number, period_end', {
    where: "kind = 'rent'",
    name: 'ledger_entries_charged_through',
  })
  // A tenant's leases in their order: without the number at its end, SQLite goes through the facility's leases instead, since
  // those are in order already.
  await index(db, 'leases', 'location_code, tenant_id, lease_number')
  await createTable(db, 'move_outs', addedTables.move_outs, {
    primary: 'move_out_id',
    within: ['location_code, lease_number → leases'],
  })
  // Found by lease whatever their state; the one below serves no query, for it holds some of them only.
  await index(db, 'move_outs', 'location_code, lease_number')
  // A lease has one move-out ahead of it.
  await index(db, 'move_outs', 'location_code, lease_number', {
    unique: true,
    where: "state in ('begun', 'scheduled')",
    name: 'move_outs_once',
  })
  await createTable(db, 'bank_accounts', addedTables.bank_accounts, { primary: 'account_hash' })
  await createTable(db, 'billing_runs', addedTables.billing_runs, {
    primary: 'location_code, run_date',
    within: ['location_code → locations'],
  })
}

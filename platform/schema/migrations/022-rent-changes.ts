import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

export const rentChangeTables = {
  rent_changes: {
    change_id: 'text',
    batch_id: 'text',
    location_code: 'text',
    lease_number: 'whole',
    tenant_id: 'whole',
    old_rent: 'whole',
    new_rent: 'whole',
    wanted_from: 'text?',
    reason: 'text',
    state: 'text',
    proposed_by: 'text',
    proposed_at: 'whole',
    decided_by: 'text?',
    decided_at: 'whole?',
    decided_because: 'text',
    notice_on: 'text?',
    not_before: 'text?',
    applied_from: 'text?',
    ended_at: 'whole?',
  },
} as const

/** Columns that join tables of earlier migrations. */
export const comingRentColumns = {
  leases: { next_rent: 'whole?', next_rent_from: 'text?' },
  locations: { retired_on: 'text?' },
  unit_types: { retired_on: 'text?' },
  insurance_schemes: { retired_on: 'text?' },
  fees: { retired_on: 'text?' },
  discounts: { retired_on: 'text?' },
} as const

/** Rents that are to change, with the one to come on the lease itself; and the day from which a thing is no longer offered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'rent_changes', rentChangeTables.rent_changes, {
    primary: 'change_id',
    within: ['location_code, lease_number → leases'],
  })
  await index(db, 'rent_changes', 'location_code, lease_number', {
    unique: true,
    name: 'rent_changes_open',
    where: "state in ('proposed', 'approved', 'coming')",
  })
  await index(db, 'rent_changes', 'location_code, lease_number, applied_from')
  await index(db, 'rent_changes', 'batch_id, location_code, lease_number')
  await index(db, 'rent_changes', 'proposed_at, batch_id')
  await index(db, 'rent_changes', 'location_code, proposed_at', {
    where: "state = 'proposed'",
    name: 'rent_changes_waiting',
  })
  const types =
    engineOf(db) === 'sqlite'
      ? { 'text?': 'text', 'whole?': 'integer' }
      : { 'text?': 'text collate "C"', 'whole?': 'bigint' }
  for (const [table, columns] of Object.entries(comingRentColumns))
    for (const [name, type] of Object.entries(columns) as [string, keyof typeof types][])
      await sql`alter table ${sql.table(table)} add column ${sql.ref(name)} ${sql.raw(types[type])}`.execute(db)
}

import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const unitTables = {
  gate_overrides: {
    override_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole?',
    kind: 'text',
    holds_until: 'whole',
    reason: 'text',
    staff_id: 'text',
    created_at: 'whole',
    ended_at: 'whole?',
  },
  locks_seen: {
    location_code: 'text',
    lease_number: 'whole',
    unit_number: 'text',
    state: 'text',
    note: 'text',
    staff_id: 'text',
    seen_at: 'whole',
  },
  units_out_of_service: {
    location_code: 'text',
    unit_id: 'whole',
    reason: 'text',
    back_on: 'text?',
    staff_id: 'text',
    since_at: 'whole',
  },
} as const

/** What the office says of gates, locks and units, beside what the books say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'gate_overrides', unitTables.gate_overrides, {
    primary: 'override_id',
    within: ['location_code, tenant_id → tenants'],
  })
  await index(db, 'gate_overrides', 'location_code, tenant_id, holds_until')
  await createTable(db, 'locks_seen', unitTables.locks_seen, {
    primary: 'location_code, lease_number',
    within: ['location_code, lease_number → leases'],
  })
  await index(db, 'locks_seen', 'location_code', { where: "state = 'on'" })
  await createTable(db, 'units_out_of_service', unitTables.units_out_of_service, {
    primary: 'location_code, unit_id',
    within: ['location_code, unit_id → units'],
  })
  await index(db, 'leases', 'location_code, unit_id, closed_on', {
    where: "status = 'Closed'",
    name: 'leases_closed_by_unit',
  })
  await index(db, 'leases', 'location_code', { where: 'overlocked = 1', name: 'leases_overlocked' })
}

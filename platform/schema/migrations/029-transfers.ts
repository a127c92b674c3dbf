import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const transferTables = {
  transfers: {
    transfer_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole',
    unit_number: 'text',
    reservation_code: 'text',
    to_unit_number: 'text',
    to_lease: 'whole?',
    starts_on: 'text',
    overlap_days: 'whole',
    ends_on: 'text?',
    state: 'text',
    moved_cents: 'whole',
    opened_by: 'text?',
    opened_at: 'whole',
    ended_at: 'whole?',
  },
} as const

/** Tenants who change from one unit to another of the same facility. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'transfers', transferTables.transfers, {
    primary: 'transfer_id',
    within: ['location_code, lease_number → leases'],
  })
  await index(db, 'transfers', 'location_code, lease_number', {
    unique: true,
    name: 'transfers_open',
    where: "state in ('offered', 'moving')",
  })
  await index(db, 'transfers', 'location_code, lease_number')
  await index(db, 'transfers', 'location_code, to_lease', { where: 'to_lease is not null' })
  await index(db, 'transfers', 'location_code, reservation_code', { unique: true })
  await index(db, 'transfers', 'opened_at, transfer_id', { where: "state = 'offered'", name: 'transfers_waiting' })
}

import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import type { TableChange } from './table.ts'

/** Columns that join a table of an earlier migration. */
export const unprovenColumns = { reservations: { unproven_from: 'text?' } } as const

/** From which network a renter holds a unit who has proven nothing yet. Holds of the release before count as proven. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = sql.raw(engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table reservations add column unproven_from ${text}`.execute(db)
}

const isUnproven = "status = 'active' and unproven_from is not null"

/** What one network holds at all facilities, and what all hold of a unit type. */
export const indexes: TableChange['indexes'] = [
  { name: 'reservations_unproven', table: 'reservations', columns: 'unproven_from, hold_until', where: isUnproven },
  {
    name: 'reservations_unproven_of_type',
    table: 'reservations',
    columns: 'location_code, unit_type_id, hold_until',
    where: isUnproven,
  },
]

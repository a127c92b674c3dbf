import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable, index } from './table.ts'

export const photographTables = {
  facility_photos: {
    photo_id: 'text',
    location_code: 'text',
    position: 'whole',
    alt: 'text',
    width: 'whole',
    height: 'whole',
    added_by: 'text',
    added_at: 'whole',
  },
  unit_photos: {
    photo_id: 'text',
    location_code: 'text',
    unit_id: 'whole',
    lease_number: 'whole?',
    kind: 'text',
    width: 'whole',
    height: 'whole',
    taken_by: 'text',
    taken_at: 'whole',
  },
} as const

/** Columns that join a table of an earlier migration. */
export const retiredUnitColumns = { units: { retired_on: 'text?' } } as const

/** Photographs of facilities for the site and of units for the office; and units that are let no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'facility_photos', photographTables.facility_photos, {
    primary: 'location_code, photo_id',
    within: ['location_code → locations'],
  })
  await createTable(db, 'unit_photos', photographTables.unit_photos, {
    primary: 'location_code, photo_id',
    within: ['location_code, unit_id → units'],
  })
  await index(db, 'unit_photos', 'location_code, unit_id, taken_at')
  const text = engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"'
  await sql`alter table units add column retired_on ${sql.raw(text)}`.execute(db)
}

import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const waitlistTables = {
  waitlist: {
    waitlist_id: 'text',
    location_code: 'text',
    unit_type_id: 'whole',
    email: 'text',
    created_at: 'whole',
    told_at: 'whole?',
    told_unit: 'whole?',
    mailed_at: 'whole?',
  },
} as const

/** Who wants to be told when a unit of a type that is sold out is free again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'waitlist', waitlistTables.waitlist, {
    primary: 'waitlist_id',
    within: ['location_code, unit_type_id → unit_types'],
  })
  await index(db, 'waitlist', 'location_code, unit_type_id, created_at')
  await index(db, 'waitlist', 'location_code, unit_type_id, email', {
    unique: true,
    where: 'told_at is null',
    name: 'waitlist_once_each',
  })
}

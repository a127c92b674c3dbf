/** Tells which existing units keep their status whatever an import's units file says; an imported open lease still rents them. */
import { sql } from 'kysely'
import { AWAITING_INSPECTION, OUT_OF_SERVICE } from '../../modules/facilities/availability.ts'
import type { Values } from './import-file-definition.ts'

/** Columns of existing units on which it depends whether they keep their status. */
export const keptStatusColumns = ['status', 'held_by', 'retired_on']

/** Returns an SQL condition, true for units for which `whyStatusKept` returns a reason. @param units the table's name or alias */
export const isStatusKept = (units: string) => {
  const column = (name: string) => sql.ref(`${units}.${name}`)
  return sql`(${column('status')} in ('held', 'rented') or ${column('retired_on')} is not null
    or coalesce(${column('held_by')}, '') in (${sql.lit(AWAITING_INSPECTION)}, ${sql.lit(OUT_OF_SERVICE)}))`
}

/** Returns why an existing unit keeps its status, as the end of a sentence about the unit; null if it takes the file's. */
export function whyStatusKept({ status, held_by, retired_on }: Values): string | null {
  if (status === 'held' || status === 'rented') return `is ${status}, and stays so`
  if (retired_on !== null) return 'is retired, and stays off'
  if (held_by === AWAITING_INSPECTION) return 'waits to be looked at after a move-out, and stays off'
  if (held_by === OUT_OF_SERVICE) return 'was taken out of service in the office, and stays off'
  return null
}

/** Cards of all tables, and the list of the tables that hold rows of a tenant. */
import { tablesInOrder } from '../../../platform/database/copy-all-rows.ts'
import type { SkippedTableCard } from '../../../platform/schema/table-privacy-card-type.ts'
import { rowFilters } from '../internal/row-filters.ts'
import type { AnyCard, HeldTable } from './derive-export-and-erasure-columns.ts'
import { cardsBySubject } from './table-cards-by-module.ts'

/**
 * Cards that describe the database tables and what the export and the erasure of a tenant's data do with their columns,
 * by table name.
 */
export const cards: ReadonlyMap<string, AnyCard> = new Map<string, AnyCard>(
  Object.values(cardsBySubject).flatMap((subjectCards) => Object.entries(subjectCards)),
)

/** Tables with rows of a tenant in the order of deletion, each before the tables that it refers to. */
export const heldTables: readonly HeldTable[] = tablesInOrder.toReversed().flatMap((table) => {
  const card = cards.get(table)
  return card && 'file' in card ? [{ ...card, table, rows: rowFilters[card.rows] }] : []
})

/** Tables that the export and the erasure skip. */
export const skippedTables: Readonly<Record<string, SkippedTableCard>> = Object.fromEntries(
  tablesInOrder.flatMap((table) => {
    const card = cards.get(table)
    return card && !('file' in card) ? [[table, card]] : []
  }),
)

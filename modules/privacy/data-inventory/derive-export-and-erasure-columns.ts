/** Tables with rows of a tenant, as the table cards describe them: what an export shows and an erasure deletes. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { CardOf, TenantTableCard } from '../../../platform/schema/table-privacy-card-type.ts'
import { columnOf, type Tables } from '../../../platform/schema/tables.ts'
import type { TenantKeys } from '../tenant-record-ids.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row of whichever table it is
export type AnyCard = CardOf<string, any>

// biome-ignore lint/suspicious/noExplicitAny: see above
export interface HeldTable extends Omit<TenantTableCard<string, any>, 'rows'> {
  table: keyof Tables
  sealed?: AnyCard['sealed']
  // biome-ignore lint/suspicious/noExplicitAny: see above
  rows(keys: TenantKeys): (eb: ExpressionBuilder<any, any>) => Expression<SqlBool>
}

type ColumnMark = 'shown' | 'erased' | 'kept' | 'hidden' | 'wiped' | 'rewritten'

const columnsMarked = (card: HeldTable, names: readonly ColumnMark[]): string[] =>
  names.flatMap((name) => card[name] ?? [])

/** Returns all columns that the table's card names. */
export const columnsOf = (card: HeldTable): string[] =>
  columnsMarked(card, ['shown', 'erased', 'kept', 'hidden', 'wiped', 'rewritten'])
/** Returns the table's columns that an export of a tenant's data contains. */
export const exportedColumns = (card: HeldTable): string[] =>
  columnsMarked(card, ['shown', 'erased', 'kept', 'rewritten'])

/**
 * Returns the values that an erasure writes to a table's columns with a tenant's data.
 * @param when 'now' for the columns erased at once, 'term' for the columns kept until the retention term ends
 */
export function erasedValues(card: HeldTable, when: 'now' | 'term'): Record<string, string | number | null> {
  const columns = when === 'now' ? columnsMarked(card, ['erased', 'wiped']) : columnsMarked(card, ['kept'])
  return Object.fromEntries(
    columns.map((column) => {
      const type = columnOf(card.table, column)
      return [column, card.as?.[column] ?? (type.endsWith('?') ? null : type === 'text' ? '' : 0)]
    }),
  )
}

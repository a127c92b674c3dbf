/** What is held of a tenant, table by table: what an export shows, and what an erasure leaves. */
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Services } from '../../../platform/operations/services.ts'
import { columnOf, type Tables } from '../../../platform/schema/tables.ts'
import type { TenantKeys } from '../keys.ts'

type Row<T extends keyof Tables> = Selectable<Tables[T]>
type ColumnOf<T extends keyof Tables> = keyof Tables[T] & string

/** Every column of the table stands in one list; a test compares them with the schema. */
interface Marks<T extends keyof Tables> {
  /** In the export; no word about a person, or one that stays as long as the row. */
  shown?: readonly ColumnOf<T>[]
  /** In the export; gone by an erasure. */
  erased?: readonly ColumnOf<T>[]
  /** In the export; gone once `term` is over. */
  kept?: readonly ColumnOf<T>[]
  /** Not in the export: keys, and our own people. Stays. */
  hidden?: readonly ColumnOf<T>[]
  /** Not in the export: secrets, search keys. Gone by an erasure. */
  wiped?: readonly ColumnOf<T>[]
  /** In the export; an erasure writes `rewrite` of it. */
  rewritten?: readonly ColumnOf<T>[]
}

export interface Holding<T extends keyof Tables = keyof Tables> extends Marks<T> {
  table: T
  /** File of the export, without its ending. */
  file: string
  /** 'Notes' */
  name: string
  rows(keys: TenantKeys): (eb: ExpressionBuilder<Tables, T>) => Expression<SqlBool>
  /** Unique among a tenant's rows: pages of the export go by it. Left out where there are only ever a few. */
  by?: ColumnOf<T>
  /** 'rows': they are deleted; 'columns': they stay without a person; 'term': deleted once the term is over. */
  erasure: 'rows' | 'columns' | 'term'
  /** Why something stays; of 'columns' and 'term'. */
  why?: string
  /** What an erased column holds afterwards, where that is not nothing. */
  as?: { readonly [C in ColumnOf<T>]?: string | number }
  /** Sealed columns as the export shows them, and under which name. */
  opened?: { readonly [C in ColumnOf<T>]?: (services: Services, row: Row<T>) => string }
  /** Changed before it is shown: what belongs to another person is left out. */
  show?(row: Row<T>): Row<T>
  /** Column with the key of a kept file, which is in the export, and goes with the row. */
  document?: {
    key: ColumnOf<T>
    name(row: Row<T>): string
    /** Of one that is kept encrypted. */
    open?(services: Pick<Services, 'sealer'>, row: Row<T>, content: Uint8Array): Uint8Array
  }
  /** Keys of further files that go with the row. */
  files?(row: Row<T>): string[]
  rewrite?(services: Services, row: Row<T>): Partial<Row<T>>
}

/** A table of tenants' data that the export or the erasure passes over, or one that holds none. */
export interface Exception {
  export: string
  erasure: string
}

/** Keeps the types of a table's columns in the list of all. */
export const holding = <T extends keyof Tables>(of: Holding<T>): Holding => of as unknown as Holding

const listed = (of: Holding, names: readonly (keyof Marks<keyof Tables>)[]): string[] =>
  names.flatMap((name) => [...((of[name] as readonly string[] | undefined) ?? [])])

export const columnsOf = (of: Holding): string[] =>
  listed(of, ['shown', 'erased', 'kept', 'hidden', 'wiped', 'rewritten'])
export const shownColumns = (of: Holding): string[] => listed(of, ['shown', 'erased', 'kept', 'rewritten'])

/** What an erasure writes: at once, or when the term is over. */
export function erasedValues(of: Holding, when: 'now' | 'term'): Record<string, string | number | null> {
  const columns = when === 'now' ? listed(of, ['erased', 'wiped']) : listed(of, ['kept'])
  return Object.fromEntries(
    columns.map((column) => {
      const given = (of.as as Record<string, string | number> | undefined)?.[column]
      const type = columnOf(of.table, column)
      return [column, given ?? (type.endsWith('?') ? null : type === 'text' ? '' : 0)]
    }),
  )
}

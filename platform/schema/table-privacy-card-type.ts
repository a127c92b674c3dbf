/**
 * A table's card: whose data its rows hold, what an export shows, what an erasure leaves, what is encrypted.
 */
import type { Selectable } from 'kysely'
import type { Services } from '../operations/services.ts'
import type { Tables } from './tables.ts'

/** Key by which a tenant's rows are found; `modules/privacy/internal/row-filters.ts` has the conditions. */
export type TenantRowKey =
  | 'tenant'
  | 'gate codes'
  | 'leases'
  | 'lien cases'
  | 'account'
  | 'account or tenant'
  | 'drafts'
  | 'leases or drafts'
  | 'orders'
  | 'entries'
  | 'email'
  | 'cell phone'
  | 'recipient'

/** Columns of a table, each in one of these lists; a test compares them with the schema. */
interface Marks<Column> {
  /** Exported; not personal, or kept as long as the row. */
  shown?: readonly Column[]
  /** Exported; cleared by an erasure. */
  erased?: readonly Column[]
  /** Exported; cleared once the retention term is over. */
  kept?: readonly Column[]
  /** Neither exported nor cleared, such as keys and staff ids. */
  hidden?: readonly Column[]
  /** Not exported; cleared by an erasure, such as secrets and search keys. */
  wiped?: readonly Column[]
  /** Exported; replaced by `rewrite` in an erasure. */
  rewritten?: readonly Column[]
}

/** A table with rows of a tenant. */
export interface TenantTableCard<Column extends string, Row> extends Marks<Column> {
  /** File of the export, without its ending. */
  file: string
  /** Title in the export, such as 'Notes'. */
  name: string
  rows: TenantRowKey
  /** Column unique among a tenant's rows, by which exports and erasures read pages. Omitted for tables with few rows a tenant. */
  by?: Column
  /**
   * 'rows' deletes the rows; 'columns' keeps them and clears columns; 'term' clears columns too, and deletes the rows
   * once the retention term is over.
   */
  erasure: 'rows' | 'columns' | 'term'
  /** Reason why data is kept, for 'columns' and 'term'. */
  why?: string
  /** Values that an erasure writes to cleared columns; null, '' or 0 by default. */
  as?: { readonly [C in Column]?: string | number }
  /** Decrypts columns for the export. */
  opened?: { readonly [C in Column]?: (services: Services, row: Row) => string }
  /** Removes other people's data from an exported row. */
  show?(row: Row): Row
  /** Column with a file's key. The file is exported, and deleted with the row. */
  document?: {
    key: Column
    name(row: Row): string
    /** Decrypts an encrypted file. */
    open?(services: Pick<Services, 'sealer'>, row: Row, content: Uint8Array): Uint8Array
  }
  /** Returns keys of further files that are deleted with the row. */
  files?(row: Row): string[]
  rewrite?(services: Services, row: Row): Partial<Row>
}

/** Reasons why the export and the erasure skip a table. */
export interface SkippedTableCard {
  export: string
  erasure: string
  /** True if the read-me of an export names the table as left out, with the reason. */
  isNamedInExport?: true
}

/**
 * Rule by which the encryption context of an encrypted column is derived from its row, for key rotation and exports.
 */
export interface Sealing<Column, Row> {
  /**
   * Returns the encryption context.
   * @param row values of the row's primary key and of the columns in `with`
   * @param json the column's fields if `field` is set, for key rotation; otherwise {}
   */
  context(row: Row, json: Record<string, unknown>): string
  /** Columns of the context besides the primary key. */
  with?: readonly Column[]
  /** Encrypted field of a JSON column. */
  field?: string
}

/** Card of a table with these columns and rows. */
export type CardOf<Column extends string, Row> = (TenantTableCard<Column, Row> | SkippedTableCard) & {
  sealed?: { readonly [C in Column]?: Sealing<Column, Row> }
}

export type TableCard<T extends keyof Tables> = CardOf<keyof Tables[T] & string, Selectable<Tables[T]>>

/** Cards of tables, which describe how exports and erasures treat them. */
export type TableCards = { readonly [T in keyof Tables]?: TableCard<T> }

/**
 * Creates the data-inventory card of a table that exports and erasures skip.
 * @param reason why both skip the table
 */
export const noPerson = (reason: string): SkippedTableCard => ({ export: reason, erasure: reason })
/**
 * Creates the data-inventory card of a table with data of people other than the tenant. The read-me of an export names
 * the table.
 */
export const otherPeople = (reason: string): SkippedTableCard => ({ ...noPerson(reason), isNamedInExport: true })
export const technicalTable = noPerson('The program’s own: no person.')
export const booksNeedIt = 'The books need them: sums and days, without a name.'

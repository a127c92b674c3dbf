/** What a table's card says beside its columns: whose data a row holds, what an export shows, and what an erasure leaves. */
import type { Selectable } from 'kysely'
import type { Services } from '../operations/services.ts'
import type { Tables } from './tables.ts'

/** How a tenant's rows are found; `modules/privacy/row-filters.ts` has the conditions. */
export type RowsBy =
  | 'tenant'
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

/** Every column of the table stands in one list; a test compares them with the schema. */
interface Marks<Column> {
  /** In the export; no word about a person, or one that stays as long as the row. */
  shown?: readonly Column[]
  /** In the export; gone by an erasure. */
  erased?: readonly Column[]
  /** In the export; gone once `term` is over. */
  kept?: readonly Column[]
  /** Not in the export: keys, and our own people. Stays. */
  hidden?: readonly Column[]
  /** Not in the export: secrets, search keys. Gone by an erasure. */
  wiped?: readonly Column[]
  /** In the export; an erasure writes `rewrite` of it. */
  rewritten?: readonly Column[]
}

/** A table with rows of a tenant. */
export interface Held<Column extends string, Row> extends Marks<Column> {
  /** File of the export, without its ending. */
  file: string
  /** 'Notes' */
  name: string
  rows: RowsBy
  /** Unique among a tenant's rows: pages of the export go by it. Left out where there are only ever a few. */
  by?: Column
  /** 'rows': they are deleted; 'columns': they stay without a person; 'term': deleted once the term is over. */
  erasure: 'rows' | 'columns' | 'term'
  /** Why something stays; of 'columns' and 'term'. */
  why?: string
  /** What an erased column holds afterwards, where that is not nothing. */
  as?: { readonly [C in Column]?: string | number }
  /** Columns of which a part is sealed, as the export shows them. */
  opened?: { readonly [C in Column]?: (services: Services, row: Row) => string }
  /** Changed before it is shown: what belongs to another person is left out. */
  show?(row: Row): Row
  /** Column with the key of a kept file, which is in the export, and goes with the row. */
  document?: {
    key: Column
    name(row: Row): string
    /** Of one that is kept encrypted. */
    open?(services: Pick<Services, 'sealer'>, row: Row, content: Uint8Array): Uint8Array
  }
  /** Keys of further files that go with the row. */
  files?(row: Row): string[]
  rewrite?(services: Services, row: Row): Partial<Row>
}

/** A table of tenants' data that the export or the erasure passes over, or one that holds none; each with its reason. */
export interface PassedOver {
  export: string
  erasure: string
}

/** A column that keeps sealed text: how it is sealed again with another key, and opened for an export. */
export interface Sealing<Column, Row> {
  /** @param of of the row only the primary key and `with`. @param json the column's other fields, where it is JSON */
  context(of: Row, json: Record<string, unknown>): string
  /** What the context goes by besides the primary key. */
  with?: readonly Column[]
  /** Where the column is JSON and this field of it is sealed. */
  field?: string
}

/** @param Column a name of the table's columns */
export type CardOf<Column extends string, Row> = (Held<Column, Row> | PassedOver) & {
  sealed?: { readonly [C in Column]?: Sealing<Column, Row> }
}

export type Card<T extends keyof Tables> = CardOf<keyof Tables[T] & string, Selectable<Tables[T]>>

/** Of one subject, which is the only writer of these tables. */
export type TableCards = { readonly [T in keyof Tables]?: Card<T> }

export const noPerson = (reason: string): PassedOver => ({ export: reason, erasure: reason })
export const machinery = noPerson('The program’s own: no person.')
export const booksNeedIt = 'The books need them: sums and days, without a name.'

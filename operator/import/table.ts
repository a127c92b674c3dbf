import { type Column, decimal, webText, whole } from '../../modules/facilities/rules/csv-fields.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { keySeparator } from './staging.ts'

export type FileName =
  | 'settings'
  | 'states'
  | 'facilities'
  | 'contents'
  | 'unit-types'
  | 'units'
  | 'fixtures'
  | 'insurance'
  | 'fees'
  | 'discounts'
  | 'tenants'
  | 'leases'
  | 'balances'

export type Values = Record<string, unknown>

/** Tells rows apart. '' exempts the row. */
export interface Key {
  /** The column a clash is reported in. */
  column: string
  of(values: Values): string
  /** As sentences say it; the first key of a file is the row's own. */
  name: string
  /** Rows of one owner may share the key; without it, it is the row's alone. */
  owner?(values: Values): string
}

export interface Reference {
  column: string
  to: FileName
  /** Name of the other file's key. */
  key: string
  /** Each has to exist; '' where the row names nothing. */
  of(values: Values): string | string[]
  what: string
}

export interface ImportTable {
  file: FileName
  table: keyof Tables
  columns: Record<string, Column>
  keys: [Key, ...Key[]]
  references: Reference[]
  conflict: string[]
  /** Columns read of existing rows, besides the primary key. */
  known?: string[]
  /** What else can be wrong with a row: the column, and what is said of it. @param cellOf a column's text in the file */
  rule?(values: Values, cellOf: (column: string) => string): [column: string, says: string] | null
}

export const joined = (first: string, second?: string): ((values: Values) => string) =>
  second === undefined
    ? (values) => String(values[first])
    : (values) => `${values[first]}${keySeparator}${values[second]}`

export const row = (first: string, second?: string): Key => ({
  name: 'row',
  column: second ?? first,
  of: joined(first, second),
})

export const atFacility: Reference = {
  column: 'location_code',
  to: 'facilities',
  key: 'row',
  of: joined('location_code'),
  what: 'facility',
}

export const within = (column: string, to: FileName, what: string, key = 'row'): Reference => ({
  column,
  to,
  key,
  of: (values) =>
    values[column] === null || values[column] === 0 ? '' : `${values.location_code}${keySeparator}${values[column]}`,
  what,
})

export const slugOf = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const feet = decimal(-100_000, 100_000)

export const size = decimal(0, 100_000)

export const html = webText(20_000)

export const number = whole(1)

export const unitOf = joined('location_code', 'unit_number')

export const gateCodeOf = joined('location_code', 'gate_code')

import {
  type ChosenFee,
  type Column,
  decimal,
  webText,
  whole,
} from '../../modules/facilities/rules/csv-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { keySeparator } from './staging-tables.ts'

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

/** Returns the recurring fees of a lease's row, as the column type `chosenFees` parses them. */
export const parsedFeesOf = ({ recurring_fees }: Values) => recurring_fees as ChosenFee[]

/** Unique key of the rows of an import file. A row whose key is '' is exempt. */
export interface Key {
  /** The column in which a duplicate is reported. */
  column: string
  keyOf(values: Values): string
  /** Name by which references find the key; for keys after a file's first, also the name in messages. */
  name: string
  /** Owner whose rows may share the key; by default only the row itself. */
  owner?(values: Values): string
}

/** Reference from a row of an import file to a row of another import file, or to an existing record of that kind. */
export interface Reference {
  column: string
  to: FileName
  /** Name of the key in the other file. */
  key: string
  /** Returns the referred keys, which must exist; '' or an empty array for none. */
  keysOf(values: Values): string | string[]
  label: string
}

/** A file of an import: its table, columns, keys, references and rule. */
export interface ImportTable {
  file: FileName
  table: keyof Tables
  columns: Record<string, Column>
  /** Unique keys, of which the first identifies the row. */
  keys: [Key, ...Key[]]
  references: Reference[]
  /** Columns of the unique key by which a row is matched with an existing one. */
  conflict: string[]
  /** Columns to read from existing rows, besides those of `conflict`. */
  existingColumns?: string[]
  /**
   * Checks a further rule.
   * @param cellOf returns a column's text in the file
   * @returns the column and the problem, or null
   */
  rule?(values: Values, cellOf: (column: string) => string): [column: string, says: string] | null
}

/** Returns a function that joins one or two columns of a row to a key. */
export const joinColumns = (first: string, second?: string): ((values: Values) => string) =>
  second === undefined
    ? (values) => String(values[first])
    : (values) => `${values[first]}${keySeparator}${values[second]}`

/** Builds the unique key, of one or two columns, that identifies the rows of an import file. */
export const rowKey = (first: string, second?: string): Key => ({
  name: 'row',
  column: second ?? first,
  keyOf: joinColumns(first, second),
})

export const atFacility: Reference = {
  column: 'location_code',
  to: 'facilities',
  key: 'row',
  keysOf: joinColumns('location_code'),
  label: 'facility',
}

/**
 * Creates a reference to a row at the same facility.
 * @param label name of the referenced row in messages
 */
export const referenceAtFacility = (column: string, to: FileName, label: string, key = 'row'): Reference => ({
  column,
  to,
  key,
  keysOf: (values) =>
    values[column] === null || values[column] === 0 ? '' : `${values.location_code}${keySeparator}${values[column]}`,
  label,
})

export const feet = decimal(-100_000, 100_000)

export const size = decimal(0, 100_000)

export const html = webText(20_000)

export const number = whole(1)

export const unitKeyOf = joinColumns('location_code', 'unit_number')

export const gateCodeKeyOf = joinColumns('location_code', 'gate_code')

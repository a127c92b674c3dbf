import { describe, expect, it } from 'vitest'
import { columnOf, tables } from '../../../platform/schema/tables.ts'
import { isInstantColumn, moneyColumns } from '../internal/read-tenant-rows.ts'
import { columnsOf, exportedColumns, type HeldTable } from './derive-export-and-erasure-columns.ts'
import { heldTables, skippedTables } from './index.ts'

/** The columns of each table, which `tables.test.ts` compares with both engines. */
const schema: Record<string, string[]> = Object.fromEntries(
  Object.entries(tables).map(([table, { columns }]) => [table, Object.keys(columns)]),
)

/** Columns of exported tables that hold a number which is neither a sum nor an instant. */
const plainNumbers = new Set([
  'autopay_refusals',
  'insurance_status',
  'lease_number',
  'move_out_reason',
  'overlap_days',
  'overlocked',
  'star_rating',
  'tenant_id',
  'to_lease',
  'unit_type_id',
  'vacate_reason_id',
])

describe('The data inventory of a tenant', () => {
  it('names every table once: as personal, or as an exception with its reason', () => {
    const listedTables = [...heldTables.map(({ table }) => table), ...Object.keys(skippedTables)]
    expect(listedTables.sort()).toEqual(Object.keys(schema).sort())
    for (const value of Object.values(skippedTables))
      expect(Math.min(value.export.length, value.erasure.length)).toBeGreaterThan(10)
  })

  it.each(heldTables.map((table) => [table.table, table] as [string, HeldTable]))(
    'states for each column of %s what is done with it',
    (table, card) => {
      expect(columnsOf(card).sort()).toEqual(schema[table]?.sort())
      if (card.erasure !== 'rows') expect(card.why).toBeTruthy()
    },
  )

  it.each(heldTables.map((table) => [table.table, table] as [string, HeldTable]))(
    'exports each number of %s as a sum in dollars, as an instant or as listed here',
    (_, card) => {
      const numbers = exportedColumns(card).filter((column) => columnOf(card.table, column).startsWith('whole'))
      const kinds = (column: string) => [moneyColumns, plainNumbers].filter((names) => names.has(column)).length
      expect(numbers.filter((column) => kinds(column) + Number(isInstantColumn(column)) !== 1)).toEqual([])
    },
  )
})

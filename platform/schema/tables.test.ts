import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addedColumns, createdTables, droppedColumns } from './migrations/specs.ts'

describeOnBothEngines('The columns that the migrations name', (open) => {
  it('are those of the migrated database', async () => {
    const named = Object.entries(createdTables).map(([table, created]) => {
      const columns: Record<string, string> = Object.assign(
        {},
        created,
        ...addedColumns.map((one) => one[table as never]),
      )
      for (const dropped of Object.keys(droppedColumns[table as never] ?? {})) delete columns[dropped]
      const lines = Object.entries(columns).map(([name, type]) => `${name}${type.endsWith('?') ? '?' : ''}`)
      return [table, lines.sort()]
    })
    const tables = await (await open()).read.introspection.getTables()
    const there = tables.map(({ name, columns }) => [
      name,
      columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort(),
    ])
    expect(Object.fromEntries(there)).toEqual(Object.fromEntries(named))
  })
})

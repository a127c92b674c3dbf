import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { tables } from './tables.ts'

describeOnBothEngines('The declared columns', (open) => {
  it('are those of the migrated database', async () => {
    const declared = Object.entries(tables).map(([table, { columns }]) => {
      const lines = Object.entries<string>(columns).map(([name, type]) => `${name}${type.endsWith('?') ? '?' : ''}`)
      return [table, lines.sort()]
    })
    const existing = (await (await open()).read.introspection.getTables()).map(({ name, columns }) => [
      name,
      columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort(),
    ])
    expect(Object.fromEntries(existing)).toEqual(Object.fromEntries(declared))
  })
})

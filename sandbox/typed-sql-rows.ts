import type { SQLInputValue, StatementSync } from 'node:sqlite'

/** Returns the rows of a statement on a table of the sandbox, whose columns `Row` declares. */
export const storedRows = <Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] => {
  const rows: unknown[] = statement.all(...values)
  return rows as Row[]
}

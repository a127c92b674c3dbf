import type { SQLInputValue, StatementSync } from 'node:sqlite'

/** Returns the rows of a statement; `Row` declares their columns and is not checked. */
export const storedRows = <Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] => {
  const rows: unknown[] = statement.all(...values)
  return rows as Row[]
}

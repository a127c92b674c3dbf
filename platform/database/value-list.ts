import { sql } from 'kysely'

/**
 * Returns a list of values for `in`, as rows of a table: PostgreSQL looks these up by hash, whereas it compares each
 * row with every parameter of a plain list in a prepared statement.
 * @param values at least one
 */
export const valueList = (values: readonly string[]) =>
  sql<string>`(values ${sql.join(values.map((value) => sql`(${value})`))})`

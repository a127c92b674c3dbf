import { sql } from 'kysely'

/**
 * Returns a list of values for `in`, as rows of a table, so that PostgreSQL can look them up by hash instead of comparing
 * each row with every value.
 * @param values at least one
 */
export const valueList = (values: readonly string[]) =>
  sql<string>`(values ${sql.join(values.map((value) => sql`(${value})`))})`

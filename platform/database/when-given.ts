/** Adds a condition that needs a value to a query, by `$call`; without the value the query stays as it is. */
export const whenGiven =
  <Query, Value>(value: Value | null | undefined, add: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === null || value === undefined ? query : add(query, value)

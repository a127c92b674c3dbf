/** Adds a condition to a query (by `$call`) if its value is given; otherwise leaves the query unchanged. */
export const optionalCondition =
  <Query, Value>(value: Value | null | undefined, add: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === null || value === undefined ? query : add(query, value)

/**
 * Returns a value that is never missing, though its type does not tell.
 * @param name what the value is, for the error message
 * @throws Error when it is missing all the same
 */
export function requireValue<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new Error(`There is no ${name}`)
  return value
}

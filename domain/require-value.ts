/**
 * Returns a value that is always present, although its type allows null or undefined.
 * @param name noun for the value, for the error message
 * @throws Error when the value is missing after all
 */
export function requireValue<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new Error(`There is no ${name}`)
  return value
}

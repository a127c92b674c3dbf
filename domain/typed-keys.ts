/** Functions on records, their keys and lists of names, which keep the types of the names. */

/** Returns the keys of a record in the record's order. */
export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(record) as Key[]

/**
 * Returns a record with these keys.
 * @param valueFor computes the value of a key
 */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>

/** Returns whether a name is one of a record's own keys. */
export const isKeyOf = <Key extends string>(record: Readonly<Record<Key, unknown>>, name: string): name is Key =>
  Object.hasOwn(record, name)

/** Returns whether a text is one of a list. */
export const isOneOf = <Name extends string>(names: readonly Name[], text: string): text is Name =>
  names.some((name) => name === text)

/** Returns whether a value is an object other than null and arrays. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { isRecord } from './typed-keys.ts'

/** Type guard that checks the shape of a parsed JSON value. */
export type IsShape<Shape> = (value: unknown) => value is Shape

/**
 * Parses JSON and checks the shape of its value.
 * @throws SyntaxError when the text is not JSON
 * @throws TypeError when the value has another shape
 */
export function parseJson<Shape>(text: string, isShape: IsShape<Shape>): Shape {
  const value: unknown = JSON.parse(text)
  if (isShape(value)) return value
  throw new TypeError('The JSON has another shape than it was stored with')
}

/**
 * Creates a type guard for JSON that only Latchkey writes. It checks only that the named fields exist, since the values
 * were typed when they were stored.
 */
export const hasFields =
  <Shape extends object>(...fields: (keyof Shape & string)[]): IsShape<Shape> =>
  (value): value is Shape =>
    isRecord(value) && fields.every((field) => field in value)

/** Returns a type guard for arrays whose elements pass the given guard. */
export const isListOf =
  <Item>(isItem: IsShape<Item>): IsShape<Item[]> =>
  (value): value is Item[] =>
    Array.isArray(value) && value.every(isItem)

const isText = (value: unknown): value is string => typeof value === 'string'

export const isTextList: IsShape<string[]> = isListOf(isText)

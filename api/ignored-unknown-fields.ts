/**
 * Finds fields of a request that its operation does not declare. They are ignored; the response of an operation that
 * writes names them unless the request is XML.
 */

/** Structure of a declared input: an object's fields, a list's item, or a wrapped schema. */
interface Shape {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
}

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 60

/**
 * Lists the undeclared fields of an input by their paths: 'date_of_birth', 'contact.nickname'. The list and the paths
 * are cut at their limits.
 */
export const unknownFields = (schema: Shape, value: unknown): string[] =>
  unknownIn(schema, value)
    .slice(0, MAX_NAMES)
    .map((name) => name.slice(0, MAX_NAME_LENGTH))

function unknownIn({ entries, item, wrapped }: Shape, value: unknown): string[] {
  if (wrapped) return unknownIn(wrapped, value)
  if (item && Array.isArray(value)) return value.flatMap((entry) => unknownIn(item, entry))
  if (!entries || value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const declared = Object.hasOwn(entries, name) ? entries[name] : undefined
    return declared ? unknownIn(declared, field).map((inner) => `${name}.${inner}`) : [name]
  })
}

/** Response header that names a request's unknown fields when the response is a file. */
export const unknownFieldsHeader = 'X-Unknown-Fields'

/**
 * Formats the names of unknown fields as a header's value. Names with other characters than ASCII letters, digits, '_',
 * '.' and '-' are left out.
 */
export const formatUnknownFieldsHeader = (names: readonly string[]): string =>
  names.filter((name) => /^[\w.-]+$/.test(name)).join(', ')

/** What a call says that its operation does not know: it changes nothing, and the answer names it. */

interface Shape {
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
}

const MOST_NAMES = 20
const LONGEST_NAME = 60

/** Lists the undeclared fields of an input by their paths: 'date_of_birth', 'contact.nickname'. */
export const unknownFields = (schema: unknown, value: unknown): string[] =>
  unknownIn(schema as Shape, value)
    .slice(0, MOST_NAMES)
    .map((name) => name.slice(0, LONGEST_NAME))

function unknownIn({ entries, item, wrapped }: Shape, value: unknown): string[] {
  if (wrapped) return unknownIn(wrapped, value)
  if (item && Array.isArray(value)) return value.flatMap((one) => unknownIn(item, one))
  if (!entries || value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const known = Object.hasOwn(entries, name) ? entries[name] : undefined
    return known ? unknownIn(known, one).map((inner) => `${name}.${inner}`) : [name]
  })
}

/** As a header, of an answer that is a file. */
export const unknownFieldsHeader = 'X-Unknown-Fields'

export const inHeader = (names: readonly string[]): string => names.filter((name) => /^[\w.-]+$/.test(name)).join(', ')

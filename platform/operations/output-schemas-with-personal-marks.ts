/** Schemas of output fields. Those with personal data are marked, and '' for a machine key that may not read them. */

import * as v from 'valibot'
import { recordOf } from '../../domain/typed-keys.ts'

/** Schemas of output fields that are text, by name. */
export const textFields = <const Name extends string>(...names: Name[]) => recordOf(names, () => v.string())

/** The parts of a valibot schema that `withoutPersonal` reads. */
interface Described {
  pipe?: unknown[]
  entries?: Record<string, Described>
  item?: Described
  wrapped?: Described
  options?: Described[]
}

const personalMark = v.description<string, string>(
  'Of a person: empty for a machine key without the right to personal data.',
)

/** Schema of text about a person, such as a name or an address. */
export const personalText = () => v.pipe(v.string(), personalMark)

/** Schemas of output fields with personal data, by name. */
export const personalFields = <const Name extends string>(...names: Name[]) => recordOf(names, personalText)

const isPersonal = ({ pipe = [] }: Described): boolean => pipe.includes(personalMark)

/** Returns an operation's output with every personal field empty. @param schema the operation's output schema */
export const withoutPersonal = <O>(schema: unknown, value: O): O => withoutPersonalIn(schema as Described, value) as O

function withoutPersonalIn(schema: Described, value: unknown): unknown {
  if (schema.wrapped) return withoutPersonalIn(schema.wrapped, value)
  if (Array.isArray(value)) return value.map((item) => (schema.item ? withoutPersonalIn(schema.item, item) : item))
  if (typeof value === 'string') return isPersonal(schema) ? '' : value
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  const entries = schema.entries ?? schema.options?.find((option) => option.entries)?.entries ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      entries[name] ? withoutPersonalIn(entries[name], field) : field,
    ]),
  )
}

import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { AnyOperation } from '../catalogue.ts'

interface Described {
  type: string
  entries?: Record<string, Described>
  pipe?: (Described & { message?: unknown })[]
  wrapped?: Described
  options?: (Described | string)[]
  default?: unknown
}

/** What a field must be, in the words that its refusal uses: 'is required', 'must be a date: mm/dd/yyyy'. */
function rulesOf(schema: Described): string[] {
  const own = (schema.pipe ?? []).flatMap((step, at) => [
    ...(at > 0 && typeof step.message === 'string' ? [step.message] : []),
    ...(step.pipe || step.wrapped ? rulesOf(step) : []),
  ])
  return [...new Set([...own, ...(schema.wrapped ? rulesOf(schema.wrapped) : [])])]
}

export interface FieldDescription {
  name: string
  required: boolean
  rules: string[]
}

export function fieldsOf(schema: unknown): FieldDescription[] {
  const described = schema as Described
  const entries = described.entries ?? described.wrapped?.entries
  if (entries) {
    return Object.entries(entries).map(([name, one]) => ({
      name,
      required: !/^(optional|nullish|exact_optional)$/.test(one.type),
      rules: rulesOf(one),
    }))
  }
  const inner = [...(described.pipe ?? []), ...(described.options ?? [])].filter(
    (one): one is Described => typeof one === 'object' && one !== described,
  )
  const all = inner.flatMap(fieldsOf)
  return all.filter((one, at) => all.findIndex((other) => other.name === one.name) === at)
}

export type Json = Record<string, unknown>

/** Text, a number or a flag: any of the three is taken for any single value. */
function anySingleValue({ anyOf = [] }: JsonSchema): JsonSchema | null {
  const types = anyOf.map((one) => typeof one === 'object' && one.type)
  return types.join() === 'string,number,boolean' ? { type: ['string', 'number', 'boolean'] } : null
}

/** A file comes as its bytes with a form only; in JSON it is text. */
function withoutBytes({ options = [] }: Described, { anyOf = [] }: JsonSchema): JsonSchema | null {
  const others = anyOf.filter((_, at) => !isBytes(options[at] as Described))
  const [only] = others
  return others.length === 1 && others.length < anyOf.length && typeof only === 'object' ? only : null
}

export function jsonSchema(schema: unknown, typeMode: 'input' | 'output'): Json {
  const { $schema, ...made } = toJsonSchema(schema as v.GenericSchema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideSchema({ valibotSchema, jsonSchema: converted }) {
      const described = valibotSchema as unknown as Described
      const chosen =
        described.type === 'union' ? (anySingleValue(converted) ?? withoutBytes(described, converted)) : null
      if (chosen) return chosen
      const rules = described.pipe ? rulesOf(described) : []
      return rules.length > 0 && !converted.description ? { ...converted, description: rules.join('; ') } : null
    },
  }) as Json
  return made
}

const isBytes = (schema: Described) => schema.type === 'instance'

/** The answer's schema without files, and whether it may be a file. */
export function outputOf(declared: AnyOperation): { schema: Json | null; file: boolean } {
  const output = declared.output as unknown as Described
  if (isBytes(output)) return { schema: null, file: true }
  const options = (output.type === 'union' ? (output.options ?? []) : []) as Described[]
  const [first] = options.filter((one) => !isBytes(one))
  const file = options.some(isBytes)
  return { schema: jsonSchema(file && first ? first : output, 'input'), file }
}

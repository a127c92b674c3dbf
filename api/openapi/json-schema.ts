import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { AnyOperation } from '../catalogue.ts'

/** Parts of a Valibot schema from which its description is made. */
interface Described {
  type: string
  entries?: Record<string, Described>
  pipe?: (Described & { message?: unknown })[]
  wrapped?: Described
  options?: (Described | string)[]
  default?: unknown
}

/** Lists a field's rules in the words of its error messages: 'is required', 'must be a date: mm/dd/yyyy'. */
function rulesOf(schema: Described): string[] {
  const ownRules = (schema.pipe ?? []).flatMap((step, at) => [
    // The first step of a pipe is its schema, whose message is about the type.
    ...(at > 0 && typeof step.message === 'string' ? [step.message] : []),
    ...(step.pipe || step.wrapped ? rulesOf(step) : []),
  ])
  return [...new Set([...ownRules, ...(schema.wrapped ? rulesOf(schema.wrapped) : [])])]
}

/** An input field of an operation, for the API's page. */
export interface FieldDescription {
  name: string
  required: boolean
  rules: string[]
}

/** Lists the fields of an input schema with their rules, for the API's page. */
export function fieldsOf(described: Described): FieldDescription[] {
  const entries = described.entries ?? described.wrapped?.entries
  if (entries) {
    return Object.entries(entries).map(([name, field]) => ({
      name,
      required: !/^(optional|nullish|exact_optional)$/.test(field.type),
      rules: rulesOf(field),
    }))
  }
  const inner = [...(described.pipe ?? []), ...(described.options ?? [])].filter(
    (part): part is Described => typeof part === 'object' && part !== described,
  )
  const all = inner.flatMap(fieldsOf)
  return all.filter((field, at) => all.findIndex((other) => other.name === field.name) === at)
}

export type Json = Record<string, unknown>

/** JSON Schema of a whole input or output. */
type SchemaJson = Json & Pick<JsonSchema, 'properties' | 'required'>

/** Simplifies the schema of a field that accepts text, number or boolean; null for any other. */
function anySingleValue({ anyOf = [] }: JsonSchema): JsonSchema | null {
  const types = anyOf.map((option) => typeof option === 'object' && option.type)
  return types.join() === 'string,number,boolean' ? { type: ['string', 'number', 'boolean'] } : null
}

/**
 * Returns the schema of a file field without its bytes, which come only with forms: in JSON a file is text. Returns
 * null for any other field.
 */
function withoutBytes({ options = [] }: Described, { anyOf = [] }: JsonSchema): JsonSchema | null {
  const others = anyOf.filter((_, at) => !isBytes(options[at]))
  const [only] = others
  return others.length === 1 && others.length < anyOf.length && typeof only === 'object' ? only : null
}

/** Converts an operation's schema to a JSON Schema. */
export function jsonSchema(schema: unknown, typeMode: 'input' | 'output'): SchemaJson {
  const { $schema, ...converted } = toJsonSchema(schema as v.GenericSchema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    // A value that the operation parses itself is described by the schema that the operation uses for it.
    overrideAction({ valibotAction }) {
      const described: { type: string; metadata?: { describedBy?: unknown } } = valibotAction
      const describingSchema = described.metadata?.describedBy
      return describingSchema ? jsonSchema(describingSchema, typeMode) : null
    },
    overrideSchema({ valibotSchema, jsonSchema: branch }) {
      const described: Described = valibotSchema
      const chosen = described.type === 'union' ? (anySingleValue(branch) ?? withoutBytes(described, branch)) : null
      if (chosen) return chosen
      const rules = described.pipe ? rulesOf(described) : []
      return rules.length > 0 && !branch.description ? { ...branch, description: rules.join('; ') } : null
    },
  })
  return converted
}

const isBytes = (schema: Described | string | undefined) => typeof schema === 'object' && schema.type === 'instance'

/** Returns an operation's output schema without files, and whether the output may be a file. */
export function outputSchemaOf(declared: AnyOperation): { schema: Json | null; file: boolean } {
  const output: Described = declared.output
  if (isBytes(output)) return { schema: null, file: true }
  const options = output.type === 'union' ? (output.options ?? []) : []
  const [first] = options.filter((option) => !isBytes(option))
  const file = options.some(isBytes)
  // 'input', since operations return the input type of their output schema (`v.InferInput`).
  return { schema: jsonSchema(file && first ? first : output, 'input'), file }
}

/**
 * Shapes parsed XML input of `POST /api/ssm` by an operation's schema, and writes refusals as XML. In XML a repeated
 * element is a list (ports/xml.ts).
 */
import * as v from 'valibot'
import type { Refusal } from '../platform/operations/outcome.ts'
import { escapeXmlText } from '../ports/xml.ts'

/** Parts of a Valibot schema that are needed to find the lists and objects in it. */
interface Shape extends v.GenericSchema {
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
  options?: Shape[]
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

function listOf(value: unknown): unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/**
 * Converts input from XML to the shape of the schema: where the schema declares a list, a single element becomes a list
 * too, and where it declares an object, an empty element becomes one. Values stay text, which the schema's fields
 * accept.
 */
export function coerceXmlInput(schema: Shape, value: unknown): unknown {
  const { type, entries, item, wrapped, options } = schema
  if (item && type === 'array') return listOf(value).map((entry) => coerceXmlInput(item, entry))
  if (entries) return shapeRecord(entries, value)
  // A missing optional value stays missing; `nullable` and `readonly` say nothing about missing values.
  if (wrapped)
    return value === undefined && !/^(nullable|readonly)$/.test(type) ? value : coerceXmlInput(wrapped, value)
  if (options && (type === 'union' || type === 'variant')) return shapeOption(options, value)
  return value
}

/**
 * Shapes a value by the first option of a union whose schema then accepts the value; returns the value unchanged if no
 * option does.
 */
function shapeOption(options: Shape[], value: unknown): unknown {
  for (const option of options) {
    const shaped = coerceXmlInput(option, value)
    if (v.is(option, shaped)) return shaped
  }
  return value
}

function shapeRecord(entries: Record<string, Shape>, fields: unknown): unknown {
  if (isBlank(fields) || fields === undefined) return {}
  if (!isFields(fields)) return fields
  const shapedFields: Record<string, unknown> = { ...fields }
  // A missing field stays missing, so that its own error message appears.
  for (const [name, schema] of Object.entries(entries))
    if (Object.hasOwn(fields, name)) shapedFields[name] = coerceXmlInput(schema, fields[name])
  return shapedFields
}

type RefusalText = Pick<Refusal, 'code' | 'message' | 'fields'>

/** Writes a refusal as XML. */
export function writeXmlError(refusal: RefusalText): string {
  const fields = Object.entries(refusal.fields ?? {})
    .map(
      ([name, message]) =>
        `<Field name="${escapeXmlText(name).replace(/"/g, '&quot;')}">${escapeXmlText(message)}</Field>`,
    )
    .join('')
  return `<Error><Code>${escapeXmlText(refusal.code)}</Code><Message>${escapeXmlText(refusal.message)}</Message>${fields}</Error>`
}

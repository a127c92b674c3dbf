import * as v from 'valibot'
import type { XmlLimits } from '../../ports/xml.ts'

/** Limits within which tests parse XML responses, since a facility's list of units has several thousand elements. */
export const xmlResponseLimits: XmlLimits = { depth: 12, elements: 500_000, references: 500_000 }

interface Shape {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
  options?: Shape[]
}

/** Converts the texts of a parsed XML response to the numbers, booleans, nulls and lists that its schema declares. */
export const coerceXmlResponse = (schema: v.GenericSchema, value: unknown): unknown =>
  coerce(schema as unknown as Shape, value)

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

function coerce(schema: Shape, value: unknown): unknown {
  if (schema.type === 'array') {
    const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return list.map((item) => coerce(schema.item as Shape, item))
  }
  if (schema.entries) {
    if (isBlank(value) || value === undefined) return coerceFields(schema.entries, {})
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? coerceFields(schema.entries, value as Record<string, unknown>)
      : value
  }
  if (schema.wrapped) {
    if (value === undefined && !/^(nullable|readonly)$/.test(schema.type)) return value
    // XML writes null like an empty text.
    if (/^(nullable|nullish)$/.test(schema.type) && (value === undefined || value === '')) return null
    return coerce(schema.wrapped, value)
  }
  if (schema.options && (schema.type === 'union' || schema.type === 'variant')) {
    for (const option of schema.options) {
      const converted = coerce(option, value)
      if (v.is(option as unknown as v.GenericSchema, converted)) return converted
    }
    return value
  }
  if (typeof value !== 'string') return value
  if (schema.type === 'number') return isBlank(value) ? value : Number(value)
  if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return schema.type === 'null' && value === '' ? null : value
}

function coerceFields(entries: Record<string, Shape>, fields: Record<string, unknown>) {
  const coerced: Record<string, unknown> = { ...fields }
  for (const [name, schema] of Object.entries(entries)) {
    const field = coerce(schema, Object.hasOwn(fields, name) ? fields[name] : undefined)
    if (field !== undefined) coerced[name] = field
  }
  return coerced
}

/**
 * The XML notation of `POST /api/ssm`: the service's name is the root element, fields are its children, a repeated
 * element is a list (domain/xml.ts).
 */
import * as v from 'valibot'
import { escaped, unescaped, type XmlLimits } from '../domain/xml.ts'
import type { Refusal } from './operation.ts'

/** What an answer of a storage system may hold: a facility's units are several thousand elements. */
export const answerLimits: XmlLimits = { depth: 12, elements: 500_000 }

// ── Shapes ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is looked at in a valibot schema. */
interface Shape {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  items?: Shape[]
  wrapped?: Shape
  options?: Shape[]
}

/**
 * Gives what was read from XML the shapes that a schema declares: a list of one element is a list, none is an empty list,
 * and where `typed`, text becomes the declared number, flag or null. XML knows no difference between an empty text and
 * none: where a field may be null, it is null.
 * @param typed false for an operation's input, whose fields read text themselves
 */
export function shaped(schema: unknown, value: unknown, typed: boolean): unknown {
  return shape(schema as Shape, value, typed)
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

function shape(schema: Shape, value: unknown, typed: boolean): unknown {
  if (schema.type === 'array') {
    const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return list.map((one) => shape(schema.item as Shape, one, typed))
  }
  if (schema.entries) {
    if (isBlank(value) || value === undefined) return shapeFields(schema.entries, {}, typed)
    return isFields(value) ? shapeFields(schema.entries, value, typed) : value
  }
  if (schema.wrapped) {
    if (value === undefined && !/^(nullable|readonly)$/.test(schema.type)) return value
    if (typed && /^(nullable|nullish)$/.test(schema.type) && (value === undefined || value === '')) return null
    return shape(schema.wrapped, value, typed)
  }
  if (schema.options && (schema.type === 'union' || schema.type === 'variant')) {
    for (const option of schema.options) {
      const tried = shape(option, value, typed)
      if (v.is(option as unknown as v.GenericSchema, tried)) return tried
    }
    return value
  }
  if (!typed || typeof value !== 'string') return value
  if (schema.type === 'number') return isBlank(value) ? value : Number(value)
  if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  if (schema.type === 'null') return value === '' ? null : value
  return value
}

function shapeFields(entries: Record<string, Shape>, fields: Record<string, unknown>, typed: boolean) {
  const made: Record<string, unknown> = { ...fields }
  for (const [name, schema] of Object.entries(entries)) {
    const one = shape(schema, Object.hasOwn(fields, name) ? fields[name] : undefined, typed)
    // What a caller left out stays left out, so that the field's own message says so.
    if (one !== undefined && (typed || Object.hasOwn(fields, name))) made[name] = one
  }
  return made
}

// ── Refusals ──────────────────────────────────────────────────────────────────────────────────────────────────────────

type Told = Pick<Refusal, 'code' | 'message' | 'fields'>

/** The `<Error>` element of 4xx answers. */
export function writeXmlError(refusal: Told): string {
  const fields = Object.entries(refusal.fields ?? {})
    .map(([name, message]) => `<Field name="${escaped(name).replace(/"/g, '&quot;')}">${escaped(message)}</Field>`)
    .join('')
  return `<Error><Code>${escaped(refusal.code)}</Code><Message>${escaped(refusal.message)}</Message>${fields}</Error>`
}

/** The reverse of `writeXmlError`; null for anything that it did not write. */
export function readXmlError(xml: string): Told | null {
  const found = /^<Error><Code>([a-z_]+)<\/Code><Message>([^<]*)<\/Message>([\s\S]*)<\/Error>$/.exec(xml)
  if (!found) return null
  try {
    const fields: Record<string, string> = {}
    for (const [, name = '', message = ''] of (found[3] as string).matchAll(
      /<Field name="([^"<]*)">([^<]*)<\/Field>/g,
    )) {
      Object.defineProperty(fields, unescaped(name), { value: unescaped(message), enumerable: true })
    }
    return {
      code: found[1] as string,
      message: unescaped(found[2] as string),
      ...(Object.keys(fields).length > 0 ? { fields } : {}),
    }
  } catch {
    return null
  }
}

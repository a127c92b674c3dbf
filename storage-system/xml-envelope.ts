/**
 * The XML notation of `POST /api/ssm`: the service's name is the root element, fields are its children, a repeated
 * element is a list. One strict pass reads the small part of XML that this needs: document types, CDATA and every entity
 * but the five are refused, and depth and count are bounded while reading, so no input can make it work for long and
 * there is no second reading of the text that could disagree with the first.
 */
import * as v from 'valibot'
import type { Refusal } from './operation.ts'

export interface XmlLimits {
  depth: number
  elements: number
}

/** What a request may hold. */
const requestLimits: XmlLimits = { depth: 12, elements: 5_000 }
/** What an answer of a storage system may hold: a facility's units are several thousand elements. */
export const answerLimits: XmlLimits = { depth: 12, elements: 500_000 }

export type XmlRead = { ok: true; service: string; body: Record<string, unknown> } | { ok: false; why: string }

// Each part can match in one way only, so that a failure costs no more than the tag's length.
const startTag = /<([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const endTag = /<\/([A-Za-z_][\w.:-]*)\s*>/y
const reference = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));|&/g
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

class Malformed extends Error {}
const refuse = (why: string): never => {
  throw new Malformed(why)
}

/** The five named entities and numeric references; nothing else exists, since document types are refused. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (_, name?: string, decimal?: string, hex?: string) => {
    if (name) return named[name] as string
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '0', 16)
    const stands = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return stands ? String.fromCodePoint(code) : refuse('The document refers to an entity or character that is not.')
  })
}

interface Element {
  name: string
  text: string
  fields: Record<string, unknown> | null
}

function addTo(parent: Element, name: string, value: unknown): void {
  if (name === '__proto__') refuse('An element cannot have this name.')
  parent.fields ??= {}
  const { fields } = parent
  if (!Object.hasOwn(fields, name)) fields[name] = value
  else if (Array.isArray(fields[name])) fields[name].push(value)
  else fields[name] = [fields[name], value]
}

function contentOf({ text, fields }: Element): unknown {
  if (!fields) return unescaped(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
  if (text.trim() !== '') refuse('An element holds either text or elements.')
  return fields
}

function parse(xml: string, limits: XmlLimits): Element {
  const open: Element[] = []
  let root: Element | null = null
  let elements = 0
  let at = xml.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < xml.length) {
    const tag = xml.indexOf('<', at)
    const text = xml.slice(at, tag === -1 ? xml.length : tag)
    const inside = open.at(-1)
    if (inside) inside.text += text
    else if (text.trim() !== '') refuse('The body must have one root element, the service.')
    if (tag === -1) break
    const next = xml.charCodeAt(tag + 1)
    if (next === 33 /* ! */) {
      // CDATA, document types and entities are not taken; a comment is passed over.
      if (!xml.startsWith('<!--', tag)) refuse('Document types, entities and CDATA are not taken.')
      const end = xml.indexOf('-->', tag + 4)
      if (end === -1) refuse('The document is cut off.')
      at = end + 3
    } else if (next === 63 /* ? */) {
      const end = xml.indexOf('?>', tag + 2)
      if (end === -1) refuse('The document is cut off.')
      at = end + 2
    } else if (next === 47 /* / */) {
      endTag.lastIndex = tag
      const match = endTag.exec(xml)
      const ended = open.pop()
      if (!match || !ended || match[1] !== ended.name) return refuse('The body is not well-formed XML.')
      const parent = open.at(-1)
      if (parent) addTo(parent, ended.name, contentOf(ended))
      at = endTag.lastIndex
    } else {
      startTag.lastIndex = tag
      const match = startTag.exec(xml)
      if (!match) return refuse('The body is not well-formed XML.')
      const element: Element = { name: match[1] as string, text: '', fields: null }
      elements += 1
      if (elements > limits.elements) refuse('The document has too many elements.')
      if (!inside) {
        if (root) refuse('The body must have one root element, the service.')
        root = element
      }
      if (match[3] === '') {
        if (open.push(element) > limits.depth) refuse('The document is nested too deeply.')
      } else if (inside) addTo(inside, element.name, '')
      at = startTag.lastIndex
    }
  }
  if (!root || open.length > 0) return refuse('The document has no root element or is cut off.')
  return root
}

/**
 * @param xml the text, already bounded in size
 * @returns the fields as text, as nested fields, or as lists where an element is repeated
 */
export function readXml(xml: string, limits: XmlLimits = requestLimits): XmlRead {
  try {
    const root = parse(xml, limits)
    const content = contentOf(root)
    if (typeof content === 'string' && content.trim() !== '') refuse('The root element must hold fields.')
    return { ok: true, service: root.name, body: (root.fields ?? {}) as Record<string, unknown> }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, why: error.message }
    throw error
  }
}

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

// ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// What XML 1.0 cannot hold at all is left out rather than making the answer unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const special = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** Looked for first, since most texts have none: also halves of characters, which are mended. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const unusual = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const escaped = (text: string): string =>
  unusual.test(text) ? text.toWellFormed().replace(special, (one) => escapes[one] ?? '') : text

interface Tags {
  open: string
  close: string
}
/** Names are few and come again and again: each is looked at once. A flood of them from a caller is not kept. */
const known = new Map<string, Tags | null>()
function tagsOf(name: string): Tags | null {
  let tags = known.get(name)
  if (tags !== undefined) return tags
  const isName = /^[A-Za-z_][\w.-]{0,99}$/.test(name) && name !== '__proto__'
  tags = isName ? { open: `<${name}>`, close: `</${name}>` } : null
  if (known.size < 5_000) known.set(name, tags)
  return tags
}

function contentFor(value: unknown): string {
  if (typeof value === 'string') return escaped(value)
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  let text = ''
  for (const field of Object.keys(value)) {
    const one = (value as Record<string, unknown>)[field]
    if (one === undefined) continue
    const tags = tagsOf(field)
    if (tags) text += Array.isArray(one) ? repeated(tags, one) : tags.open + contentFor(one) + tags.close
  }
  return text
}

function repeated(tags: Tags, list: readonly unknown[]): string {
  let text = ''
  for (const one of list) text += Array.isArray(one) ? repeated(tags, one) : tags.open + contentFor(one) + tags.close
  return text
}

/**
 * Fields under their root element. Lists become repeated elements, an empty list none; a field whose name XML cannot
 * have (no declared one) is left out.
 */
export const writeXml = (root: string, value: unknown): string =>
  Array.isArray(value)
    ? repeated({ open: `<${root}>`, close: `</${root}>` }, value)
    : `<${root}>${contentFor(value)}</${root}>`

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

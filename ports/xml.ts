/**
 * Reads and writes XML whose root element has fields as children; a repeated element is a list. Parses strictly in one
 * pass: a general parser blocks for more than a second on a hostile body (docs/decisions/wire-formats.md).
 */

import { isRecord } from '../domain/typed-keys.ts'

/** Limits for parsing an XML document. A document that exceeds them is refused. */
export interface XmlLimits {
  depth: number
  elements: number
  /** Maximum number of entity and character references. */
  references: number
  /** Accepts CDATA, which partners' systems send. */
  cdata?: true
}

/** Limits of a request to our API. */
const requestLimits: XmlLimits = { depth: 12, elements: 5_000, references: 10_000 }

export type XmlRead = { ok: true; service: string; body: Record<string, unknown> } | { ok: false; why: string }

// Each part can match in one way only, so that a mismatch costs no more than the tag's length.
const startTag = /<([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const endTag = /<\/([A-Za-z_][\w.:-]*)\s*>/y
const reference = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));|&/g
const namedEntities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

class Malformed extends Error {}
const refuse = (why: string): never => {
  throw new Malformed(why)
}

/**
 * Replaces XML's five named entities and numeric references in a text. There are no other entities, since document
 * types are refused. @throws Malformed
 */
const unescapeText = (text: string): string =>
  text.replace(reference, (_, name?: string, decimal?: string, hex?: string) => {
    if (name && namedEntities[name]) return namedEntities[name]
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '0', 16)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter
      ? String.fromCodePoint(code)
      : refuse('The document refers to an entity or character that is not.')
  })

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
  if (!fields) return unescapeText(text.replace(/\r\n?/g, '\n'))
  if (text.trim() !== '') refuse('An element holds either text or elements.')
  return fields
}

const cdata = ['<![CDATA[', ']]>'] as const
/** Openings and endings of markup that contains no elements: comments, instructions and CDATA. */
const markups = [['<!--', '-->'], ['<?', '?>'], cdata] as const

/** Skips a comment or instruction, or adds CDATA to the text. @returns the position after it */
function skipMarkup(xml: string, position: number, inside: Element, limits: XmlLimits): number {
  const markup = markups.find(([opening]) => xml.startsWith(opening, position))
  const isText = markup === cdata
  if (markup === undefined || (isText && !limits.cdata))
    return refuse('Document types, entities and CDATA are not taken.')
  const [start, ending] = markup
  const end = xml.indexOf(ending, position + start.length)
  if (end === -1) refuse('The document is cut off.')
  // Within CDATA an ampersand is plain text.
  if (isText) inside.text += xml.slice(position + start.length, end).replaceAll('&', '&amp;')
  return end + ending.length
}

function closeElement(open: Element[], name: string): void {
  const element = open.pop()
  const parent = open.at(-1)
  if (element && parent && element.name === name) addTo(parent, name, contentOf(element))
  else refuse('The body is not well-formed XML.')
}

/** Reads the tag at `position`. @returns the position after it, and whether an element begins */
function readTag(xml: string, position: number, open: Element[], limits: XmlLimits): { end: number; begins: boolean } {
  const pattern = xml.charAt(position + 1) === '/' ? endTag : startTag
  pattern.lastIndex = position
  const [, name = '', , empty] = pattern.exec(xml) ?? refuse('The body is not well-formed XML.')
  if (pattern === endTag) closeElement(open, name)
  else if (empty) addTo(open.at(-1) ?? refuse('The body is not well-formed XML.'), name, '')
  else if (open.push({ name, text: '', fields: null }) > limits.depth + 1) refuse('The document is nested too deeply.')
  return { end: pattern.lastIndex, begins: pattern === startTag }
}

/**
 * Parses an XML document.
 * @returns an element whose field is the root element; the caller refuses several roots and other text
 * @throws Malformed
 */
function parse(xml: string, limits: XmlLimits): Element {
  if (xml.split('&', limits.references + 2).length > limits.references + 1)
    refuse('The document has too many references.')
  const document: Element = { name: '', text: '', fields: null }
  const open = [document]
  let elements = 0
  let position = xml.charCodeAt(0) === 0xfeff ? 1 : 0
  while (position < xml.length) {
    const inside = open.at(-1) ?? document
    const tag = xml.indexOf('<', position)
    inside.text += xml.slice(position, tag === -1 ? undefined : tag)
    if (tag === -1) break
    if (/[!?]/.test(xml.charAt(tag + 1))) {
      position = skipMarkup(xml, tag, inside, limits)
      continue
    }
    const { end, begins } = readTag(xml, tag, open, limits)
    if (begins) elements += 1
    if (elements > limits.elements) refuse('The document has too many elements.')
    position = end
  }
  if (open.length > 1) refuse('The document has no root element or is cut off.')
  return document
}

/**
 * Reads a document.
 * @param xml the text, whose size the caller has limited
 * @returns the root element's name and its fields (text, nested fields, or a list where an element is repeated), or why
 *   the text is refused
 */
export function readXml(xml: string, limits: XmlLimits = requestLimits): XmlRead {
  try {
    const { text, fields } = parse(xml, limits)
    const [root, ...more] = Object.entries(fields ?? {})
    if (text.trim() !== '' || more.length > 0) return refuse('The body must have one root element, the service.')
    if (!root) return refuse('The document has no root element or is cut off.')
    const [service, content] = root
    if (Array.isArray(content)) return refuse('The body must have one root element, the service.')
    if (typeof content === 'string' && content.trim() !== '') return refuse('The root element must hold fields.')
    return { ok: true, service, body: isRecord(content) ? content : {} }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, why: error.message }
    throw error
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters on purpose
const escapedCharacters = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
/** Escapes a text for XML; characters that XML 1.0 cannot hold are left out. */
export const escapeXmlText = (text: string): string =>
  text.toWellFormed().replace(escapedCharacters, (character) => escapes[character] ?? '')

const isName = (name: string) => /^[A-Za-z_][\w.-]{0,99}$/.test(name) && name !== '__proto__'

function contentFor(value: unknown): string {
  if (typeof value === 'string') return escapeXmlText(value)
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, field]) => (field === undefined || !isName(name) ? '' : writeXml(name, field)))
    .join('')
}

/**
 * Writes a value as XML: lists become repeated elements, an empty list none. Undefined fields, and those whose name
 * `isName` refuses, are left out.
 */
export const writeXml = (root: string, value: unknown): string =>
  Array.isArray(value) ? value.map((item) => writeXml(root, item)).join('') : `<${root}>${contentFor(value)}</${root}>`

/**
 * XML whose root element has fields as children; a repeated element is a list. One strict pass: document types and other
 * entities than the five are refused, depth and count are bounded, so no input takes long.
 */

export interface XmlLimits {
  depth: number
  elements: number
  /** Ampersands: each costs as much as an element. */
  references: number
  /** Whether text may come as CDATA, as it may from others' systems. */
  cdata?: true
}

/** What a request may hold. */
const requestLimits: XmlLimits = { depth: 12, elements: 5_000, references: 10_000 }

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

/** The five named entities and numeric references; nothing else exists, since document types are refused. @throws Malformed */
export function unescaped(text: string): string {
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
  let references = 0
  for (let at = xml.indexOf('&'); at !== -1; at = xml.indexOf('&', at + 1)) {
    references += 1
    if (references > limits.references) refuse('The document has too many references.')
  }
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
      // Document types and entities are not taken, nor CDATA from a caller; a comment is passed over.
      const isText = limits.cdata === true && inside !== undefined && xml.startsWith('<![CDATA[', tag)
      if (!isText && !xml.startsWith('<!--', tag)) refuse('Document types, entities and CDATA are not taken.')
      const end = xml.indexOf(isText ? ']]>' : '-->', tag + (isText ? 9 : 4))
      if (end === -1) refuse('The document is cut off.')
      // References mean nothing in there.
      if (isText) inside.text += xml.slice(tag + 9, end).replaceAll('&', '&amp;')
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

// ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// What XML 1.0 cannot hold at all is left out rather than making the answer unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const special = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** Tested first, since most texts have none: also lone surrogates, which are repaired. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const unusual = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
export const escaped = (text: string): string =>
  unusual.test(text) ? text.toWellFormed().replace(special, (one) => escapes[one] ?? '') : text

interface Tags {
  open: string
  close: string
}
/** Names are few and repeat: each is checked once. The cache is bounded. */
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

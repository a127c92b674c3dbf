/**
 * The XML notation of `POST /api/ssm`: the service's name is the root element, fields are its children, a repeated
 * element is a list. Entities and document types are refused, and size, depth and count are bounded before parsing,
 * so no input can make the parser work for long.
 */
import { XMLBuilder, XMLParser } from 'fast-xml-parser'

const maxDepth = 12
const maxElements = 5_000

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  trimValues: true,
})

const builder = new XMLBuilder({ processEntities: false, suppressEmptyNode: false, format: false })

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The five named entities and numeric references; nothing else exists, since document types are refused. */
const unescaped = (text: string): string =>
  text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (name) return named[name] as string
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
  })

const escaped = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    // What XML 1.0 cannot hold at all is left out rather than making the answer unreadable.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/\r/g, '&#13;')

const mapText = (value: unknown, change: (text: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((one) => mapText(one, change))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapText(one, change)]))
  }
  return value === null || value === undefined ? '' : change(String(value))
}

/** True when tags nest too deeply or are too many; one pass over the text, before any parsing. */
function exceedsLimits(xml: string): boolean {
  let depth = 0
  let elements = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml.charCodeAt(at + 1)
    if (next === 47 /* / */) depth -= 1
    else if (next !== 33 /* ! */ && next !== 63 /* ? */) {
      elements += 1
      const end = xml.indexOf('>', at)
      if (end === -1) return true
      if (xml.charCodeAt(end - 1) !== 47) depth += 1
      if (depth > maxDepth || elements > maxElements) return true
    }
  }
  return false
}

export type XmlRead = { ok: true; service: string; body: Record<string, unknown> } | { ok: false; why: string }

/** @param xml the request's text, already bounded in size */
export function readXml(xml: string): XmlRead {
  if (/<!DOCTYPE|<!ENTITY|<!\[CDATA\[/i.test(xml))
    return { ok: false, why: 'Document types, entities and CDATA are not taken.' }
  if (exceedsLimits(xml))
    return { ok: false, why: 'The document is nested too deeply, has too many elements or is cut off.' }
  let parsed: unknown
  try {
    parsed = parser.parse(xml, true)
  } catch {
    return { ok: false, why: 'The body is not well-formed XML.' }
  }
  const roots = Object.entries(parsed as Record<string, unknown>)
  const [root] = roots
  if (roots.length !== 1 || !root || Array.isArray(root[1]))
    return { ok: false, why: 'The body must have one root element, the service.' }
  const [service, content] = root
  if (content === '' || content === null) return { ok: true, service, body: {} }
  if (typeof content !== 'object') return { ok: false, why: 'The root element must hold fields.' }
  return { ok: true, service, body: mapText(content, unescaped) as Record<string, unknown> }
}

/** An answer under its root element. Lists become repeated elements, an empty list none. */
export function writeXml(root: string, value: unknown): string {
  return builder.build({ [root]: mapText(value, escaped) })
}

/** The `<Error>` element of 4xx answers. */
export function writeXmlError(refusal: { code: string; message: string; fields?: Record<string, string> }): string {
  const fields = Object.entries(refusal.fields ?? {})
    .map(([name, message]) => `<Field name="${escaped(name).replace(/"/g, '&quot;')}">${escaped(message)}</Field>`)
    .join('')
  return `<Error><Code>${escaped(refusal.code)}</Code><Message>${escaped(refusal.message)}</Message>${fields}</Error>`
}

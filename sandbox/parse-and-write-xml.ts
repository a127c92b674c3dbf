// This file shares no code with the card provider's adapter: an error in shared code would cancel out, and so stay
// unnoticed.
import { XMLParser, XMLValidator } from 'fast-xml-parser'

export const BODY_LIMIT = 64 * 1024

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, processEntities: false, trimValues: true })

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED_ENTITIES[name.toLowerCase()] ?? whole
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
}

/** Returns the text of `A/B/C` inside `<REQUEST>`, or ''. */
export type RequestFields = (path: string) => string

/**
 * Parses a `<REQUEST>` document.
 * @returns null for any other text, and for a document type, which could declare entities
 */
export function readRequest(body: string): RequestFields | null {
  if (/<!(DOCTYPE|ENTITY)/i.test(body) || XMLValidator.validate(body) !== true) return null
  let root: unknown
  try {
    root = (parser.parse(body) as Record<string, unknown>).REQUEST
  } catch {
    return null
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return null
  return (path) => {
    let node: unknown = root
    for (const name of path.split('/')) {
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return ''
      node = (node as Record<string, unknown>)[name]
    }
    return typeof node === 'string' ? decode(node) : ''
  }
}

function escapeXml(text: string): string {
  return (
    text
      // XML 1.0 cannot contain these characters.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
  )
}

const elementsOf = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `  <${name}>${escapeXml(value)}</${name}>\n`)
    .join('')

/** Writes a `<RESULT>` document. @param transactions each becomes a `<TRANSACTION>` element */
export function writeResult(
  fields: Record<string, string>,
  transactions: readonly Record<string, string>[] = [],
): string {
  const elements = transactions.map((transaction) => `<TRANSACTION>\n${elementsOf(transaction)}</TRANSACTION>\n`)
  return `<?xml version="1.0" encoding="utf-8"?>\n<RESULT>\n${elementsOf(fields)}${elements.join('')}</RESULT>\n`
}

/** Parses an amount in dollars and returns it in cents: 13900 for '139.00'; null if it is invalid. */
export function readAmount(text: string): number | null {
  const amount = /^(\d{1,7})\.(\d{2})$/.exec(text)
  return amount ? Number(amount[1]) * 100 + Number(amount[2]) : null
}

/** Formats an amount in cents as dollars: '139.00' for 13900. */
export function writeAmount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

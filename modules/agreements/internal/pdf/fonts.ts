import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import { keysOf } from '../../../../domain/typed-keys.ts'

export type Face = 'text' | 'bold' | 'script'

/** A glyph of a typeface, in font units. */
export interface Glyph {
  id: number
  advanceWidth: number
  codePoints: number[]
  /** Outline in font units, y axis upward. */
  path: {
    commands: {
      command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
      args: number[]
    }[]
  }
}
interface Font {
  unitsPerEm: number
  ascent: number
  descent: number
  lineGap: number
  capHeight: number
  xHeight: number
  italicAngle: number
  postscriptName: string
  bbox: { minX: number; minY: number; maxX: number; maxY: number }
  hasGlyphForCodePoint(codePoint: number): boolean
  getGlyph(id: number): Glyph
  /** Returns the characters that have the glyph. */
  stringsForGlyph(id: number): string[]
  layout(text: string, features?: string[]): Run
  createSubset(): { includeGlyph(id: number): number; encode(): Uint8Array }
}
interface Run {
  glyphs: Glyph[]
  positions: { xAdvance: number }[]
}

const files: Record<Face, string> = {
  text: '@expo-google-fonts/figtree/400Regular/Figtree_400Regular.ttf',
  bold: '@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf',
  script: '@expo-google-fonts/figtree/500Medium_Italic/Figtree_500Medium_Italic.ttf',
}
const opened = new Map<Face, Font>()

/** Loads pdfkit and the typefaces when first called, so that a process that makes no PDF spends no memory on them. */
export async function loadPdfkit(): Promise<typeof PDFDocument> {
  const { default: Pdf } = await import('pdfkit')
  for (const face of keysOf(files)) if (!opened.has(face)) opened.set(face, readFace(Pdf, face))
  return Pdf
}

/** Reads a typeface. A document opens the file, since pdfkit exports no parser of fonts. */
function readFace(Pdf: typeof PDFDocument, face: Face): Font {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(files[face]))
  const scratch = new Pdf({ autoFirstPage: false }).font(bytes)
  return (scratch as unknown as { _font: { font: Font } })._font.font
}

/** Returns a typeface. Call `loadPdfkit` first. */
export function openFace(face: Face): Font {
  const font = opened.get(face)
  if (!font) throw new Error('loadPdfkit() comes first')
  return font
}

/**
 * Registers the typefaces in a PDF document, each under the name of its face. pdfkit accepts a parsed font, although
 * its types do not declare it.
 */
export function registerFaces(doc: PDFKit.PDFDocument): void {
  for (const face of keysOf(files)) doc.registerFont(face, openFace(face) as unknown as string)
}

/** Matches texts of only these characters, all of which the typeface has. Most texts match. */
const plain = /^[ -~‘’“”–—•·×]*$/

/**
 * Returns a text as the typeface can draw it. A character without a glyph becomes the parts of its decomposition that have
 * one, such as a letter without its accent, or else [U+…]. Each run of white space, control and other characters of the
 * Unicode category C becomes one space.
 */
export function replaceUndrawable(text: string): string {
  if (plain.test(text) && !text.includes('  ')) return text
  const font = openFace('text')
  const hasGlyphs = (letters: string) =>
    [...letters].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0)!))
  let out = ''
  for (const character of text.normalize('NFC').replace(/[\p{C}\s]+/gu, ' ')) {
    if (hasGlyphs(character)) out += character
    else {
      let base = ''
      for (const part of character.normalize('NFKD')) {
        const joined = (base + part).normalize('NFC')
        if (hasGlyphs(joined)) base = joined
      }
      out += base || `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
    }
  }
  return out
}

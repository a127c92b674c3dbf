/**
 * The typeface of the lease. pdfkit shapes every word anew for each document, which is most of the time a lease takes;
 * the words of a lease hardly change, so the shaped words are kept between documents.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

export type Face = 'text' | 'bold' | 'script'

/** The part of fontkit's font that pdfkit and we rely on. */
interface Font {
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string, features?: unknown): Run
}
interface Run {
  glyphs: unknown[]
  positions: { xAdvance: number }[]
  readonly advanceWidth: number
}

const files: Record<Face, string> = {
  text: '@expo-google-fonts/figtree/400Regular/Figtree_400Regular.ttf',
  bold: '@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf',
  script: '@expo-google-fonts/figtree/500Medium_Italic/Figtree_500Medium_Italic.ttf',
}
const opened = new Map<Face, Font>()
/** Names and addresses pass through as well: past this many words all are forgotten, so memory stays bounded. */
const mostWords = 4000

function open(face: Face): Font {
  const known = opened.get(face)
  if (known) return known
  const bytes = readFileSync(createRequire(import.meta.url).resolve(files[face]))
  const scratch = new PDFDocument({ autoFirstPage: false }).font(bytes)
  const font = (scratch as unknown as { _font: { font: Font } })._font.font
  const words = new Map<string, Run>()
  const keeping = Object.create(font, {
    layout: {
      value(text: string, features?: unknown): Run {
        if (features) return font.layout(text, features)
        let run = words.get(text)
        if (!run) {
          run = font.layout(text)
          if (words.size >= mostWords) words.clear()
          words.set(text, run)
        }
        // pdfkit scales the positions in place and then asks for their sum: it gets its own copies.
        const positions = run.positions.map((position) => ({ ...position }))
        let width: number | undefined
        return {
          glyphs: run.glyphs,
          positions,
          get advanceWidth() {
            width ??= positions.reduce((sum, position) => sum + position.xAdvance, 0)
            return width
          },
        }
      },
    },
  }) as Font
  opened.set(face, keeping)
  return keeping
}

/** Makes the faces known to a document by their names. */
export function registerFaces(doc: PDFKit.PDFDocument): void {
  for (const face of Object.keys(files) as Face[]) doc.registerFont(face, open(face) as unknown as string)
}

/**
 * What the typeface can draw of a text, in one line. A letter whose accent it lacks keeps its base letter; a letter of
 * another script is named by its Unicode number, so that the page says which it was and shows no empty boxes.
 */
export function drawable(text: string): string {
  const font = open('text')
  const has = (letters: string) => [...letters].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0)!))
  let out = ''
  for (const character of text.normalize('NFC').replace(/[\p{C}\s]+/gu, ' ')) {
    if (has(character)) out += character
    else {
      let base = ''
      for (const part of character.normalize('NFKD')) {
        const joined = (base + part).normalize('NFC')
        if (has(joined)) base = joined
      }
      out += base || `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
    }
  }
  return out
}

/**
 * Breaks text into lines and writes them as PDF operators. pdfkit shapes all text again for every document; here shaped
 * words, lines and embedded fonts are cached between documents.
 */
import { deflateSync } from 'node:zlib'
import { type Face, type Glyph, openFace } from './fonts.ts'

/** Style of a text: typeface, size in points, and color. */
export interface Style {
  face: Face
  size: number
  color: string
  /** Digits of equal width, so that amounts align in columns. */
  tabular?: boolean
}

/** Width of a text's lines in points, with their spacing and alignment. */
export interface Block {
  width: number
  lineGap?: number
  align?: 'left' | 'right'
}

/** A shaped word; widths in thousandths of the font size. */
interface Word {
  glyphs: Glyph[]
  /** Adjustment added to each glyph's own advance (kerning). */
  kerns: number[]
  width: number
  /** Width of the trailing space. */
  trailing: number
  /** PDF operands; null where the word has a glyph besides the typeface's base glyphs. */
  operands: string | null
}

interface Line {
  words: Word[]
  width: number
}

/** Data of a typeface that does not depend on the document; lengths in thousandths of the font size. */
interface CachedFace {
  ascent: number
  lineHeight: number
  /** Glyphs that every document embeds, in the order of their codes, so that the font file and codes can be shared. */
  base: Glyph[]
  codes: ReadonlyMap<number, number>
  /** Compressed font file with the base glyphs. */
  program: Uint8Array
  /** Compressed ToUnicode table of the base glyphs. */
  toUnicode: Uint8Array
  words: Map<string, Word>
  lines: Map<string, Line[]>
}

/**
 * Maximum numbers of words, and of texts broken into lines, that are cached for a typeface. A full cache is cleared,
 * since it also holds names and addresses, which hardly recur.
 */
const cacheLimits = { words: 4000, lines: 1000 }

/**
 * Characters that suffice for nearly every lease. Documents with no other characters embed the same prepared font file;
 * others embed a font file of their own.
 */
const commonCharacters = `${String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at))}‘’“”–—•·…×§`

const cachedFaces = new Map<Face, CachedFace>()

function faceOf(face: Face): CachedFace {
  const cached = cachedFaces.get(face)
  if (cached) return cached
  const font = openFace(face)
  const scale = 1000 / font.unitsPerEm
  const codes = new Map<number, number>()
  const base: Glyph[] = []
  const addGlyph = (glyph: Glyph) => {
    if (codes.has(glyph.id)) return
    codes.set(glyph.id, base.length)
    base.push(glyph)
  }
  addGlyph(font.getGlyph(0))
  for (const { glyphs } of [font.layout(commonCharacters), font.layout(commonCharacters, ['tnum'])])
    glyphs.forEach(addGlyph)
  const created: CachedFace = {
    ascent: font.ascent * scale,
    lineHeight: (font.ascent + font.lineGap - font.descent) * scale,
    base,
    codes,
    program: fontFileOf(face, base),
    toUnicode: deflateSync(toUnicodeCMap(face, base)),
    words: new Map(),
    lines: new Map(),
  }
  cachedFaces.set(face, created)
  return created
}

/**
 * Returns a font file with only these glyphs, in this order, deflated for embedding in a PDF; the first must be the
 * missing-glyph symbol.
 */
function fontFileOf(face: Face, glyphs: Glyph[]): Uint8Array {
  const subset = openFace(face).createSubset()
  for (const glyph of glyphs) subset.includeGlyph(glyph.id)
  return deflateSync(subset.encode(), { level: 9 })
}

const hex = (code: number) => code.toString(16).padStart(4, '0')
const rounded = (value: number) => Math.round(value * 1000) / 1000

/** Returns the TJ operands of a word: codes, and between them kerning, which TJ subtracts: `<0041>-12<0042>`. */
function operandsOf(word: Word, codeOf: (glyph: Glyph) => number): string {
  let out = ''
  let run = ''
  word.glyphs.forEach((glyph, at) => {
    run += hex(codeOf(glyph))
    const kern = rounded(word.kerns[at] ?? 0)
    if (kern === 0) return
    out += `<${run}>${-kern}`
    run = ''
  })
  return run === '' ? out : `${out}<${run}>`
}

function shapeWord(style: Pick<Style, 'face' | 'tabular'>, text: string): Word {
  const face = faceOf(style.face)
  const key = style.tabular ? `#${text}` : ` ${text}`
  const cached = face.words.get(key)
  if (cached) return cached
  const font = openFace(style.face)
  const scale = 1000 / font.unitsPerEm
  const { glyphs, positions } = font.layout(text, style.tabular ? ['tnum'] : undefined)
  const advances = positions.map(({ xAdvance }) => xAdvance * scale)
  const word: Word = {
    glyphs,
    kerns: glyphs.map((glyph, at) => (advances[at] ?? 0) - glyph.advanceWidth * scale),
    width: advances.reduce((sum, advance) => sum + advance, 0),
    trailing: text.endsWith(' ') ? (advances.at(-1) ?? 0) : 0,
    operands: null,
  }
  if (glyphs.every((glyph) => face.codes.has(glyph.id))) {
    word.operands = operandsOf(word, (glyph) => face.codes.get(glyph.id) as number)
  }
  if (face.words.size >= cacheLimits.words) face.words.clear()
  face.words.set(key, word)
  return word
}

/** Line breaks: after spaces, and between the parts of 'move-in' or 'and/or'. */
const breaks = /(?<= )(?=[^ ])|(?<=[A-Za-z][-–—/])(?=[A-Za-z])/

/** Breaks a text into lines of `width` thousandths of the font size; a word longer than a line is broken anywhere. */
function breakLines(style: Pick<Style, 'face' | 'tabular'>, text: string, width: number): Line[] {
  const { lines: cache } = faceOf(style.face)
  const key = `${style.tabular ? '#' : ' '}${width} ${text}`
  const cached = cache.get(key)
  if (cached) return cached
  const lines: Line[] = []
  let line: Line = { words: [], width: 0 }
  let advance = 0
  const close = () => {
    if (line.words.length > 0) lines.push(line)
    line = { words: [], width: 0 }
    advance = 0
  }
  const add = (word: Word) => {
    const ink = word.width - word.trailing
    if (advance + ink > width) close()
    line.words.push(word)
    line.width = advance + ink
    advance += word.width
  }
  for (const part of text.split(breaks)) {
    const word = shapeWord(style, part)
    if (word.width - word.trailing <= width) add(word)
    else for (const letter of part) add(shapeWord(style, letter))
  }
  close()
  if (cache.size >= cacheLimits.lines) cache.clear()
  cache.set(key, lines)
  return lines
}

const fillOperators = new Map<string, string>()

function fillOperatorOf(color: string): string {
  let operator = fillOperators.get(color)
  if (operator === undefined) {
    const parts = [1, 3, 5].map((at) => rounded(Number.parseInt(color.slice(at, at + 2), 16) / 255))
    operator = `${parts.join(' ')} rg`
    fillOperators.set(color, operator)
  }
  return operator
}

/** Members of a pdfkit document that lie below pdfkit's own text layout. */
interface PdfkitInternals {
  y: number
  page: { height: number; fonts: Record<string, Reference> }
  addContent(operators: string): unknown
  ref(data: object): Reference
  continueOnNewPage(): unknown
}
interface Reference {
  data: Record<string, unknown>
  end(content?: Uint8Array | string): void
}

interface DocumentFont {
  name: string
  dictionary: Reference
  /** Glyphs of this document besides the typeface's base, by id. */
  more: Map<number, { code: number; glyph: Glyph }>
}

/** Measures and draws texts of a PDF document. Sizes are in points. */
export interface Typesetter {
  height(style: Style, text: string, block: Block): number
  /** Returns the width of a text on one line, in points. */
  width(style: Style, text: string): number
  /** Draws a text at a position and moves the document's `y` below it; lines past the floor continue on a new page. */
  set(style: Style, text: string, x: number, y: number, block: Block): void
  /** Draws a text on one line. A text wider than `block` is cut and ends in '…'. */
  setLine(style: Style, text: string, x: number, y: number, block?: Block): void
  /** Embeds the fonts that the document uses. Call it once, after the last text. */
  finish(): void
}

/**
 * Returns a typesetter for a document.
 * @param floor lowest position of a line, in points from the page's top
 */
export function typesetter(document: PDFKit.PDFDocument, floor: number): Typesetter {
  const internals = document as unknown as PdfkitInternals
  const fonts = new Map<Face, DocumentFont>()

  function fontFor(face: Face): DocumentFont {
    let font = fonts.get(face)
    if (!font) {
      font = { name: `F${fonts.size + 1}`, dictionary: internals.ref({}), more: new Map() }
      fonts.set(face, font)
    }
    internals.page.fonts[font.name] = font.dictionary
    return font
  }

  function codeOf(face: Face, { more }: DocumentFont, glyph: Glyph): number {
    const { codes, base } = faceOf(face)
    const code = codes.get(glyph.id) ?? more.get(glyph.id)?.code
    if (code !== undefined) return code
    const next = base.length + more.size
    more.set(glyph.id, { code: next, glyph })
    return next
  }

  const encodeLine = (face: Face, font: DocumentFont, line: Line) =>
    line.words.map((word) => word.operands ?? operandsOf(word, (glyph) => codeOf(face, font, glyph))).join('')

  function write(style: Style, lines: { line: Line; x: number; y: number }[]): void {
    const font = fontFor(style.face)
    const { ascent } = faceOf(style.face)
    let operators = `BT\n${fillOperatorOf(style.color)}\n/${font.name} ${style.size} Tf`
    for (const { line, x, y } of lines) {
      // The page's y axis points down, so letters are flipped upright.
      const baseline = y + (ascent / 1000) * style.size
      operators += `\n1 0 0 -1 ${rounded(x)} ${rounded(baseline)} Tm\n[${encodeLine(style.face, font, line)}] TJ`
    }
    internals.addContent(`${operators}\nET`)
  }

  const toFontUnits = (style: Style, width: number) => (width * 1000) / style.size
  const toPoints = (style: Style, width: number) => (width * style.size) / 1000
  const lineHeight = (style: Style) => toPoints(style, faceOf(style.face).lineHeight)

  const leftOf = (style: Style, line: Line, x: number, block: Block) =>
    block.align === 'right' ? x + block.width - toPoints(style, line.width) : x

  return {
    height: (style, text, block) =>
      breakLines(style, text, toFontUnits(style, block.width)).length * (lineHeight(style) + (block.lineGap ?? 0)),

    width: (style, text) => toPoints(style, shapeWord(style, text).width),

    set(style, text, x, y, block) {
      const height = lineHeight(style)
      let pending: { line: Line; x: number; y: number }[] = []
      const flush = () => {
        if (pending.length > 0) write(style, pending)
        pending = []
      }
      internals.y = y
      for (const line of breakLines(style, text, toFontUnits(style, block.width))) {
        if (internals.y + height > floor) {
          flush()
          internals.continueOnNewPage()
        }
        pending.push({ line, x: leftOf(style, line, x, block), y: internals.y })
        internals.y += height + (block.lineGap ?? 0)
      }
      flush()
    },

    setLine(style, text, x, y, block) {
      let words = text.split(breaks).map((part) => shapeWord(style, part))
      let width = words.reduce((sum, word) => sum + word.width, 0)
      if (block && width > toFontUnits(style, block.width)) {
        const [line] = breakLines(style, text, toFontUnits(style, block.width) - shapeWord(style, '…').width)
        words = [...(line?.words ?? []), shapeWord(style, '…')]
        width = words.reduce((sum, word) => sum + word.width, 0)
      }
      const line = { words, width }
      write(style, [{ line, x: block ? leftOf(style, line, x, block) : x, y }])
    },

    finish() {
      for (const [face, font] of fonts) embed(internals, face, font)
    },
  }
}

/** Embeds a composite font whose codes equal its glyph ids, with its ToUnicode table (PDF 1.7 §9.7). */
function embed(internals: PdfkitInternals, face: Face, { dictionary, more }: DocumentFont): void {
  const font = openFace(face)
  const { base, program, toUnicode } = faceOf(face)
  const scale = 1000 / font.unitsPerEm
  const glyphs = [...base, ...[...more.values()].map(({ glyph }) => glyph)]
  const file = internals.ref({ Filter: 'FlateDecode' })
  file.end(more.size === 0 ? program : fontFileOf(face, glyphs))
  // The name of a font subset begins with a tag of six capitals (PDF 1.7 §9.6.4).
  const name = `LEASE${face === 'text' ? 'A' : face === 'bold' ? 'B' : 'C'}+${font.postscriptName}`
  const { bbox } = font
  const descriptor = internals.ref({
    Type: 'FontDescriptor',
    FontName: name,
    // 4 marks a symbolic font, 64 an italic one.
    Flags: 4 | (font.italicAngle !== 0 ? 64 : 0),
    FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((value) => value * scale),
    ItalicAngle: font.italicAngle,
    Ascent: font.ascent * scale,
    Descent: font.descent * scale,
    CapHeight: (font.capHeight || font.ascent) * scale,
    XHeight: font.xHeight * scale,
    StemV: 0,
    FontFile2: file,
  })
  descriptor.end()
  const descendant = internals.ref({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    // pdfkit writes a String object as a PDF string and a primitive string as a PDF name.
    CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
    FontDescriptor: descriptor,
    CIDToGIDMap: 'Identity',
    W: [0, glyphs.map((glyph) => glyph.advanceWidth * scale)],
  })
  descendant.end()
  const characterMap = internals.ref({ Filter: 'FlateDecode' })
  characterMap.end(more.size === 0 ? toUnicode : deflateSync(toUnicodeCMap(face, glyphs)))
  Object.assign(dictionary.data, {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: characterMap,
  })
  dictionary.end()
}

/**
 * Returns the ToUnicode CMap of the glyphs, in ranges of at most 100 codes. The codes of a range differ only in their
 * last byte (PDF 1.7 §9.10.3).
 */
function toUnicodeCMap(face: Face, glyphs: Glyph[]): string {
  const font = openFace(face)
  const entries = glyphs.map(({ id, codePoints }) => {
    // A glyph that was first opened as part of another, as the 'ı' of 'í', has no code points.
    const text = codePoints.length > 0 ? String.fromCodePoint(...codePoints) : (font.stringsForGlyph(id)[0] ?? '')
    return `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  })
  const ranges: string[] = []
  let from = 0
  while (from < entries.length) {
    const block = entries.slice(from, Math.min(from + 100, (from | 0xff) + 1))
    ranges.push(`<${hex(from)}> <${hex(from + block.length - 1)}> [${block.join(' ')}]`)
    from += block.length
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
${ranges.length} beginbfrange
${ranges.join('\n')}
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

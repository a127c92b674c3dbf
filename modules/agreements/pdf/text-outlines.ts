/** Converts text to outlines, so that a picture looks the same whatever fonts the machine has. */
import { loadPdfkit, openFace, replaceUndrawable } from './fonts.ts'

interface Outlined {
  /** SVG path data with its baseline at 0. */
  d: string
  width: number
}

const round = (value: number) => Math.round(value * 10) / 10

/**
 * Returns a text as vector outlines of its letters.
 * @param size pixels per em
 * @param most maximum width in pixels; a longer text is cut and ends in '…'
 */
function lettersOf(text: string, face: 'text' | 'bold', size: number, most: number): Outlined {
  const font = openFace(face)
  const scale = size / font.unitsPerEm
  const widthOf = (some: string) => font.layout(some).positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) * scale
  let shown = replaceUndrawable(text)
  if (widthOf(shown) > most) {
    while (shown.length > 1 && widthOf(`${shown}…`) > most) shown = shown.slice(0, -1).trimEnd()
    shown += '…'
  }
  const run = font.layout(shown)
  let x = 0
  let d = ''
  run.glyphs.forEach((glyph, index) => {
    for (const { command, args } of glyph.path.commands) {
      const points = args.map((value, at) => round(at % 2 === 0 ? x + value * scale : -value * scale))
      d += `${letter[command]}${points.join(' ')}`
    }
    x += (run.positions[index]?.xAdvance ?? 0) * scale
  })
  return { d, width: x }
}

const letter = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'z' }

/** Loads the typefaces. @returns the function that converts a text to SVG outlines */
export async function loadTextOutliner(): Promise<typeof lettersOf> {
  await loadPdfkit()
  return lettersOf
}

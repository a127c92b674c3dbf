/**
 * Converts text to outlines, so that a picture looks the same whatever fonts its viewer has. This module is a view,
 * since pages call it and may not import the fonts of the PDFs (`internal/pdf/fonts.ts`) themselves.
 */
import { loadPdfkit, openFace, replaceUndrawable } from '../internal/pdf/fonts.ts'

interface OutlinedText {
  /** SVG path data with its baseline at 0. */
  d: string
  /** Width in pixels. */
  width: number
}

const round = (value: number) => Math.round(value * 10) / 10

/**
 * Returns a text as vector outlines of its letters.
 * @param size pixels per em
 * @param maxWidth maximum width in pixels; a longer text is cut and ends in '…'
 */
function outlineText(text: string, face: 'text' | 'bold', size: number, maxWidth: number): OutlinedText {
  const font = openFace(face)
  const scale = size / font.unitsPerEm
  const widthOf = (part: string) => font.layout(part).positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) * scale
  let fitted = replaceUndrawable(text)
  if (widthOf(fitted) > maxWidth) {
    while (fitted.length > 1 && widthOf(`${fitted}…`) > maxWidth) fitted = fitted.slice(0, -1).trimEnd()
    fitted += '…'
  }
  const run = font.layout(fitted)
  let x = 0
  let d = ''
  run.glyphs.forEach((glyph, index) => {
    for (const { command, args } of glyph.path.commands) {
      const points = args.map((value, at) => round(at % 2 === 0 ? x + value * scale : -value * scale))
      d += `${svgCommands[command]}${points.join(' ')}`
    }
    x += (run.positions[index]?.xAdvance ?? 0) * scale
  })
  return { d, width: x }
}

const svgCommands = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'z' }

/** Loads the typefaces. @returns the function that converts a text to SVG outlines */
export async function loadTextOutliner(): Promise<typeof outlineText> {
  await loadPdfkit()
  return outlineText
}

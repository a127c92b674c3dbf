/**
 * The E-13B font of ISO 1004-1 and ANSI X9.27, in cells of 0.013 inch. A glyph is up to 9 cells high and flush right in
 * a place 7 cells wide; places repeat every 0.125 inch.
 */

/** Rectangle of a character's ink: left, top, width and height, in cells of `CELL_INCHES`. */
type Bar = readonly [number, number, number, number]

export const CELL_INCHES = 0.013
export const PITCH = 0.125 / CELL_INCHES
export const GLYPH_WIDTH = 7
export const GLYPH_HEIGHT = 9

// Unicode misnamed two of these symbols and corrected the names by aliases: U+2448 is On-Us, U+2449 the dash.
export const TRANSIT = '⑆'
const AMOUNT = '⑇'
export const ON_US = '⑈'
export const DASH = '⑉'

/**
 * Shapes of the characters of the MICR font E-13B, with which a photographed check is compared: each as bars of 'left
 * top width height'.
 */
const glyphTexts: Readonly<Record<string, string>> = {
  '0': '1 0 5 1, 0.5 0.5 6 0.5, 0 1 1.5 0.5, 5.5 1 1.5 0.5, 0 1.5 1 6, 6 1.5 1 6, 0 7.5 1.5 0.5, 5.5 7.5 1.5 0.5, 0.5 8 6 0.5, 1 8 5 1',
  '1': '3 0 2 1.5, 4 1.5 1 3.5, 3 5 4 4',
  '2': '3 0 4 1, 6 1 1 3, 3 4 4 1, 3 5 1 3, 3 8 4 1',
  '3': '2 0 4 1, 5 1 1 3, 2 4 4 1, 5 4.5 2 4.5, 2 8 5 1',
  '4': '1 0 2 7, 1 6 6 1, 5 5 2 4',
  '5': '2 0 5 1, 2 1 1 3, 2 4 5 1, 6 5 1 3, 2 8 5 1',
  '6': '1 0 4 1, 1 1 1 8, 4 1 1 1.5, 1 5 6 1, 6 6 1 2, 1 8 6 1',
  '7': '2 0 5 1, 2 1 1 2, 6 1 1 2.5, 5 3.5 2 0.5, 4 4 2.5 0.5, 4 4.5 1.5 0.5, 4 5 1 4',
  '8': '1 0 5 1, 1 1 1 3, 5 1 1 3, 1 4 5 1, 0 4.5 2 4.5, 5 4.5 2 4.5, 0 8 7 1',
  '9': '1 0 6 1, 1 1 1 3, 6 1 1 3, 1 4 6 1, 5 5 2 4',
  [TRANSIT]: '4 0 3 3, 0 1.5 2 6, 4 6 3 3',
  [AMOUNT]: '5 0 2 4, 3 2.5 1 4, 0 5 2 4',
  [ON_US]: '0 1.5 1 6, 2 1.5 1 6, 4 0.5 3 4',
  [DASH]: '0 2.5 2 4, 3 2.5 2 4, 6 2.5 1 4',
}

export const glyphs: Readonly<Record<string, readonly Bar[]>> = Object.fromEntries(
  Object.entries(glyphTexts).map(([name, bars]) => [name, bars.split(', ').map(barOf)]),
)

function barOf(text: string): Bar {
  const [left = 0, top = 0, width = 0, height = 0] = text.split(' ').map(Number)
  return [left, top, width, height]
}

/** Returns the share of ink in the square from (x, y) to (x + size, y + size), 0 to 1. */
export function coverage(bars: readonly Bar[], x: number, y: number, size: number): number {
  let ink = 0
  // Samples instead of summed areas, because bars of one glyph overlap.
  const samples = 4
  for (let i = 0; i < samples; i += 1)
    for (let j = 0; j < samples; j += 1) {
      const px = x + ((i + 0.5) * size) / samples
      const py = y + ((j + 0.5) * size) / samples
      if (bars.some(([left, top, width, height]) => px >= left && px < left + width && py >= top && py < top + height))
        ink += 1
    }
  return ink / samples ** 2
}

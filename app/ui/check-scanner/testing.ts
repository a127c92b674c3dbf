/**
 * Pictures of checks as a camera takes them, for tests:
 * printed at 200 dots per inch, tilted, unevenly lit, slightly blurred and noisy.
 */
import { CELL_INCHES } from './e13b-glyph-shapes.ts'
import type { GrayImage } from './filter-and-judge-check-picture.ts'

/**
 * Reference shapes of the characters on a check, in half cells, 18 rows of 14 bits. The reader does not use them, so
 * that tests can compare its shapes with these.
 */
export const referenceGlyphs: Readonly<Record<string, string>> = {
  '0': '0ffc 1ffe 3807 3003 3003 3003 3003 3003 3003 3003 3003 3003 3003 3003 3003 3807 1ffe 0ffc',
  '1': '00f0 00f0 00f0 0030 0030 0030 0030 0030 0030 0030 00ff 00ff 00ff 00ff 00ff 00ff 00ff 00ff',
  '2': '00ff 00ff 0003 0003 0003 0003 0003 0003 00ff 00ff 00c0 00c0 00c0 00c0 00c0 00c0 00ff 00ff',
  '3': '03fc 03fc 000c 000c 000c 000c 000c 000c 03fc 03ff 000f 000f 000f 000f 000f 000f 03ff 03ff',
  '4': '0f00 0f00 0f00 0f00 0f00 0f00 0f00 0f00 0f00 0f00 0f0f 0f0f 0fff 0fff 000f 000f 000f 000f',
  '5': '03ff 03ff 0300 0300 0300 0300 0300 0300 03ff 03ff 0003 0003 0003 0003 0003 0003 03ff 03ff',
  '6': '0ff0 0ff0 0c30 0c30 0c30 0c00 0c00 0c00 0c00 0c00 0fff 0fff 0c03 0c03 0c03 0c03 0fff 0fff',
  '7': '03ff 03ff 0303 0303 0303 0303 0003 000f 003e 0038 0030 0030 0030 0030 0030 0030 0030 0030',
  '8': '0ffc 0ffc 0c0c 0c0c 0c0c 0c0c 0c0c 0c0c 0ffc 3fff 3c0f 3c0f 3c0f 3c0f 3c0f 3c0f 3fff 3fff',
  '9': '0fff 0fff 0c03 0c03 0c03 0c03 0c03 0c03 0fff 0fff 000f 000f 000f 000f 000f 000f 000f 000f',
  '⑆': '003f 003f 003f 3c3f 3c3f 3c3f 3c00 3c00 3c00 3c00 3c00 3c00 3c3f 3c3f 3c3f 003f 003f 003f',
  '⑇': '000f 000f 000f 000f 000f 00cf 00cf 00cf 00c0 00c0 3cc0 3cc0 3cc0 3c00 3c00 3c00 3c00 3c00',
  '⑈': '0000 003f 003f 333f 333f 333f 333f 333f 333f 3300 3300 3300 3300 3300 3300 0000 0000 0000',
  '⑉': '0000 0000 0000 0000 0000 3cf3 3cf3 3cf3 3cf3 3cf3 3cf3 3cf3 3cf3 0000 0000 0000 0000 0000',
}

const PRINT_DPI = 200
const HALF = CELL_INCHES / 2

export interface CheckScene {
  line: string
  /** Rotation of the check, in degrees. */
  tilt: number
  /** Width of the camera's picture in pixels; it shows 6.4 by 2.9 inches. */
  width: number
  /** Brightness at the corners of the rendered picture, 0 to 1: upper left, upper right, lower left, lower right. */
  light: readonly [number, number, number, number]
  /** Standard deviation of the blur, in pixels of the camera's picture. */
  blur: number
  /** Noise in levels of brightness, plus and minus. */
  noise: number
  /** Number of blots on the line of numbers. */
  blots?: number
  random: () => number
}

/** Draws a check of 6 by 2.75 inches: paper, writing lines, some print and the line of numbers. */
function drawCheck({ line, random, blots = 0 }: CheckScene): GrayImage {
  const width = 6 * PRINT_DPI
  const height = 2.75 * PRINT_DPI
  const sheet = { width, height, pixels: new Uint8ClampedArray(width * height).fill(236) }
  const { pixels } = sheet
  const fill = (x: number, y: number, wide: number, high: number, level: number) => {
    for (let row = Math.round(y); row < y + high; row += 1)
      for (let column = Math.round(x); column < x + wide; column += 1) pixels[row * width + column] = level
  }
  // Security print of faint diagonals.
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if ((x + 2 * y) % 23 < 2) pixels[y * width + x] = 218
  for (const [x, y, wide] of [
    [0.3, 1.45, 4.2],
    [0.4, 2.05, 2.2],
    [3.4, 2.05, 2.3],
  ] as const)
    fill(x * PRINT_DPI, y * PRINT_DPI, wide * PRINT_DPI, 2, 60)
  // Words: strokes of uneven height, also in the lower half of the check.
  for (const [left, baseline, letters] of [
    [0.3, 0.4, 26],
    [0.3, 0.55, 30],
    [0.3, 2.02, 14],
  ] as const)
    for (let letter = 0; letter < letters; letter += 1) {
      const high = (0.05 + 0.05 * random()) * PRINT_DPI
      const x = (left + letter * 0.075) * PRINT_DPI
      fill(x, baseline * PRINT_DPI - high, 2, high, 50)
      fill(x, baseline * PRINT_DPI - high * random(), 9, 2, 50)
    }
  // A signature.
  for (let step = 0; step < 900; step += 1) {
    const x = (3.6 + (1.8 * step) / 900) * PRINT_DPI
    fill(x, (1.95 + 0.17 * Math.sin(step / 31) * Math.sin(step / 173)) * PRINT_DPI, 3, 3, 70)
  }
  const bottom = (2.75 - 0.1875) * PRINT_DPI
  for (const [index, name] of [...line].entries()) {
    const rows = referenceGlyphs[name]?.split(' ').map((row) => Number.parseInt(row, 16)) ?? []
    const left = (0.4 + index * 0.125 + (random() - 0.5) * 0.004) * PRINT_DPI
    const top = bottom - 18 * HALF * PRINT_DPI + (random() - 0.5) * 1.2
    for (let y = Math.floor(top); y < bottom + 2; y += 1)
      for (let x = Math.floor(left); x < left + 14 * HALF * PRINT_DPI + 1; x += 1) {
        const row = Math.floor((y + 0.5 - top) / (HALF * PRINT_DPI))
        const column = Math.floor((x + 0.5 - left) / (HALF * PRINT_DPI))
        if (row >= 0 && row < 18 && column >= 0 && column < 14 && ((rows[row] ?? 0) >> (13 - column)) & 1)
          pixels[y * width + x] = 30 + 20 * random()
      }
  }
  for (let blot = 0; blot < blots; blot += 1) {
    const x = (0.4 + (2 + Math.floor(random() * (line.length - 4))) * 0.125 + 0.05 * random()) * PRINT_DPI
    fill(x, bottom - 0.12 * random() * PRINT_DPI, (0.02 + 0.03 * random()) * PRINT_DPI, 0.05 * PRINT_DPI, 45)
  }
  return sheet
}

/** Returns the lower half of the camera's picture of a check on a dark desk. */
export function renderCheckScene(scene: CheckScene): GrayImage {
  const { tilt, width, light, blur, noise, random } = scene
  const check = drawCheck(scene)
  const whole = Math.round((width * 2.9) / 6.4)
  const above = Math.floor(whole / 2)
  const height = whole - above
  const inch = width / 6.4
  const sin = Math.sin((tilt * Math.PI) / 180)
  const cos = Math.cos((tilt * Math.PI) / 180)
  const sharp = new Float32Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0
      for (let sample = 0; sample < 4; sample += 1) {
        const dx = (x + 0.25 + (sample & 1) / 2 - width / 2) / inch
        const dy = (above + y + 0.25 + (sample >> 1) / 2 - whole / 2) / inch
        const u = Math.floor((3 + dx * cos + dy * sin) * PRINT_DPI)
        const v = Math.floor((1.375 - dx * sin + dy * cos) * PRINT_DPI)
        const on = u >= 0 && v >= 0 && u < check.width && v < check.height
        sum += on ? (check.pixels[v * check.width + u] ?? 0) : 90
      }
      const right = x / width
      const low = y / height
      const lit =
        (light[0] * (1 - right) + light[1] * right) * (1 - low) + (light[2] * (1 - right) + light[3] * right) * low
      sharp[y * width + x] = (sum / 4) * lit
    }
  const soft = blurAlong(blurAlong(sharp, width, height, blur, 1), width, height, blur, width)
  const pixels = new Uint8ClampedArray(width * height)
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (soft[index] ?? 0) + (random() * 2 - 1) * noise
  return { width, height, pixels }
}

/** Blurs by a Gaussian along rows (step 1) or columns (step `width`). */
function blurAlong(from: Float32Array, width: number, height: number, sigma: number, step: number): Float32Array {
  const reach = Math.ceil(sigma * 3)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, index) =>
    Math.exp(-((index - reach) ** 2) / (2 * sigma ** 2)),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const to = new Float32Array(from.length)
  const last = from.length - 1
  for (let index = 0; index < width * height; index += 1) {
    let sum = 0
    for (let off = -reach; off <= reach; off += 1) {
      const near = index + off * step
      sum += from[Math.min(Math.max(near, 0), last)]! * weights[off + reach]!
    }
    to[index] = sum / total
  }
  return to
}

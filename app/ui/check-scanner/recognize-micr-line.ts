/** Reads the E-13B line in a picture of a check, by comparing each place with the fourteen known glyphs. */

import { coverage, GLYPH_HEIGHT, GLYPH_WIDTH, glyphs, PITCH } from './e13b-glyph-shapes.ts'
import { blackAndWhite, evenOutLight, type GrayImage } from './filter-and-judge-check-picture.ts'
import { MIN_CONFIDENCE } from './parse-check-numbers.ts'

export interface CheckLine {
  /** Digits, symbols and single spaces for wider gaps; `?` for ink that is no known character. */
  text: string
  /**
   * Confidence of the least certain character: its glyph's lead over the next best, in percent of the possible lead.
   */
  confidence: number
  /** The line, cut out of the picture of the check and leveled. */
  picture: GrayImage
}

export function readLine(gray: GrayImage): CheckLine | null {
  const sheet = evenOutLight(gray)
  const rows = findRows(findPieces(blackAndWhite(sheet)))
  let best: CheckLine | null = null
  for (const row of rows) {
    const read = readRow(sheet, row)
    if (read && (!best || read.confidence > best.confidence)) best = read
    if (best && best.confidence > MIN_CONFIDENCE) break
  }
  return best
}

/** Bounding box of connected black pixels; `right` and `bottom` are the first column and row outside of the box. */
interface Piece {
  left: number
  right: number
  top: number
  bottom: number
}

/** Minimum height of a piece of ink in pixels: the height of a digit in a picture of 70 dots per inch. */
const MIN_HEIGHT = 8
/** Maximum height of a piece of ink in pixels: the height of a digit in a picture of 600 dots per inch. */
const MAX_HEIGHT = 70

function pieceAt(start: number, { width, height, pixels }: GrayImage, visited: Uint8Array): Piece {
  const piece = { left: width, right: 0, top: height, bottom: 0 }
  const stack = [start]
  visited[start] = 1
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    const x = index % width
    const y = (index - x) / width
    piece.left = Math.min(piece.left, x)
    piece.right = Math.max(piece.right, x + 1)
    piece.top = Math.min(piece.top, y)
    piece.bottom = Math.max(piece.bottom, y + 1)
    for (const next of [x > 0 ? index - 1 : -1, x + 1 < width ? index + 1 : -1, index - width, index + width]) {
      if (next < 0 || next >= pixels.length || visited[next] || pixels[next] !== 0) continue
      visited[next] = 1
      stack.push(next)
    }
  }
  return piece
}

function findPieces(picture: GrayImage): Piece[] {
  const visited = new Uint8Array(picture.pixels.length)
  const pieces: Piece[] = []
  for (const [start, pixel] of picture.pixels.entries()) {
    if (pixel !== 0 || visited[start]) continue
    const piece = pieceAt(start, picture, visited)
    const high = piece.bottom - piece.top
    const wide = piece.right - piece.left
    if (high >= MIN_HEIGHT && high <= MAX_HEIGHT && wide >= high * 0.15 && wide <= high * 1.3) pieces.push(piece)
  }
  return pieces
}

interface Row {
  /** Baseline of the row: y = base + slope × x, in pixels. */
  base: number
  slope: number
  height: number
  left: number
  right: number
}

const MAX_TILT_DEGREES = 7
/**
 * Minimum number of pieces of ink, or of recognized characters, in a MICR line. A row with fewer is ignored, since
 * `readCheck` requires 19 digits.
 */
const MIN_CHARACTERS = 12
const MAX_ROWS = 3

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Groups pieces of ink whose bottom edges lie on a line of the given slope, to within 8 pixels. Each piece is in two
 * groups, so that no boundary between groups divides a line.
 */
function groupByLine(pieces: readonly Piece[], slope: number): Iterable<Piece[]> {
  const bins = new Map<number, Piece[]>()
  for (const piece of pieces) {
    const bin = Math.floor((piece.bottom - (slope * (piece.left + piece.right)) / 2) / 4)
    for (const near of [bin, bin + 1]) bins.set(near, [...(bins.get(near) ?? []), piece])
  }
  return bins.values()
}

function filterByHeight(pieces: Piece[]): Piece[] {
  const height = median(pieces.map((piece) => piece.bottom - piece.top))
  return pieces.filter((piece) => Math.abs(piece.bottom - piece.top - height) <= Math.max(2, height * 0.15))
}

/**
 * Finds rows of print tilted by up to `MAX_TILT_DEGREES`: many pieces of one height on one line. Returns at most
 * `MAX_ROWS` rows, the row with the most pieces first.
 */
function findRows(pieces: Piece[]): Row[] {
  const candidates: { support: Piece[]; row: Row }[] = []
  for (let degrees = -MAX_TILT_DEGREES; degrees <= MAX_TILT_DEGREES; degrees += 0.25)
    for (const members of groupByLine(pieces, Math.tan((degrees * Math.PI) / 180))) {
      if (members.length < MIN_CHARACTERS) continue
      const support = filterByHeight(members)
      if (support.length >= MIN_CHARACTERS) candidates.push({ support, row: fitRow(support) })
    }
  candidates.sort((a, b) => b.support.length - a.support.length)
  const rows: Row[] = []
  const middle = (row: Row) => row.base + (row.slope * (row.left + row.right)) / 2
  for (const { row } of candidates) {
    if (rows.length === MAX_ROWS) break
    if (rows.every((other) => Math.abs(middle(other) - middle(row)) > other.height)) rows.push(row)
  }
  return rows
}

/**
 * Fits a baseline to the lower edges of a text line's pieces of ink by least squares, and returns the line's slope and
 * bounds.
 */
function fitRow(support: Piece[]): Row {
  const xs = support.map((piece) => (piece.left + piece.right) / 2)
  const ys = support.map((piece) => piece.bottom)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(xs)
  const y = mean(ys)
  let numerator = 0
  let denominator = 0
  for (const [index, pieceX] of xs.entries()) {
    numerator += (pieceX - x) * ((ys[index] ?? 0) - y)
    denominator += (pieceX - x) ** 2
  }
  const slope = denominator > 0 ? numerator / denominator : 0
  // The bounding box of a tilted piece extends above and below the piece, in proportion to the piece's width.
  const excessHeight = Math.abs(slope) * median(support.map((piece) => piece.right - piece.left))
  return {
    base: y - slope * x - excessHeight / 2,
    slope,
    height: median(support.map((piece) => piece.bottom - piece.top)) - excessHeight,
    left: Math.min(...support.map((piece) => piece.left)),
    right: Math.max(...support.map((piece) => piece.right)),
  }
}

/** Number of pixels per cell of the leveled MICR line. */
const SCALE = 4
/** Number of pixels between two samples that are compared with a character's template. */
const STEP = 2
/** Number of white cells around a character that are compared together with it. */
const MARGIN = 1
/** Cells above and below the glyphs in the straightened line. */
const ROOM = 2
const WINDOW_WIDTH = ((GLYPH_WIDTH + 2 * MARGIN) * SCALE) / STEP
const WINDOW_HEIGHT = ((GLYPH_HEIGHT + 2 * MARGIN) * SCALE) / STEP

interface Template {
  name: string
  samples: Float32Array
}

function templateOf(name: string): Template {
  const bars = glyphs[name] ?? []
  const samples = new Float32Array(WINDOW_WIDTH * WINDOW_HEIGHT)
  const size = STEP / SCALE
  // Camera pictures have soft edges, so a sample covers a quarter of a cell more on each side.
  const blur = size / 2
  for (let j = 0; j < WINDOW_HEIGHT; j += 1)
    for (let i = 0; i < WINDOW_WIDTH; i += 1)
      // Negative, because ink is darker than paper.
      samples[j * WINDOW_WIDTH + i] = -coverage(
        bars,
        i * size - MARGIN - blur,
        j * size - MARGIN - blur,
        size + 2 * blur,
      )
  return { name, samples: normalize(samples) ?? samples }
}

/**
 * Normalizes samples in place to mean 0 and length 1; null if their length is at most `minLength`, as of a blank area.
 */
function normalize(samples: Float32Array, minLength = 0): Float32Array | null {
  let sum = 0
  for (const sample of samples) sum += sample
  const mean = sum / samples.length
  let squares = 0
  for (let index = 0; index < samples.length; index += 1) {
    const deviation = (samples[index] ?? 0) - mean
    samples[index] = deviation
    squares += deviation * deviation
  }
  const length = Math.sqrt(squares)
  if (length <= minLength) return null
  for (let index = 0; index < samples.length; index += 1) samples[index] = (samples[index] ?? 0) / length
  return samples
}

let templates: Template[] | undefined

/** Standard deviation of brightness, in gray levels, up to which a position of a MICR line counts as empty. */
const MIN_DEVIATION = 18
/** Similarity to a template, 0 to 1, above which a position may hold a MICR character. */
const MIN_SIMILARITY = 0.66
/**
 * Factors applied to the measured size of a check's characters, one after another, until the characters are similar
 * enough to the templates. Blur or bad light distorts the measurement.
 */
const SIZE_FACTORS = [1, 0.96, 1.04]
/** Mean similarity of a line's characters to their templates above which no other size factor is tried. */
const GOOD_SIMILARITY = 0.85

/** Position of a recognized character in the leveled line. */
interface Place {
  name: string
  similarity: number
  /** Similarity of the second-best character. */
  runnerUp: number
  /** First column of the character's window. */
  x: number
}

function readRow(sheet: GrayImage, row: Row): CheckLine | null {
  let best: { picture: GrayImage; places: Place[]; sum: number } | null = null
  for (const size of SIZE_FACTORS) {
    const picture = straighten(sheet, row, (row.height / GLYPH_HEIGHT) * size)
    const places = findPlaces(picture)
    const sum = places.reduce((total, { similarity }) => total + similarity, 0)
    if (!best || sum > best.sum) best = { picture, places, sum }
    if (best.places.length >= MIN_CHARACTERS && best.sum > best.places.length * GOOD_SIMILARITY) break
  }
  if (!best || best.places.length < MIN_CHARACTERS) return null
  const { picture, places } = best
  const confidence = Math.min(
    ...places.map(({ similarity, runnerUp }) => (100 * (similarity - runnerUp)) / Math.max(1 - runnerUp, 0.01)),
  )
  return { text: textOf(picture, places), confidence: Math.max(0, Math.round(confidence)), picture }
}

/**
 * Returns the row of characters cut out of the picture of a check, rotated to be level, with `SCALE` pixels per cell.
 * @param cell size of a cell in the sheet, in pixels
 */
function straighten(sheet: GrayImage, row: Row, cell: number): GrayImage {
  const length = Math.hypot(1, row.slope)
  const along = 1 / length
  const down = row.slope / length
  const leadIn = 2 * PITCH * cell
  const start = { x: row.left - leadIn * along, y: row.base + row.slope * row.left - leadIn * down }
  const cells = (row.right - row.left) / along / cell + 4 * PITCH
  const width = Math.ceil(cells * SCALE)
  const height = (GLYPH_HEIGHT + 2 * ROOM) * SCALE
  const pixels = new Uint8ClampedArray(width * height)
  for (let j = 0; j < height; j += 1)
    for (let i = 0; i < width; i += 1) {
      const u = ((i + 0.5) / SCALE) * cell
      const v = ((j + 0.5) / SCALE - ROOM - GLYPH_HEIGHT) * cell
      pixels[j * width + i] = brightness(sheet, start.x + u * along - v * down, start.y + u * down + v * along)
    }
  return { width, height, pixels }
}

/** Returns the brightness between pixels by interpolation; white outside the picture. */
function brightness({ width, height, pixels }: GrayImage, x: number, y: number): number {
  const left = Math.floor(x - 0.5)
  const top = Math.floor(y - 0.5)
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255
  const right = x - 0.5 - left
  const low = y - 0.5 - top
  const index = top * width + left
  const upper = (pixels[index] ?? 0) * (1 - right) + (pixels[index + 1] ?? 0) * right
  const lower = (pixels[index + width] ?? 0) * (1 - right) + (pixels[index + width + 1] ?? 0) * right
  return upper * (1 - low) + lower * low
}

/** Returns the brightness samples of the window at x and `top`, normalized; null when the window is blank. */
function windowAt({ width, pixels }: GrayImage, x: number, top: number): Float32Array | null {
  const samples = new Float32Array(WINDOW_WIDTH * WINDOW_HEIGHT)
  for (let j = 0; j < WINDOW_HEIGHT; j += 1)
    for (let i = 0; i < WINDOW_WIDTH; i += 1) {
      const index = (top + j * STEP) * width + x + i * STEP
      samples[j * WINDOW_WIDTH + i] =
        (pixels[index] ?? 0) +
        (pixels[index + 1] ?? 0) +
        (pixels[index + width] ?? 0) +
        (pixels[index + width + 1] ?? 0)
    }
  // Each sample is the sum of four pixels.
  return normalize(samples, MIN_DEVIATION * 4 * Math.sqrt(samples.length))
}

/** Returns how much the picture resembles each character template at column x: the best of three vertical positions. */
function similaritiesAt(picture: GrayImage, x: number, shapes: readonly Template[]): Float32Array {
  const similarities = new Float32Array(shapes.length)
  for (const shift of [-2, 0, 2]) {
    const place = windowAt(picture, x, (ROOM - MARGIN) * SCALE + shift)
    if (!place) continue
    for (const [shapeIndex, { samples }] of shapes.entries()) {
      let product = 0
      for (let index = 0; index < samples.length; index += 1) product += (samples[index] ?? 0) * (place[index] ?? 0)
      if (product > (similarities[shapeIndex] ?? 0)) similarities[shapeIndex] = product
    }
  }
  return similarities
}

function findPlaces(picture: GrayImage): Place[] {
  templates ??= Object.keys(glyphs).map(templateOf)
  const shapes = templates
  const end = picture.width - WINDOW_WIDTH * STEP
  const columns: Float32Array[] = []
  for (let x = 0; x < end; x += STEP) columns.push(similaritiesAt(picture, x, shapes))
  const candidates = columns
    .flatMap((similarities, index) =>
      shapes.map(({ name }, shapeIndex) => ({
        name,
        similarity: similarities[shapeIndex] ?? 0,
        runnerUp: 0,
        x: index * STEP,
      })),
    )
    .filter(({ similarity }) => similarity > MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
  const places: Place[] = []
  for (const candidate of candidates)
    if (places.every(({ x }) => Math.abs(x - candidate.x) > PITCH * SCALE * 0.6)) places.push(candidate)
  for (const place of places) {
    // The second-best character may score higher slightly to either side.
    const column = place.x / STEP
    const others = columns
      .slice(Math.max(0, column - 2), column + 3)
      .flatMap((similarities) =>
        shapes.map(({ name }, shapeIndex) => (name === place.name ? 0 : (similarities[shapeIndex] ?? 0))),
      )
    place.runnerUp = Math.max(...others)
  }
  return places.sort((a, b) => a.x - b.x)
}

/**
 * Builds the text of a MICR line from its recognized characters, with a space for a gap wider than one character and
 * `?` for unrecognized ink between two characters.
 */
function textOf(picture: GrayImage, places: Place[]): string {
  let text = ''
  let end = 0
  for (const [index, place] of places.entries()) {
    const start = place.x + MARGIN * SCALE
    if (index > 0) {
      if (hasInk(picture, end + SCALE, start - SCALE)) text += '?'
      else if (start - end > PITCH * SCALE) text += ' '
    }
    text += place.name
    end = start + GLYPH_WIDTH * SCALE
  }
  return text
}

/**
 * Returns whether the leveled line has ink between two columns: more than half a cell's width of columns, each dark
 * over more than a cell's height.
 */
function hasInk({ width, height, pixels }: GrayImage, fromColumn: number, toColumn: number): boolean {
  let columns = 0
  for (let x = Math.floor(fromColumn); x < toColumn; x += 1) {
    let dark = 0
    for (let y = ROOM * SCALE; y < height - ROOM * SCALE; y += 1) if ((pixels[y * width + x] ?? 255) < 130) dark += 1
    if (dark > SCALE) columns += 1
  }
  return columns > SCALE / 2
}

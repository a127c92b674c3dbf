import { WHITE_THRESHOLD } from './parse-check-numbers.ts'

export interface GrayImage {
  width: number
  height: number
  pixels: Uint8ClampedArray
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A US check is 6 by 2.75 inches. */
const CHECK_ASPECT = 6 / 2.75
/** Share of the guide frame's height for the strip with the numbers, which a check has in its lowest 5/8 inch. */
const STRIP_SHARE = 0.28
/** Maximum share of the camera picture's width and height that the guide frame takes. */
const FRAME_SHARE = 0.92

export function guideFrame(width: number, height: number): Box {
  const frameWidth = Math.min(width * FRAME_SHARE, height * FRAME_SHARE * CHECK_ASPECT)
  const frameHeight = frameWidth / CHECK_ASPECT
  return { x: (width - frameWidth) / 2, y: (height - frameHeight) / 2, width: frameWidth, height: frameHeight }
}

export function numberStrip(frame: Box): Box {
  const height = frame.height * STRIP_SHARE
  return { x: frame.x, y: frame.y + frame.height - height, width: frame.width, height }
}

export function grayOf(rgba: Uint8ClampedArray, width: number, height: number): GrayImage {
  const pixels = new Uint8ClampedArray(width * height)
  for (let index = 0; index < pixels.length; index += 1) {
    const offset = index * 4
    pixels[index] = 0.299 * (rgba[offset] ?? 0) + 0.587 * (rgba[offset + 1] ?? 0) + 0.114 * (rgba[offset + 2] ?? 0)
  }
  return { width, height, pixels }
}

function percentile({ pixels }: GrayImage, share: number): number {
  const counts = new Uint32Array(256)
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1
  let counted = 0
  for (let level = 0; level < 256; level += 1) {
    counted += counts[level] ?? 0
    if (counted >= pixels.length * share) return level
  }
  return 255
}

/**
 * Turns a picture black and white in any light: a pixel is white if it is brighter than `WHITE_THRESHOLD` of the way
 * from the darkest ink to the paper.
 */
export function blackAndWhite(gray: GrayImage): GrayImage {
  const paper = percentile(gray, 0.9)
  const ink = Math.min(percentile(gray, 0.005), paper - 1)
  const limit = ink + (paper - ink) * WHITE_THRESHOLD
  return { ...gray, pixels: gray.pixels.map((pixel) => (pixel > limit ? 255 : 0)) }
}

/** Maximum number of tiles across a picture of a check, for each of which the paper's brightness is measured. */
const TILES = 24
/** Brightness that the paper gets when the light is evened out. */
const PAPER_BRIGHTNESS = 230

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** Returns the brightness of the paper in an area: the 80th percentile of its pixels, sampled every `step` pixels. */
function paperBrightnessIn({ width, pixels }: GrayImage, { left, top, right, bottom }: Area, step: number): number {
  const levels: number[] = []
  for (let y = top; y < bottom; y += step)
    for (let x = left; x < right; x += step) levels.push(pixels[y * width + x] ?? 0)
  levels.sort((a, b) => a - b)
  return Math.max(1, levels[Math.floor(levels.length * 0.8)] ?? 1)
}

/**
 * Evens out the light in a picture of a check: scales each pixel so that the paper around it gets `PAPER_BRIGHTNESS`.
 */
export function evenOutLight(gray: GrayImage): GrayImage {
  const { width, height, pixels } = gray
  const size = Math.max(8, Math.ceil(width / TILES))
  const columns = Math.ceil(width / size)
  const rows = Math.ceil(height / size)
  const tileBrightness = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      // Includes the neighboring tiles, so that no area is all print.
      const left = Math.max(0, (column - 1) * size)
      const top = Math.max(0, (row - 1) * size)
      const right = Math.min(width, (column + 2) * size)
      const bottom = Math.min(height, (row + 2) * size)
      tileBrightness[row * columns + column] = paperBrightnessIn(
        gray,
        { left, top, right, bottom },
        Math.max(2, Math.floor(size / 10)),
      )
    }
  const level = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const u = Math.min(Math.max(x / size - 0.5, 0), columns - 1)
      const v = Math.min(Math.max(y / size - 0.5, 0), rows - 1)
      const i = Math.floor(u)
      const j = Math.floor(v)
      const nextColumn = Math.min(i + 1, columns - 1)
      const nextRow = Math.min(j + 1, rows - 1)
      const upper =
        (tileBrightness[j * columns + i] ?? 1) * (1 - u + i) + (tileBrightness[j * columns + nextColumn] ?? 1) * (u - i)
      const lower =
        (tileBrightness[nextRow * columns + i] ?? 1) * (1 - u + i) +
        (tileBrightness[nextRow * columns + nextColumn] ?? 1) * (u - i)
      level[y * width + x] = (PAPER_BRIGHTNESS * (pixels[y * width + x] ?? 0)) / (upper * (1 - v + j) + lower * (v - j))
    }
  return { width, height, pixels: level }
}

export type PictureProblem = 'dark' | 'empty' | 'small' | 'moving' | 'blurred'

/** Minimum brightness of the brightest part of the frame, 0 to 255. Below it, the picture counts as too dark. */
const MIN_PAPER_BRIGHTNESS = 70
/** Minimum difference in brightness between ink and paper. Below it, the strip of the check counts as empty. */
const MIN_CONTRAST = 45
/**
 * Minimum width of the print in the strip, as a share of the strip's width. Below it, the check counts as too small.
 */
const MIN_INK_SPAN = 0.45
/**
 * Minimum share of the frame's pixels that are brighter than `WHITE_THRESHOLD` times the brightness of the frame's
 * brightest part. Below it, the check counts as too small.
 */
const MIN_PAPER_SHARE = 0.5
/** Mean difference in brightness between the strips of two frames above which the picture counts as moving. */
const MAX_MOVEMENT = 9
/**
 * Minimum brightness change over two pixels at the sharpest edge, as a share of the contrast between ink and paper;
 * below it the picture counts as blurred.
 */
const MIN_EDGE = 0.45

/**
 * Returns why a camera picture of a check cannot be read yet; null when reading it can be tried.
 * @param frame part of the picture within the guide frame
 * @param strip part of the picture with the MICR line, about 600 pixels wide
 * @param previousStrip strip of the previous frame
 */
export function findPictureProblem(
  frame: GrayImage,
  strip: GrayImage,
  previousStrip: GrayImage | null,
): PictureProblem | null {
  const white = percentile(frame, 0.98)
  if (white < MIN_PAPER_BRIGHTNESS) return 'dark'
  if (frame.pixels.filter((pixel) => pixel > white * WHITE_THRESHOLD).length < frame.pixels.length * MIN_PAPER_SHARE)
    return 'small'
  const paper = percentile(strip, 0.9)
  if (
    previousStrip &&
    previousStrip.pixels.length === strip.pixels.length &&
    differenceOf(strip, previousStrip) > MAX_MOVEMENT
  )
    return 'moving'
  const ink = percentile(strip, 0.005)
  if (paper - ink < MIN_CONTRAST) return 'empty'
  const { left, right } = inkSpan(blackAndWhite(evenOutLight(strip)))
  if (right - left < strip.width * MIN_INK_SPAN) return 'small'
  if (steepestEdge(strip) < (paper - ink) * MIN_EDGE) return 'blurred'
  return null
}

function differenceOf(image: GrayImage, other: GrayImage): number {
  let sum = 0
  for (let index = 0; index < image.pixels.length; index += 1) {
    sum += Math.abs((image.pixels[index] ?? 0) - (other.pixels[index] ?? 0))
  }
  return sum / image.pixels.length
}

/**
 * Finds the first and last column of a picture that contain print; both are 0 if there are not two such columns. Print
 * is thin; a column dark over most of its height shows what is beside the check.
 */
function inkSpan({ width, height, pixels }: GrayImage): { left: number; right: number } {
  let left = width
  let right = 0
  for (let x = 0; x < width; x += 1) {
    let dark = 0
    for (let y = 0; y < height; y += 1) if (pixels[y * width + x] === 0) dark += 1
    if (dark >= 2 && dark < height * 0.7) {
      left = Math.min(left, x)
      right = x
    }
  }
  return right > left ? { left, right } : { left: 0, right: 0 }
}

/**
 * Returns the steepest change of brightness over two pixels of a row, leaving out the highest 0.5 %, which may be
 * single specks.
 */
function steepestEdge({ width, height, pixels }: GrayImage): number {
  const steps: GrayImage = { width, height, pixels: new Uint8ClampedArray(width * height) }
  for (let y = 0; y < height; y += 1) {
    for (let x = 2; x < width; x += 1) {
      const index = y * width + x
      steps.pixels[index] = Math.abs((pixels[index] ?? 0) - (pixels[index - 2] ?? 0))
    }
  }
  return percentile(steps, 0.995)
}

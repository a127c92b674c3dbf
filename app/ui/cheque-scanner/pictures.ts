/** From a camera's or a file's picture to the line of numbers in it, by way of a canvas. */
import { type Box, blackAndWhite, frameIn, type Gray, grayOf, lineIn, stripIn } from './picture.ts'

export type Source = HTMLVideoElement | ImageBitmap

const sizeOf = (source: Source): { width: number; height: number } =>
  source instanceof HTMLVideoElement ? { width: source.videoWidth, height: source.videoHeight } : source

/** Where the cheque and its numbers are to lie in a camera's picture. */
export function placesIn(source: Source): { frame: Box; strip: Box } {
  const { width, height } = sizeOf(source)
  const frame = frameIn(width, height)
  return { frame, strip: stripIn(frame) }
}

/** The lowest part of a photograph of a cheque, which fills it; and all of it, for one that does not. */
export function partsOf(picture: ImageBitmap): Box[] {
  const { width, height } = picture
  return [stripIn({ x: 0, y: 0, width, height }), stripIn(frameIn(width, height)), { x: 0, y: 0, width, height }]
}

function drawn(source: Source, part: Box, width: number): { canvas: HTMLCanvasElement; gray: Gray } {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width)
  canvas.height = Math.max(1, Math.round((width * part.height) / part.width))
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('There is no canvas')
  pen.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height)
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
  return { canvas, gray: grayOf(data, canvas.width, canvas.height) }
}

/** Small enough to be looked at several times a second. */
export const lookAt = (source: Source, part: Box, width = 600): Gray => drawn(source, part, width).gray

/** White around the line, as the recogniser likes it. */
const MARGIN = 24
const READ_WIDTH = 1800
/** How high the line is drawn, in pixels: what the recogniser stumbles over at one size, it reads at another. */
export const LINE_HEIGHTS = [72, 110] as const

/** The line of numbers in a part of a picture, black and white, as the recogniser reads it and as it is shown to be confirmed. */
export function readable(source: Source, part: Box): HTMLCanvasElement {
  const { gray } = drawn(source, part, READ_WIDTH)
  const { width, pixels, ...sheet } = blackAndWhite(gray)
  const line = lineIn({ width, pixels, ...sheet }) ?? { x: 0, y: 0, width, height: sheet.height }
  const canvas = document.createElement('canvas')
  canvas.width = line.width + 2 * MARGIN
  canvas.height = line.height + 2 * MARGIN
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('There is no canvas')
  const image = pen.createImageData(line.width, line.height)
  for (let y = 0; y < line.height; y += 1) {
    for (let x = 0; x < line.width; x += 1) {
      const at = (y * line.width + x) * 4
      image.data.fill(pixels[(line.y + y) * width + line.x + x] ?? 255, at, at + 3)
      image.data[at + 3] = 255
    }
  }
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.putImageData(image, MARGIN, MARGIN)
  return canvas
}

/** The line at another height. */
export function atHeight(picture: HTMLCanvasElement, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.height = height
  canvas.width = Math.round((picture.width * height) / picture.height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('There is no canvas')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Draws over the camera's picture where the cheque and its numbers belong. */
export function drawGuide(canvas: HTMLCanvasElement, width: number, height: number, ready: boolean): void {
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) return
  const frame = frameIn(width, height)
  const strip = stripIn(frame)
  pen.fillStyle = 'rgb(0 0 0 / 0.5)'
  pen.fillRect(0, 0, width, height)
  pen.clearRect(frame.x, frame.y, frame.width, frame.height)
  const line = Math.max(3, width / 300)
  pen.lineWidth = line
  pen.strokeStyle = '#fff'
  pen.strokeRect(frame.x, frame.y, frame.width, frame.height)
  pen.lineWidth = line * 2
  pen.strokeStyle = ready ? '#5fd08a' : '#ffb84d'
  pen.strokeRect(strip.x, strip.y, strip.width, strip.height)
}

/** From a camera's or a file's picture to the line of numbers in it, by way of a canvas. */
import { type Box, blackAndWhite, frameIn, type Gray, grayOf, stripIn } from './picture.ts'

export type Source = HTMLVideoElement | ImageBitmap

const sizeOf = (source: Source): { width: number; height: number } =>
  source instanceof HTMLVideoElement ? { width: source.videoWidth, height: source.videoHeight } : source

/** Where the numbers are to lie in a camera's picture. */
export function stripOf(source: Source): Box {
  const { width, height } = sizeOf(source)
  return stripIn(frameIn(width, height))
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
export const lookAt = (source: Source, part: Box): Gray => drawn(source, part, 600).gray

/** White around the line, as the recogniser likes it. */
const MARGIN = 24
/** Digits come out some 40 pixels high. */
const READ_WIDTH = 1800

/** The part in black and white, as the recogniser reads it and as it is shown for confirmation. */
export function readable(source: Source, part: Box): HTMLCanvasElement {
  const { gray } = drawn(source, part, READ_WIDTH)
  const { width, height, pixels } = blackAndWhite(gray)
  const canvas = document.createElement('canvas')
  canvas.width = width + 2 * MARGIN
  canvas.height = height + 2 * MARGIN
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('There is no canvas')
  const image = pen.createImageData(width, height)
  for (let at = 0; at < pixels.length; at += 1) image.data.fill(pixels[at] ?? 0, at * 4, at * 4 + 3)
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.putImageData(image, MARGIN, MARGIN)
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

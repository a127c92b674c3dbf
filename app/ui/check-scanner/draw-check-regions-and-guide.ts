import { type Box, type GrayImage, grayOf, guideFrame, numberStrip } from './filter-and-judge-check-picture.ts'

export type Source = HTMLVideoElement | ImageBitmap

const sizeOf = (source: Source): { width: number; height: number } =>
  source instanceof HTMLVideoElement ? { width: source.videoWidth, height: source.videoHeight } : source

export function guideRegions(source: Source): { frame: Box; strip: Box } {
  const { width, height } = sizeOf(source)
  const frame = guideFrame(width, height)
  return { frame, strip: numberStrip(frame) }
}

/**
 * Returns the part of the camera picture below the middle of the guide frame, over the picture's full width, since a
 * tilted check's MICR line may lie outside of the frame.
 */
export function lowerHalf(source: Source): Box {
  const { width, height } = sizeOf(source)
  const { y, height: high } = guideFrame(width, height)
  const top = Math.floor(y + high / 2)
  return { x: 0, y: top, width, height: height - top }
}

/**
 * Returns the parts of a photograph to read, in order: the lower half, where a check has its numbers, then the whole.
 */
export function photographRegions({ width, height }: ImageBitmap): Box[] {
  return [
    { x: 0, y: Math.floor(height / 2), width, height: Math.ceil(height / 2) },
    { x: 0, y: 0, width, height },
  ]
}

function createCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('There is no canvas')
  return { canvas, pen }
}

/**
 * Draws part of a camera picture or photograph as a gray image.
 * @param width width of the result in pixels; the default is small enough to judge several pictures a second
 */
export function drawPreview(source: Source, part: Box, width = 600): GrayImage {
  const height = Math.max(1, Math.round((width * part.height) / part.width))
  const { pen } = createCanvas(width, height)
  pen.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height)
  return grayOf(pen.getImageData(0, 0, width, height).data, width, height)
}

/** Width of a picture to read, in pixels: about 300 dots per inch when a check fills it. */
const READ_WIDTH = 1800

export const drawForReading = (source: Source, part: Box): GrayImage => drawPreview(source, part, READ_WIDTH)

export function toDataUrl({ width, height, pixels }: GrayImage): string {
  const { canvas, pen } = createCanvas(width, height)
  const image = pen.createImageData(width, height)
  for (const [index, level] of pixels.entries()) image.data.set([level, level, level, 255], index * 4)
  pen.putImageData(image, 0, 0)
  return canvas.toDataURL()
}

export function drawGuide(canvas: HTMLCanvasElement, width: number, height: number, ready: boolean): void {
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) return
  const frame = guideFrame(width, height)
  const strip = numberStrip(frame)
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

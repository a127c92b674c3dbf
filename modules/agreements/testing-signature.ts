/** Draws signatures for tests, as PNG files like a canvas writes them. */
import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, body: Uint8Array): Buffer {
  const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const out = Buffer.alloc(typeAndBody.length + 8)
  out.writeUInt32BE(body.length, 0)
  typeAndBody.copy(out, 4)
  out.writeUInt32BE(crc32(typeAndBody), typeAndBody.length + 4)
  return out
}

/**
 * Returns a PNG in which `paint` decides for each pixel whether it has ink.
 * @param options `ink`: red, green, blue and alpha; `filter`: row filter, 0 for none or 2 for the difference from the
 *   row above; `extra`: a chunk before the picture's data
 */
export function inkPng(
  width: number,
  height: number,
  paint: (x: number, y: number) => boolean,
  options: { ink?: [number, number, number, number]; filter?: 0 | 2; extra?: [type: string, body: string] } = {},
): Buffer {
  const { ink = [20, 25, 28, 255], filter = 0, extra } = options
  const pixels = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (paint(x, y)) pixels.set(ink, (y * width + x) * 4)
  }
  const row = width * 4
  const raw = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) {
    raw[y * (row + 1)] = filter
    for (let x = 0; x < row; x++) {
      const up = filter === 2 && y > 0 ? pixels[(y - 1) * row + x]! : 0
      raw[y * (row + 1) + 1 + x] = pixels[y * row + x]! - up
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel, red, green, blue and alpha, not interlaced.
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(extra ? [chunk(extra[0], Buffer.from(extra[1]))] : []),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns whether a pixel is on the stroke of the sample signature. */
export function isOnStroke(x: number, y: number): boolean {
  return x > 60 && x < 540 && Math.abs(y - (100 + (62 - x / 14) * Math.sin(x / 21))) < 3.5
}

export function dataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

export function sampleSignatureDataUrl(): string {
  return dataUrl(inkPng(600, 200, isOnStroke))
}

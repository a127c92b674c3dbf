import { crc32, inflateSync } from 'node:zlib'

/** Size of the signature canvas in pixels, on desktop (spec 1 §9). */
const SIGNATURE_CANVAS = { width: 600, height: 200 } as const

export type SignatureSubmission =
  /** Canvas content as `data:image/png;base64,…`: dark ink on white or transparent. */
  { method: 'drawn'; image: string } | { method: 'typed'; name: string }

export type Signature =
  | { method: 'drawn'; image: Uint8Array; width: number; height: number }
  | { method: 'typed'; name: string }

export type SignatureFault = 'missing' | 'too_large' | 'not_an_image' | 'wrong_size' | 'blank' | 'bad_name'

/** Error messages for invalid signatures, which the specifications do not word. */
export const signatureFaultMessages: Record<SignatureFault, string> = {
  missing: 'Please sign before you accept: draw or type your name.',
  too_large: 'The drawn signature is too large. Clear it and sign again, or type your name.',
  not_an_image: 'The drawn signature could not be read. Clear it and sign again, or type your name.',
  wrong_size: 'The drawn signature has the wrong size. Clear it and sign again, or type your name.',
  blank: 'The signature is empty or too small. Draw your name, or type it.',
  bad_name: 'Type your full name, up to 100 characters.',
}

/**
 * Maximum size of a drawn signature: bytes of the file, and width and height of the picture in pixels, each twice the
 * canvas's.
 */
export const signatureLimits = {
  bytes: 200_000,
  width: SIGNATURE_CANVAS.width * 2,
  height: SIGNATURE_CANVAS.height * 2,
} as const

const prefix = 'data:image/png;base64,'

/** Validates a submitted signature (spec 1 §9). Of a drawn signature, only the PNG's critical chunks are kept. */
export function readSignature(
  submission: SignatureSubmission,
): { ok: true; signature: Signature } | { ok: false; fault: SignatureFault } {
  if (submission.method === 'typed') {
    const name = submission.name
      .normalize('NFC')
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
    if (name === '') return { ok: false, fault: 'missing' }
    const letters = name.match(/\p{L}/gu)?.length ?? 0
    return letters < 2 || name.length > 100
      ? { ok: false, fault: 'bad_name' }
      : { ok: true, signature: { method: 'typed', name } }
  }
  const { image } = submission
  if (image === '') return { ok: false, fault: 'missing' }
  // Base64 encodes 3 bytes in 4 characters. Checked before decoding, so that a huge body costs little.
  if (image.length > prefix.length + (signatureLimits.bytes * 4) / 3 + 4) return { ok: false, fault: 'too_large' }
  const encoded = image.slice(prefix.length)
  if (!image.startsWith(prefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return { ok: false, fault: 'not_an_image' }
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > signatureLimits.bytes) return { ok: false, fault: 'too_large' }
  const png = readPng(bytes)
  if (typeof png === 'string') return { ok: false, fault: png }
  if (!isSigned(png)) return { ok: false, fault: 'blank' }
  return { ok: true, signature: { method: 'drawn', image: png.clean, width: png.width, height: png.height } }
}

interface Png {
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
  pixels: Uint8Array
  clean: Uint8Array
}

const pngFileSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const channelsByColorType: Record<number, Png['channels']> = { 0: 1, 4: 2, 2: 3, 6: 4 }

interface Chunk {
  type: string
  body: Buffer
  /** The chunk including its length, type and checksum. */
  whole: Buffer
}

/** Returns the chunks of a PNG file; null where it is no PNG, a chunk is damaged, or the end is missing. */
function chunksOf(file: Buffer): Chunk[] | null {
  if (!file.subarray(0, 8).equals(pngFileSignature)) return null
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return null
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, body: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return null
}

/** Returns whether a PNG chunk is critical, which the capital first letter of its type marks. */
const isCritical = ({ type }: Chunk): boolean => /^[A-Z]/.test(type)

/**
 * Returns the header and the picture data of a PNG, and the file with its critical chunks only (`clean`); null where
 * the file is no undamaged PNG with one header, followed by no critical chunks but data and end.
 */
function readChunks(file: Buffer): { header: Buffer; data: Buffer; clean: Buffer } | null {
  const chunks = chunksOf(file)
  if (!chunks) return null
  const data: Buffer[] = []
  let header: Buffer | null = null
  for (const chunk of chunks) {
    const { type, body } = chunk
    if (type === 'IHDR' && !header && body.length === 13) header = body
    else if (type === 'IDAT' && header) data.push(body)
    else if (type !== 'IEND' && isCritical(chunk)) return null
  }
  const clean = Buffer.concat([pngFileSignature, ...chunks.filter(isCritical).map(({ whole }) => whole)])
  return header && { header, data: Buffer.concat(data), clean }
}

function readPng(file: Buffer): Png | 'not_an_image' | 'wrong_size' {
  const chunks = readChunks(file)
  if (!chunks) return 'not_an_image'
  const { header, data, clean } = chunks
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  if (width === 0 || height === 0 || width > signatureLimits.width || height > signatureLimits.height)
    return 'wrong_size'
  const channels = channelsByColorType[header[9]!]
  // Only 8 bits per channel, the standard compression and filter methods, and no interlacing.
  if (header[8] !== 8 || !channels || header[10] !== 0 || header[11] !== 0 || header[12] !== 0) return 'not_an_image'
  const rowBytes = width * channels
  const expected = height * (rowBytes + 1)
  let raw: Buffer
  try {
    raw = inflateSync(data, { maxOutputLength: expected })
  } catch {
    return 'not_an_image'
  }
  if (raw.length !== expected) return 'not_an_image'
  const pixels = unfilter(raw, rowBytes, height, channels)
  return pixels ? { width, height, channels, pixels, clean: new Uint8Array(clean) } : 'not_an_image'
}

/** Returns whichever neighbor is closest to left + up − upLeft (PNG's Paeth predictor). */
function paeth(left: number, up: number, upLeft: number): number {
  const byLeft = Math.abs(up - upLeft)
  const byUp = Math.abs(left - upLeft)
  const byUpLeft = Math.abs(left + up - 2 * upLeft)
  if (byLeft <= byUp && byLeft <= byUpLeft) return left
  return byUp <= byUpLeft ? up : upLeft
}

/** Predictors of PNG's row filters 0 to 4 (W3C PNG §9). */
const predictors: ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

/**
 * Reverses PNG's row filters; null for an unknown filter.
 * @param step bytes per pixel
 */
function unfilter(raw: Uint8Array, rowBytes: number, height: number, step: number): Uint8Array | null {
  const out = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1) + 1
    const predict = predictors[raw[from - 1]!]
    if (!predict) return null
    const to = y * rowBytes
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= step ? out[to + x - step]! : 0
      const up = y > 0 ? out[to + x - rowBytes]! : 0
      const upLeft = x >= step && y > 0 ? out[to + x - rowBytes - step]! : 0
      out[to + x] = raw[from + x]! + predict(left, up, upLeft)
    }
  }
  return out
}

/** Returns whether the pixel at an index is dark and not transparent: other ink would not show on the white page. */
function isInk({ channels, pixels }: Png, index: number): boolean {
  const at = index * channels
  const colorChannels = channels <= 2 ? 1 : 3
  const hasAlpha = channels === 2 || channels === 4
  if (hasAlpha && pixels[at + colorChannels]! < 64) return false
  const light = colorChannels === 1 ? pixels[at]! : (pixels[at]! * 2 + pixels[at + 1]! * 5 + pixels[at + 2]!) / 8
  return light <= 180
}

/** Returns whether a drawing has enough ink, spread wide enough, to be a signature and not a stray dot. */
function isSigned(png: Png): boolean {
  const { width, height } = png
  let ink = 0
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let i = 0; i < width * height; i++) {
    if (!isInk(png, i)) continue
    ink++
    const x = i % width
    const y = (i - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  // A canvas of which half or more is dark is no signature either.
  return ink >= 80 && ink < (width * height) / 2 && Math.max(right - left, bottom - top) >= 24
}

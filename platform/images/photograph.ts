/** Reads a photograph as it came from a camera and keeps it small, upright and without what the camera wrote into it. */
import { UPLOAD_MAX_BYTES } from '../../domain/upload.ts'

export interface Photograph {
  /** Of the largest. */
  width: number
  height: number
  sizes: { width: number; content: Uint8Array }[]
}

/** A camera has up to 50 megapixels; more would take the memory of the process. */
const MOST_PIXELS = 60_000_000

/**
 * A photograph in several widths as WebP, upright, without EXIF: no place, no device, no time of the camera.
 * @param widths pixels; a smaller picture is not enlarged. @returns null for what is none
 */
export async function readPhotograph(bytes: Uint8Array, widths: readonly number[]): Promise<Photograph | null> {
  if (bytes.byteLength === 0 || bytes.byteLength > UPLOAD_MAX_BYTES) return null
  // Loaded by the first photograph: few processes ever see one.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
    const { format } = await picture.metadata()
    if (!['jpeg', 'png', 'webp'].includes(format ?? '')) return null
    const upright = picture.autoOrient()
    const sizes: Photograph['sizes'] = []
    let largest = { width: 0, height: 0 }
    for (const width of widths) {
      const { data, info } = await upright
        .clone()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer({ resolveWithObject: true })
      sizes.push({ width, content: new Uint8Array(data) })
      largest = info
    }
    return { width: largest.width, height: largest.height, sizes }
  } catch {
    return null
  }
}

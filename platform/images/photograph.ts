/** Converts a camera's photograph to small, upright WebP pictures without the camera's metadata. */
import { UPLOAD_MAX_BYTES } from '../../domain/upload-size-and-file-types.ts'

/** A photograph converted to several widths, in pixels. */
export interface Photograph {
  /** Size of the largest picture. */
  width: number
  height: number
  /** `width` is the requested one; a smaller photograph is not enlarged to it. */
  sizes: { width: number; content: Uint8Array }[]
}

/** Maximum number of pixels of a picture, which limits the memory that converting it needs. */
export const MAX_PICTURE_PIXELS = 60_000_000

/**
 * Converts a photograph to WebP in several widths, upright and without EXIF (place, device, time).
 * @param widths pixels, ascending; a smaller picture is not enlarged
 * @returns null if the bytes are no readable JPEG, PNG or WebP picture, or the picture is too large
 */
export async function readPhotograph(bytes: Uint8Array, widths: readonly number[]): Promise<Photograph | null> {
  if (bytes.byteLength === 0 || bytes.byteLength > UPLOAD_MAX_BYTES) return null
  // The library is loaded with the first photograph, since few processes ever convert one.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1 })
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

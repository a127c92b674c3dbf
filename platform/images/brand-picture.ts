/** Shrinks an uploaded brand picture (logo, photograph) so that it fits into the settings record. */

import type { Sharp } from 'sharp'
import { UPLOAD_MAX_BYTES } from '../../domain/upload-size-and-file-types.ts'
import { MAX_PICTURE_PIXELS } from './photograph.ts'

/** The stored form of a brand picture; sides in pixels. */
export interface BrandPictureShape {
  /** Maximum size of the stored picture. `fill` crops to it; `within` scales the whole picture into it. */
  width: number
  height: number
  fit: 'fill' | 'within'
  /** Minimum size of the upload. */
  least: { width: number; height: number }
  /** The upload must be square, within 2 %. */
  square?: boolean
  /** Maximum bytes; size or quality is reduced until the picture fits. */
  maxBytes: number
}

/**
 * Converts an uploaded picture of the brand to `data:image/…;base64,…`.
 * @returns the data URL; 'unreadable' if it is no JPEG, PNG or WebP, is too large or cannot be reduced to `maxBytes`,
 *   'small' below the minimum size, 'square' if it must be square and is not
 */
export async function brandPictureFrom(
  bytes: Uint8Array,
  shape: BrandPictureShape,
): Promise<string | 'unreadable' | 'small' | 'square'> {
  const { fit, least, square = false, maxBytes } = shape
  if (bytes.byteLength === 0 || bytes.byteLength > UPLOAD_MAX_BYTES) return 'unreadable'
  const { default: sharp } = await import('sharp')
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1 }).autoOrient()
    const { format, autoOrient } = await picture.metadata()
    if (!['jpeg', 'png', 'webp'].includes(format ?? '')) return 'unreadable'
    if (autoOrient.width < least.width || autoOrient.height < least.height) return 'small'
    if (square && Math.abs(autoOrient.width / autoOrient.height - 1) > 0.02) return 'square'
    // Social networks read JPEG and PNG; only PNG is transparent.
    const [type, toShape, parts] =
      fit === 'fill' ? ['jpeg', fillShape, [1, 0.75, 0.5]] : ['png', fitWithinShape, [1, 0.75, 0.5, 0.375]]
    for (const part of parts) {
      const content = await toShape(picture.clone(), shape, part).toBuffer()
      if (content.byteLength <= maxBytes) return `data:image/${type};base64,${content.toString('base64')}`
    }
    return 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/**
 * Scales and crops a picture to fill the shape, as JPEG.
 * @param part fraction of the full JPEG quality, used to reduce the file size
 */
const fillShape = (picture: Sharp, { width, height }: BrandPictureShape, part: number): Sharp =>
  picture
    .resize({ width, height, fit: 'cover', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: Math.round(84 * part), mozjpeg: true })

/**
 * Scales a picture down to fit inside the shape as a whole, as PNG.
 * @param part fraction of the shape's width and height, used to reduce the file size
 */
const fitWithinShape = (picture: Sharp, { width, height }: BrandPictureShape, part: number): Sharp =>
  picture
    .resize({
      width: Math.round(width * part),
      height: Math.round(height * part),
      fit: 'inside',
      withoutEnlargement: true,
    })
    .png({ palette: true, compressionLevel: 9 })

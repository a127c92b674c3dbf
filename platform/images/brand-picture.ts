/** Makes the brand's pictures small enough for its settings record, whatever came from the operator's designer. */
import type { Sharp } from 'sharp'
import { UPLOAD_MAX_BYTES } from '../../domain/upload.ts'

/** How the site keeps a picture of its brand; sides in pixels. */
export interface BrandPictureShape {
  /** Those of the kept picture. `fill` cuts what stands over; `within` keeps the whole. */
  width: number
  height: number
  fit: 'fill' | 'within'
  /** What comes in has at least these. */
  least: { width: number; height: number }
  /** As wide as it is high, give or take a fiftieth. */
  square?: boolean
  /** A longer one is made smaller, or plainer. */
  mostBytes: number
}

/** As `data:image/…;base64,…`; 'unreadable' for what is no JPEG, PNG or WebP, 'small' for less than the least. */
export async function brandPictureFrom(
  bytes: Uint8Array,
  shape: BrandPictureShape,
): Promise<string | 'unreadable' | 'small' | 'square'> {
  const { fit, least, square = false, mostBytes } = shape
  if (bytes.byteLength === 0 || bytes.byteLength > UPLOAD_MAX_BYTES) return 'unreadable'
  const { default: sharp } = await import('sharp')
  try {
    const picture = sharp(bytes, { limitInputPixels: 60_000_000, failOn: 'error', pages: 1 }).autoOrient()
    const { format, autoOrient } = await picture.metadata()
    if (!['jpeg', 'png', 'webp'].includes(format ?? '')) return 'unreadable'
    if (autoOrient.width < least.width || autoOrient.height < least.height) return 'small'
    if (square && Math.abs(autoOrient.width / autoOrient.height - 1) > 0.02) return 'square'
    // Networks that show a shared page read JPEG and PNG; only PNG lets the page's own colour through.
    const type = fit === 'fill' ? 'jpeg' : 'png'
    for (const part of [1, 0.75, 0.5, 0.375]) {
      const content = await (fit === 'fill' ? filling : within)(picture.clone(), shape, part).toBuffer()
      if (content.byteLength <= mostBytes) return `data:image/${type};base64,${content.toString('base64')}`
    }
    return 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/** Cuts what stands over. @param part of the best quality */
const filling = (picture: Sharp, { width, height }: BrandPictureShape, part: number): Sharp =>
  picture
    .resize({ width, height, fit: 'cover', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: Math.round(84 * Math.max(part, 0.5)), mozjpeg: true })

/** Keeps the whole. @param part of the largest size */
const within = (picture: Sharp, { width, height }: BrandPictureShape, part: number): Sharp =>
  picture
    .resize({
      width: Math.round(width * part),
      height: Math.round(height * part),
      fit: 'inside',
      withoutEnlargement: true,
    })
    .png({ palette: true, compressionLevel: 9 })

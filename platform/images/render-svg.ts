/** Renders the site's SVG drawings as PNG or JPEG, for programs that cannot show SVG. */

import { dropOldestEntry } from '../drop-oldest-entry.ts'
import { MAX_PICTURE_PIXELS } from './photograph.ts'

/** The last rendering: pictures are rendered one after the other, to leave CPU time for requests. */
let last: Promise<unknown> = Promise.resolve()

function renderInTurn<Picture>(make: () => Promise<Picture>): Promise<Picture> {
  const picture = last.then(make, make)
  last = picture.catch(() => {})
  return picture
}

/** A picture that is placed on a drawing; position and size in the drawing's pixels. */
interface Layer {
  picture: Uint8Array
  left: number
  top: number
  width: number
  height: number
  /** `fill` crops the picture to the size; `within` scales the whole picture into it. */
  fit: 'fill' | 'within'
}

/** An SVG, its size in pixels, and the pictures that are placed on it, the first lowest. */
interface Drawing {
  svg: string
  width: number
  height: number
  layers?: Layer[]
}

/** Renders an SVG with its layers; use JPEG if it contains a photograph. @throws Error if a layer is no picture */
export const renderSvg = (
  { svg, width, height, layers = [] }: Drawing,
  type: 'png' | 'jpeg',
): Promise<Uint8Array<ArrayBuffer>> =>
  renderInTurn(async () => {
    // The library is loaded with the first picture, since few processes ever render one.
    const { default: sharp } = await import('sharp')
    sharp.cache(false)
    sharp.concurrency(1)
    const placed = layers.map(async ({ picture, left, top, fit, ...size }) => ({
      left,
      top,
      input: await sharp(picture, { limitInputPixels: MAX_PICTURE_PIXELS, pages: 1 })
        .resize({ ...size, fit: fit === 'fill' ? 'cover' : 'inside' })
        .png()
        .toBuffer(),
    }))
    const composed = sharp(Buffer.from(svg))
      .resize(width, height)
      .composite(await Promise.all(placed))
    const { buffer } = new Uint8Array(
      type === 'png'
        ? await composed.png({ palette: true, compressionLevel: 9 }).toBuffer()
        : await composed.jpeg({ quality: 82, mozjpeg: true }).toBuffer(),
    )
    return new Uint8Array(buffer)
  })

/** Returns a function that caches the most recently requested pictures by name. @param max number of pictures */
export function cacheLatest<Picture>(max: number): (name: string, make: () => Promise<Picture>) => Promise<Picture> {
  const cache = new Map<string, Promise<Picture>>()
  return (name, make) => {
    const picture = cache.get(name) ?? make()
    cache.delete(name)
    cache.set(name, picture)
    picture.catch(() => cache.delete(name))
    if (cache.size > max) dropOldestEntry(cache)
    return picture
  }
}

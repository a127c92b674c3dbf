/** Pictures that the site makes itself, as files for programs that read no SVG. */

/** Drawn one after the other: the process has other things to do. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
  const made = last.then(make, make)
  last = made.catch(() => {})
  return made
}

interface Layer {
  picture: Uint8Array
  left: number
  top: number
  /** Pixels; `fill` cuts what stands over, `within` keeps the whole and its side. */
  width: number
  height: number
  fit: 'fill' | 'within'
}

interface Drawing {
  svg: string
  width: number
  height: number
  layers?: Layer[]
}

/** JPEG where there is a photograph in it, else PNG. @throws Error where a layer is no picture */
export const rasterOf = ({ svg, width, height, layers = [] }: Drawing, type: 'png' | 'jpeg'): Promise<Uint8Array> =>
  inTurn(async () => {
    // Loaded by the first picture: few processes ever make one.
    const { default: sharp } = await import('sharp')
    sharp.cache(false)
    sharp.concurrency(1)
    const placed = layers.map(async ({ picture, left, top, fit, ...size }) => ({
      left,
      top,
      input: await sharp(picture, { limitInputPixels: 60_000_000, pages: 1 })
        .resize({ ...size, fit: fit === 'fill' ? 'cover' : 'inside' })
        .png()
        .toBuffer(),
    }))
    const made = sharp(Buffer.from(svg))
      .resize(width, height)
      .composite(await Promise.all(placed))
    const { buffer } = new Uint8Array(
      type === 'png'
        ? await made.png({ palette: true, compressionLevel: 9 }).toBuffer()
        : await made.jpeg({ quality: 82, mozjpeg: true }).toBuffer(),
    )
    return new Uint8Array(buffer)
  })

/** Keeps the pictures asked for last, up to this many. */
export function keepLatest<Made>(most: number): (name: string, make: () => Promise<Made>) => Promise<Made> {
  const kept = new Map<string, Promise<Made>>()
  return (name, make) => {
    const made = kept.get(name) ?? make()
    kept.delete(name)
    kept.set(name, made)
    made.catch(() => kept.delete(name))
    if (kept.size > most) kept.delete(kept.keys().next().value as string)
    return made
  }
}

/** Renders the image for shared links to a facility, and the site's icons, and returns the web app manifest. */

import { createHash } from 'node:crypto'
import { keysOf } from '../../domain/typed-keys.ts'
import { type BrandRecord, brandPicture, doorLineColor, palette } from '../../modules/facilities/rules/brand.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import type { PhotoWidth } from '../../modules/facilities/rules/photograph.ts'
import { loadPhotographFile } from '../../modules/facilities/views/photograph-file.ts'
import { cacheLatest, renderSvg } from '../../platform/images/render-svg.ts'
import type { Services } from '../../platform/operations/services.ts'
import { renderFacilityFront } from './facility-front-svg-files.tsx'

/** Version of the drawings, part of the hash in the names of images and icons; raised when a drawing changes. */
const DRAWING_VERSION = 1
const width = 1200
const height = 630
/**
 * Height in pixels of the text band above the photograph of a facility's share image. A drawn front has the same
 * background color as the band and begins within it.
 */
const BAND_HEIGHT = 222
const photoWidth: PhotoWidth = 1600

const digest = (...parts: unknown[]) =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, ...parts]))
    .digest('hex')
    .slice(0, 12)

type SharedFacility = Pick<Facility, 'locationCode' | 'name' | 'city' | 'state' | 'features' | 'front' | 'look'>

const textsOf = ({ name, city, state, features }: SharedFacility) => ({
  name,
  about: [`${city}, ${state}`, ...features.slice(0, 3)].join(' · '),
})

/**
 * Returns the path of the image: '/share/ATL01-3f5ac20b11d2.png'. The path changes with the image.
 * @param photo id of the first photograph
 */
export function sharePath(facility: SharedFacility, photo: string | undefined, brand: BrandRecord): string {
  const { name, logo, colors } = brand
  const { front, look } = facility
  const hash = digest(textsOf(facility), photo ?? [front, look], name, logo, colors.light)
  return `/share/${facility.locationCode}-${hash}.${photo ? 'jpg' : 'png'}`
}

export const shareImageNamePattern = /^([\w-]{1,40})-[0-9a-f]{12}\.(?:png|jpg)$/

const colorsOf = ({ colors }: BrandRecord) => ({ ...palette.light, ...colors.light })

/** Replaces color names by their values, since the image renderer knows no style sheets. */
function applyColors(svg: string, brand: BrandRecord): string {
  const colors: Record<string, string> = { ...colorsOf(brand), 'door-line': doorLineColor(colorsOf(brand)) }
  return svg.replace(/var\(--color-([a-z-]+)\)/g, (_, name: string) => colors[name] ?? palette.light.ink)
}

/** SVG of the logo mark, 34 × 34 units, for a brand without a picture of its own. */
const mark =
  '<rect x="1.5" y="1.5" width="31" height="31" rx="7" fill="#23292c" stroke="#14191c" stroke-width="3"/><path d="M3 8.5C3 5.5 5.5 3 8.5 3h17C28.5 3 31 5.5 31 8.5V26H3z" fill="var(--color-door)"/><path d="M8 9.5h18M8 15h18" stroke="#14191c" stroke-width="2.6"/><path d="M3 24.5h28" stroke="#14191c" stroke-width="3"/><circle cx="17" cy="20" r="2.2" fill="#14191c"/>'

const bytesOf = (picture: string): Uint8Array | null => {
  const decoded = brandPicture(picture)
  return decoded && new Uint8Array(Buffer.from(decoded.base64, 'base64'))
}

const cached = cacheLatest<Uint8Array<ArrayBuffer>>(40)

/**
 * Renders brand, facility name, town, features, and photograph or drawing in 1200 × 630. The image shows no price,
 * since the price would become outdated.
 */
export const shareImage = (
  services: Pick<Services, 'files'>,
  facility: SharedFacility,
  photo: string | undefined,
  brand: BrandRecord,
): Promise<Uint8Array<ArrayBuffer>> =>
  cached(sharePath(facility, photo, brand), async () => {
    // Imported here, because it loads the typefaces of the PDFs, which few processes need.
    const { loadTextOutliner } = await import('../../modules/agreements/views/share-image-text-to-svg-path.ts')
    const lettersOf = await loadTextOutliner()
    const { locationCode } = facility
    const photograph = photo
      ? await loadPhotographFile(services, { kind: 'facilities', locationCode, photoId: photo, width: photoWidth })
      : null
    const logo = bytesOf(brand.logo)
    const { name, about } = textsOf(facility)
    const line = (text: string, face: 'text' | 'bold', size: number, x: number, y: number, fill: string) =>
      `<path transform="translate(${x} ${y})" fill="${fill}" d="${lettersOf(text, face, size, width - 64 - x).d}"/>`
    const { ink, soft, wash } = colorsOf(brand)
    // The drawing is 640 × 236, so at the image's width it is 443 pixels high.
    const front = photograph
      ? ''
      : renderFacilityFront(facility).replace('<svg ', `<svg x="0" y="${height - 443}" width="${width}" height="443" `)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path d="M0 0h${width}v${height}H0z" fill="${wash}"/>${front}<path d="M0 0h${width}v14H0z" fill="var(--color-door)"/><path d="M0 14h${width}" stroke="#14191c" stroke-width="5"/>${
      logo ? '' : `<g transform="translate(64 44) scale(1.35)">${mark}</g>${line(brand.name, 'bold', 34, 124, 79, ink)}`
    }${line(name, 'bold', 62, 62, 156, ink)}${line(about, 'text', 30, 64, 202, soft)}</svg>`
    const layers = [
      ...(photograph
        ? [
            {
              picture: photograph,
              left: 0,
              top: BAND_HEIGHT,
              width,
              height: height - BAND_HEIGHT,
              fit: 'fill' as const,
            },
          ]
        : []),
      ...(logo ? [{ picture: logo, left: 64, top: 38, width: 420, height: 56, fit: 'within' as const }] : []),
    ]
    return renderSvg({ svg: applyColors(svg, brand), width, height, layers }, photograph ? 'jpeg' : 'png')
  })

export const iconKinds = { '192': 192, '512': 512, 'maskable-512': 512 } as const
export type IconKind = keyof typeof iconKinds

const iconHash = (brand: BrandRecord) => digest(brand.icon, colorsOf(brand).door, colorsOf(brand).paper)

export const iconPath = (brand: BrandRecord, kind: IconKind): string => `/icons/${iconHash(brand)}-${kind}.png`

/** Renders a site icon. A maskable icon may be cut to a circle, so its content is in the middle. */
export const iconImage = (brand: BrandRecord, kind: IconKind): Promise<Uint8Array<ArrayBuffer>> =>
  cached(iconPath(brand, kind), async () => {
    const side = iconKinds[kind]
    const ownIcon = bytesOf(brand.icon)
    // Phones may cut a maskable icon to a circle of 80 % of its width, which holds a rounded square of 62 %.
    const inner = kind === 'maskable-512' ? Math.round(side * 0.62) : side
    const edge = Math.round((side - inner) / 2)
    const ground = kind === 'maskable-512' ? `<path d="M0 0h${side}v${side}H0z" fill="${colorsOf(brand).paper}"/>` : ''
    const picture = ownIcon ? '' : `<g transform="translate(${edge} ${edge}) scale(${inner / 34})">${mark}</g>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${ground}${picture}</svg>`
    const layers = ownIcon
      ? [{ picture: ownIcon, left: edge, top: edge, width: inner, height: inner, fit: 'within' as const }]
      : []
    return renderSvg({ svg: applyColors(svg, brand), width: side, height: side, layers }, 'png')
  })

/** Returns the web app manifest, for phones that install the site. */
export function manifestOf(brand: BrandRecord): Record<string, unknown> {
  const { paper } = colorsOf(brand)
  const [first = brand.name] = brand.name.split(' ')
  return {
    id: '/',
    start_url: '/',
    scope: '/',
    lang: 'en-US',
    dir: 'ltr',
    display: 'minimal-ui',
    name: brand.name,
    short_name: brand.name.length <= 12 ? brand.name : first.slice(0, 12),
    ...(brand.tagline ? { description: brand.tagline } : {}),
    theme_color: paper,
    background_color: paper,
    icons: keysOf(iconKinds).map((kind) => ({
      src: iconPath(brand, kind),
      sizes: `${iconKinds[kind]}x${iconKinds[kind]}`,
      type: 'image/png',
      purpose: kind === 'maskable-512' ? 'maskable' : 'any',
    })),
  }
}

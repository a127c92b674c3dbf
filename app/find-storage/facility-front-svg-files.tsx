import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import { type BrandRecord, doorLineColor, palette } from '../../modules/facilities/rules/brand.ts'
import { decodeLook, encodeLook, type FacilityLook } from '../../modules/facilities/rules/facility-front-to-draw.ts'
import { DoorRow } from '../ui/door-row.tsx'
import { FacilityFront } from '../ui/facility-front-drawing.tsx'

type Brand = Pick<BrandRecord, 'colors'>

/** Returns the style sheet for a drawing's file, which inherits no colors from the page that shows it. */
function sheetOf({ colors: own }: Brand): string {
  const rules = (scheme: 'light' | 'dark') => {
    const colors = { ...palette[scheme], ...own[scheme] }
    const { wash, ink, edge, door } = colors
    return `:root{--color-wash:${wash};--color-ink:${ink};--color-edge:${edge};--color-door:${door};--color-door-line:${doorLineColor(colors)}}`
  }
  return `${rules('light')}@media(prefers-color-scheme:dark){${rules('dark')}}`
}

const renderFront = (seed: string, look: FacilityLook, sheet: string) =>
  renderToStaticMarkup(<FacilityFront seed={seed} look={look} sheet={sheet} />)

const digest = (svg: string) => createHash('sha256').update(svg).digest('hex').slice(0, 12)

/** Cached paths of the fronts in the current colors. */
let pathCache = { sheet: '', paths: new Map<string, string>() }
/** Style sheets by brand record, which is a new object for each content version. */
const sheets = new WeakMap<Brand, string>()

function cachedSheetOf(brand: Brand): string {
  const cached = sheets.get(brand)
  if (cached !== undefined) return cached
  const sheet = sheetOf(brand)
  sheets.set(brand, sheet)
  return sheet
}

/** Row of doors on the home page, rendered once, since it is always the same. */
export const doorRow = renderToStaticMarkup(<DoorRow />)

interface FacilityWithFront {
  front: number
  look: FacilityLook
}

/**
 * Returns the path of a facility's drawn front: '/fronts/101-4bil-3f5a…c2.svg'. A different drawing has a different
 * path.
 */
export function frontPath({ front, look }: FacilityWithFront, brand: Brand): string {
  const sheet = cachedSheetOf(brand)
  if (pathCache.sheet !== sheet) pathCache = { sheet, paths: new Map() }
  const name = `${front}-${encodeLook(look)}`
  const cached = pathCache.paths.get(name)
  if (cached !== undefined) return cached
  const path = `/fronts/${name}-${digest(renderFront(name, look, sheet))}.svg`
  pathCache.paths.set(name, path)
  return path
}

/** Renders a facility's front without a style sheet. The caller replaces the color variables by colors. */
export const renderFacilityFront = ({ front, look }: FacilityWithFront): string =>
  renderFront(`${front}-${encodeLook(look)}`, look, '')

/**
 * Renders the drawn front of a facility as SVG, by the file name in its URL.
 * @returns null for other file names; `current` is true when the hash in the name is that of the current drawing
 */
export function frontFile(name: string, brand: Brand): { svg: string; current: boolean } | null {
  const [, seed, code = '', hash] = /^(\d{1,9}-([0-9a-z]{1,12}))-([0-9a-f]{12})\.svg$/.exec(name) ?? []
  const look = decodeLook(code)
  if (seed === undefined || !look) return null
  const svg = renderFront(seed, look, cachedSheetOf(brand))
  return { svg, current: digest(svg) === hash }
}

import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import { type BrandRecord, palette } from '../../domain/brand.ts'
import { DoorRow, FacilityFront } from '../ui/brand-scenes.tsx'

type Brand = Pick<BrandRecord, 'colors'>

/** A file inherits no colours from the page that shows it. */
function sheetOf({ colors: own }: Brand): string {
  const rules = (scheme: 'light' | 'dark') => {
    const { wash, ink, edge, door, doorEdge, onDoor } = { ...palette[scheme], ...own[scheme] }
    const line = `color-mix(in srgb,${doorEdge} 93%,${onDoor})`
    return `:root{--color-wash:${wash};--color-ink:${ink};--color-edge:${edge};--color-door:${door};--color-door-line:${line}}`
  }
  return `${rules('light')}@media(prefers-color-scheme:dark){${rules('dark')}}`
}

const drawn = (seed: string, sheet: string) => renderToStaticMarkup(<FacilityFront seed={seed} sheet={sheet} />)

const digest = (svg: string) => createHash('sha256').update(svg).digest('hex').slice(0, 12)

/** Of each front that a page has shown in the colours of `sheet`: some 100 bytes a facility. */
let kept = { sheet: '', hashes: new Map<string, string>() }

const hashOf = (seed: string, sheet: string) => {
  if (kept.sheet !== sheet) kept = { sheet, hashes: new Map() }
  const known = kept.hashes.get(seed)
  if (known !== undefined) return known
  const hash = digest(drawn(seed, sheet))
  kept.hashes.set(seed, hash)
  return hash
}

/** The same for every visitor, and a third of the home page's elements: drawn once. */
export const doorRow = renderToStaticMarkup(<DoorRow />)

/** Where the drawn front of a facility is served from: '/fronts/101-3f5a…c2.svg'. It changes with what is drawn. */
export const frontPath = (seed: string, brand: Brand): string => `/fronts/${seed}-${hashOf(seed, sheetOf(brand))}.svg`

/** The file of such an address, as it is drawn now; `current` where its name says so. Null for any other name. */
export function frontFile(name: string, brand: Brand): { svg: string; current: boolean } | null {
  const [, seed, hash] = /^(\d{1,9})-([0-9a-f]{12})\.svg$/.exec(name) ?? []
  if (seed === undefined) return null
  const svg = drawn(seed, sheetOf(brand))
  return { svg, current: digest(svg) === hash }
}

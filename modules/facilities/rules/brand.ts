/** The operator's brand record (setting `brand`). Missing parts default to Latchkey's own. */

import * as v from 'valibot'
import { isRecord, keysOf, recordOf } from '../../../domain/typed-keys.ts'

/** The site's default palette, the same as in `app/styles/theme.css`. */
export const palette = {
  light: {
    paper: '#FBFAF6',
    card: '#FFFFFF',
    wash: '#F3EFE4',
    line: '#E3DFD5',
    edge: '#7B8388',
    ink: '#14191C',
    soft: '#5A646A',
    door: '#FFC83D',
    doorEdge: '#F0B21E',
    onDoor: '#14191C',
    link: '#1C4FD6',
    pine: '#0F7658',
    brick: '#B3261E',
  },
  dark: {
    paper: '#0F1315',
    card: '#181E21',
    wash: '#1D2427',
    line: '#2A3236',
    edge: '#76828A',
    ink: '#F3F0E8',
    soft: '#A7B0B5',
    door: '#FFC83D',
    doorEdge: '#F0B21E',
    onDoor: '#14191C',
    link: '#8FB0FF',
    pine: '#5BD1A8',
    brick: '#FF8A80',
  },
} as const

/** Share of `doorEdge` in the color of a drawn door's slats; the rest is `onDoor`. As in `theme.css`. */
export const DOOR_LINE_SHARE = 0.93

/** Returns the color of a drawn door's slats for image files, which inherit no colors from a page. */
export const doorLineColor = ({ doorEdge, onDoor }: { doorEdge: string; onDoor: string }): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const part = (color: string) => Number.parseInt(color.slice(at, at + 2), 16)
      const mixed = DOOR_LINE_SHARE * part(doorEdge) + (1 - DOOR_LINE_SHARE) * part(onDoor)
      return Math.round(mixed).toString(16).padStart(2, '0')
    })
    .join('')}`

type Scheme = keyof typeof palette
export type ColorName = keyof (typeof palette)['light']
type Colors = Partial<Record<ColorName, string>>
const colorNames = keysOf(palette.light)

/** The operator's name, contact data, pictures, texts and colors. Pictures are data URLs, '' for the site's own. */
export interface BrandRecord {
  name: string
  legalName: string
  tagline: string
  phone: string
  email: string
  address: { street: string; city: string; state: string; zip: string }
  hours: { days: string; hours: string }[]
  logo: string
  /** Square picture for the browser's tab, and for phones that install the site. */
  icon: string
  /** Picture shown where a link is shared to a page that has no picture of its own. */
  shareImage: string
  texts: { hero: string; heroNote: string; why: { title: string; text: string }[]; footer: string }
  /** Colors as `#RRGGBB` that replace the palette's. */
  colors: Record<Scheme, Colors>
}

const defaultBrand: BrandRecord = {
  name: 'Latchkey',
  legalName: 'Latchkey',
  tagline: 'Storage Made Simple.',
  phone: '',
  email: '',
  address: { street: '', city: '', state: '', zip: '' },
  hours: [],
  logo: '',
  icon: '',
  shareImage: '',
  texts: { hero: 'Storage Made Simple.', heroNote: '', why: [], footer: '' },
  colors: { light: {}, dark: {} },
}

const line = v.pipe(v.string('should be text'), v.maxLength(2000, 'should be at most 2,000 letters'))
const lines = <Names extends string>(...names: Names[]) =>
  v.partial(
    v.object(
      recordOf(names, () => line),
      'should be an object',
    ),
  )
/** Maximum length of a picture's data URL, in characters. */
const MAX_PICTURE_LENGTH = 200_000
const picture = /^data:image\/(svg\+xml|png|webp|jpeg);base64,[A-Za-z0-9+/]+=*$/
const notPicture = 'should be a picture of at most 150 kB: data:image/svg+xml;base64,… or png, webp, jpeg'
const ownPicture = v.pipe(
  v.string(notPicture),
  v.check((text) => text === '' || (text.length <= MAX_PICTURE_LENGTH && picture.test(text)), notPicture),
)
const color = v.pipe(v.string('should be a color'), v.regex(/^#[0-9a-f]{6}$/i, 'should be a color such as #FFC83D'))
const colors = v.record(
  v.picklist(colorNames, `is no color of the site; those are ${colorNames.join(', ')}`),
  color,
  'should be an object',
)
const list = <Entry extends v.GenericSchema>(entry: Entry) =>
  v.pipe(v.array(entry, 'should be a list'), v.maxLength(20, 'has more than 20'))

/** Schemas of the brand record's parts, by name. */
const parts = {
  name: v.pipe(line, v.minLength(1, 'should not be empty')),
  legalName: line,
  tagline: line,
  phone: v.pipe(line, v.regex(/^(\d{10})?$/, 'should be 10 digits')),
  email: line,
  address: lines('street', 'city', 'state', 'zip'),
  hours: list(v.object({ days: line, hours: line }, 'should have days and hours')),
  logo: ownPicture,
  icon: ownPicture,
  // Social networks do not read SVG.
  shareImage: v.pipe(ownPicture, v.regex(/^(data:image\/(png|webp|jpeg);|$)/, 'should be a png, webp or jpeg')),
  texts: v.partial(
    v.object(
      {
        hero: line,
        heroNote: line,
        footer: line,
        why: list(v.object({ title: line, text: line }, 'should have title and text')),
      },
      'should be an object',
    ),
  ),
  colors: v.partial(v.object({ light: colors, dark: colors }, 'should be an object')),
}

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Parses the brand record; a missing or invalid part gets Latchkey's own value. */
export function parseBrand(text: string): BrandRecord {
  const value = parseOrNull(text)
  const record = isRecord(value) ? value : {}
  const entries = keysOf(parts).map((name) => {
    const part = parts[name]
    const defaultValue = defaultBrand[name]
    const result = v.safeParse<v.GenericSchema>(part, record[name])
    if (!result.success) return [name, defaultValue]
    const { output } = result
    return [name, isRecord(defaultValue) && isRecord(output) ? { ...defaultValue, ...output } : output]
  })
  return Object.fromEntries(entries) as BrandRecord
}

/** Pairs of foreground and background color, with the minimum contrast of each pair (WCAG 2.2 AA). */
const contrastPairs: [ColorName, ColorName, number][] = [
  ...(['ink', 'soft', 'link', 'pine', 'brick'] as const).flatMap((text): [ColorName, ColorName, number][] => [
    [text, 'paper', 4.5],
    [text, 'card', 4.5],
  ]),
  ['onDoor', 'door', 4.5],
  ['edge', 'card', 3],
]

/** Returns the relative luminance of a color (`#RRGGBB`) by WCAG, from 0 to 1. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast ratio of two colors (`#RRGGBB`) by WCAG, from 1 to 21. */
export function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Error in a brand record. `at` is the dot path of the wrong value ('' for the whole record), `says` a sentence. */
export interface BrandFault {
  at: string
  says: string
}

/** Returns the first error in a brand record, including too little contrast; null where it is valid. */
export function brandFault(text: string): BrandFault | null {
  const record = parseOrNull(text)
  if (record === null || typeof record !== 'object' || Array.isArray(record))
    return { at: '', says: 'brand is a JSON object.' }
  const unknownName = Object.keys(record).find((name) => !Object.hasOwn(parts, name))
  if (unknownName !== undefined)
    return { at: unknownName, says: `brand.${unknownName} is not known; there are ${Object.keys(parts).join(', ')}.` }
  const result = v.safeParse(v.partial(v.object(parts)), record)
  if (!result.success) {
    const [first] = result.issues
    const at = v.getDotPath(first) ?? ''
    return { at, says: `brand.${at} ${first.message}.` }
  }
  const { colors: customColors } = parseBrand(text)
  for (const scheme of ['light', 'dark'] as const) {
    const effectiveColors: Record<ColorName, string> = { ...palette[scheme], ...customColors[scheme] }
    for (const [foreground, background, minimum] of contrastPairs) {
      const ratio = contrast(effectiveColors[foreground], effectiveColors[background])
      if (ratio < minimum)
        return {
          at: `colors.${scheme}.${customColors[scheme][foreground] === undefined ? background : foreground}`,
          says: `brand.colors.${scheme}: ${foreground} ${effectiveColors[foreground]} on ${background} ${effectiveColors[background]} has a contrast of ${ratio.toFixed(1)}; it needs ${minimum}.`,
        }
    }
  }
  return null
}

export const brandProblem = (text: string): string | null => brandFault(text)?.says ?? null

/** Returns the operator's colors as a style sheet, to be placed after the site's own; '' without custom colors. */
export function brandStyleSheet({ colors: customColors }: BrandRecord): string {
  const rules = (scheme: Scheme) =>
    colorNames
      .flatMap((name) => {
        const value = customColors[scheme][name]
        return value === undefined || value.toUpperCase() === palette[scheme][name]
          ? []
          : [`--color-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`]
      })
      .join(';')
  const light = rules('light')
  const dark = rules('dark')
  // Each scheme has a media query, so that custom light colors do not override the site's dark ones.
  return [
    light && `@media not all and (prefers-color-scheme:dark){:root{${light}}}`,
    dark && `@media (prefers-color-scheme:dark){:root{${dark}}}`,
  ].join('')
}

/**
 * Splits a picture of the brand record, a data URL, into type and content; null for ''.
 * @param picture `logo`, `icon` or `shareImage` of the record
 */
export function brandPicture(picture: string): { type: string; base64: string } | null {
  const [, type, base64] = /^data:([^;]+);base64,(.+)$/.exec(picture) ?? []
  return type && base64 ? { type, base64 } : null
}

import { isKeyOf } from '../../domain/typed-keys.ts'

const PLACE_ABBREVIATIONS: Record<string, string> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', pt: 'point' }
const DIRECTIONS: Record<string, string> = { n: 'north', s: 'south', e: 'east', w: 'west' }
/** Other names of cities, each with the name in the gazetteer. */
const CITY_ALIASES: Record<string, string> = {
  nyc: 'new york',
  'new york city': 'new york',
  'lexington fayette': 'lexington',
  'san buenaventura': 'ventura',
  'washington dc': 'washington',
  'saint pete': 'saint petersburg',
  philly: 'philadelphia',
  vegas: 'las vegas',
  la: 'los angeles',
  'ciudad de mexico': 'mexico city',
}

/**
 * Returns a text's English letters and digits, in lower case and without accents. Apostrophes and periods are removed;
 * anything else becomes one space.
 */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʻʼ`.]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

const STREET_ABBREVIATIONS: Record<string, string> = {
  ave: 'avenue',
  blvd: 'boulevard',
  dr: 'drive',
  hwy: 'highway',
  ln: 'lane',
  pkwy: 'parkway',
  pl: 'place',
  rd: 'road',
  st: 'street',
}
const DIAGONAL_DIRECTIONS: Record<string, string> = {
  ne: 'northeast',
  nw: 'northwest',
  se: 'southeast',
  sw: 'southwest',
}

/** Returns the words of an address with its abbreviations expanded: 'Ralston Mill Rd NE' ends in road, northeast. */
export function expandAbbreviations(text: string): string[] {
  const expansions = { ...DIRECTIONS, ...STREET_ABBREVIATIONS, ...DIAGONAL_DIRECTIONS }
  return plainWords(text)
    .split(' ')
    .map((word) => (isKeyOf(expansions, word) ? expansions[word] : undefined) ?? word)
}

/**
 * Returns a key that is the same for usual spellings of a place: 'St. Paul' and 'saint paul', 'Ft Worth' and 'Fort
 * Worth'.
 */
export function placeKey(text: string): string {
  const words = plainWords(text).split(' ')
  if (words[0] === 'the' && words.length > 1) words.shift()
  if (words.length > 1 && Object.hasOwn(DIRECTIONS, words[0]!)) words[0] = DIRECTIONS[words[0]!]!
  const key = words
    .map((word) => (Object.hasOwn(PLACE_ABBREVIATIONS, word) ? PLACE_ABBREVIATIONS[word]! : word))
    .join(' ')
  return Object.hasOwn(CITY_ALIASES, key) ? CITY_ALIASES[key]! : key
}

/**
 * Returns how many letters must be added, removed, replaced or swapped with their neighbor to turn one text into the
 * other.
 */
export function editDistance(text: string, other: string): number {
  let secondLastRow: number[] = []
  let lastRow = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= text.length; row++) {
    const currentRow = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = text[row - 1] === other[at - 1]
      let distance = Math.min(lastRow[at]! + 1, currentRow[at - 1]! + 1, lastRow[at - 1]! + (isSame ? 0 : 1))
      if (row > 1 && at > 1 && text[row - 1] === other[at - 2] && text[row - 2] === other[at - 1])
        distance = Math.min(distance, secondLastRow[at - 2]! + 1)
      currentRow.push(distance)
    }
    secondLastRow = lastRow
    lastRow = currentRow
  }
  return lastRow[other.length]!
}

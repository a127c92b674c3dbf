const WORDS: Record<string, string> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', pt: 'point' }
const DIRECTIONS: Record<string, string> = { n: 'north', s: 'south', e: 'east', w: 'west' }
const SAME_CITY: Record<string, string> = {
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

/** Letters and digits of a text in lower case without accents; everything else becomes one space. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʻʼ`.]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** What two spellings of one place have in common: 'St. Paul' and 'saint paul', 'Ft Worth' and 'Fort Worth'. */
export function placeKey(text: string): string {
  const words = plainWords(text).split(' ')
  if (words[0] === 'the' && words.length > 1) words.shift()
  if (words.length > 1 && Object.hasOwn(DIRECTIONS, words[0]!)) words[0] = DIRECTIONS[words[0]!]!
  const key = words.map((word) => (Object.hasOwn(WORDS, word) ? WORDS[word]! : word)).join(' ')
  return Object.hasOwn(SAME_CITY, key) ? SAME_CITY[key]! : key
}

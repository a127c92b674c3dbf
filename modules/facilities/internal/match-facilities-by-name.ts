/** Finds facilities by their name, their street, or a landmark in their descriptions. */
import { expandAbbreviations } from '../../../ports/geocoder/normalize-and-compare-place-names.ts'

/** Normalized names of a facility. Each text has spaces around its words, so that ` word ` finds a whole word. */
export interface FacilityNames {
  /** The facility's name, and each landmark in its descriptions. */
  names: string[]
  street: string
  town: string
}

interface DescribedFacility {
  name: string
  address: string
  city: string
  state: string
  zip: string
  description: string
  directions: string
}

/** Returns a facility's name, landmarks, street and town, normalized for `matchFacilitiesByName`. */
export function normalizedNamesOf(facility: DescribedFacility): FacilityNames {
  const normalize = (text: string) => ` ${expandAbbreviations(text).join(' ')} `
  return {
    names: [facility.name, ...landmarksIn(`${facility.description} ${facility.directions}`)].map(normalize),
    street: normalize(facility.address),
    town: normalize(`${facility.city} ${facility.state} ${facility.zip}`),
  }
}

/**
 * Maximum number of facilities that a name may match. If more match, the words name the business rather than a
 * facility.
 */
const MAX_MATCHES = 6
/** Minimum number of characters of a word that identifies a facility. */
const MIN_WORD_LENGTH = 4
/** Words that do not identify a facility by themselves, since many names and addresses contain them. */
const COMMON = new Set(
  (
    'avenue boulevard court drive highway lane parkway place road street north south east west northeast northwest ' +
    'southeast southwest storage self unit units facility parking climate controlled cheap nearby'
  ).split(' '),
)

/**
 * Returns names inside the sentences of a text, such as 'Ponce de Leon Avenue' and 'BeltLine'. The first word of a
 * sentence is skipped.
 */
function landmarksIn(text: string): string[] {
  const inside = text.replace(/(^|[.!?:;]\s+)\p{Lu}\S*/gu, '$1')
  const names = inside.match(
    /\p{Lu}[\p{L}\d’'-]*(?: (?:de|of|the|la|du|and) \p{Lu}[\p{L}\d’'-]*| \p{Lu}[\p{L}\d’'-]*)*/gu,
  )
  return [...new Set(names ?? [])]
}

/** Returns whether all words occur in the text in this order. */
function occurInOrder(words: readonly string[], text: string): boolean {
  let at = 0
  return words.every((word) => {
    const position = text.indexOf(` ${word} `, at)
    // The space after a word is also the one before the next.
    at = position + word.length + 1
    return position >= 0
  })
}

/**
 * Finds facilities by a text that a visitor typed.
 * @param text such as 'Ralston Mill' or '1184 Ralston Mill Rd, Atlanta'
 * @returns at most `MAX_MATCHES` facilities, none where more match or nothing distinctive was typed; `by`: whether the
 *   facility's name or a landmark matched ('name'), or only its street
 */
export function matchFacilitiesByName<Named extends { searchNames: FacilityNames }>(
  facilities: readonly Named[],
  text: string,
): { facility: Named; by: 'name' | 'street' }[] {
  const words = expandAbbreviations(text)
  if (!words.some((word) => word.length >= MIN_WORD_LENGTH && !/^\d+$/.test(word) && !COMMON.has(word))) return []
  const matches = facilities.flatMap((facility): { facility: Named; by: 'name' | 'street' }[] => {
    const { names, street, town } = facility.searchNames
    // A town alone is left to the geocoder.
    if (occurInOrder(words, town)) return []
    const isMatch = (name: string) => occurInOrder(words, name + town.trimStart())
    if (names.some(isMatch)) return [{ facility, by: 'name' }]
    return isMatch(street) ? [{ facility, by: 'street' }] : []
  })
  return matches.length > MAX_MATCHES ? [] : matches
}
